import assert from "node:assert/strict";
import test from "node:test";

import { warnings } from "../../../static/realtime/warnings.js";

const HOUR = 3_600_000;

test("far from the end both warnings are still to come", () => {
  assert.deepEqual(warnings(30 * HOUR, 0), [
    { name: "day", wait: 6 * HOUR },
    { name: "hour", wait: 29 * HOUR },
  ]);
});

test("within a day that is said at once, and the hour when it comes", () => {
  assert.deepEqual(warnings(5 * HOUR, 0), [
    { name: "day", wait: 0 },
    { name: "hour", wait: 4 * HOUR },
  ]);
});

test("within an hour only the hour is said", () => {
  assert.deepEqual(warnings(HOUR / 2, 0), [{ name: "hour", wait: 0 }]);
});

test("without a deadline, or after it, nothing is said", () => {
  assert.deepEqual(warnings(Number.NaN, 0), []);
  assert.deepEqual(warnings(HOUR, 2 * HOUR), []);
});
