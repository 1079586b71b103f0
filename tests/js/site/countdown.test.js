import assert from "node:assert/strict";
import { test } from "node:test";

import { minutesLeft, written } from "../../../static/site/countdown.js";

test("days, hours and minutes are written as the server writes them", () => {
  assert.equal(written(28 * 60 + 12), "1d 04:12");
  assert.equal(written(9 * 60 + 40), "09:40");
  assert.equal(written(5 * 1440), "5d 00:00");
  assert.equal(written(0), "00:00");
});

test("the letter for days comes with the page", () => {
  assert.equal(written(1440, "j"), "1j 00:00");
});

test("a minute is left until it is over, and none after the end", () => {
  const noon = Date.parse("2026-03-01T12:00:00Z");
  assert.equal(minutesLeft(noon, noon - 60_000), 1);
  assert.equal(minutesLeft(noon, noon - 59_999), 0);
  assert.equal(minutesLeft(noon, noon + 3_600_000), 0);
});
