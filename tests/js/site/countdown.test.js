import assert from "node:assert/strict";
import { test } from "node:test";

import { isUrgent, runningLeft, secondsLeft, written } from "../../../static/site/countdown.js";

const [HOUR, DAY] = [3600, 86_400];

test("days, hours, minutes and seconds are written as the server writes them", () => {
  assert.equal(written(2 * DAY + 3 * HOUR + 659), "2\u00a0d 3\u00a0h");
  assert.equal(written(5 * DAY), "5\u00a0d 0\u00a0h");
  assert.equal(written(DAY - 1), "23 h 59");
  assert.equal(written(HOUR), "1 h 00");
  assert.equal(written(HOUR - 1), "59:59");
  assert.equal(written(9), "00:09");
  assert.equal(written(0), "00:00");
});

test("the letter for days comes with the page", () => {
  assert.equal(written(DAY, "j"), "1\u00a0j 0\u00a0h");
});

test("a second is left until it is over, and none after the end", () => {
  const noon = Date.parse("2026-03-01T12:00:00Z");
  assert.equal(secondsLeft(noon, noon - 1000), 1);
  assert.equal(secondsLeft(noon, noon - 999), 0);
  assert.equal(secondsLeft(noon, noon + 3_600_000), 0);
});

test("the page says from when on a turn is urgent, else it is six hours", () => {
  const element = /** @type {HTMLElement} */ (/** @type {unknown} */ ({ dataset: {} }));
  assert.deepEqual(
    [6 * HOUR - 1, 6 * HOUR].map((seconds) => isUrgent(element, seconds)),
    [true, false],
  );
  element.dataset.urgent = "225";
  assert.deepEqual(
    [224, 225].map((seconds) => isUrgent(element, seconds)),
    [true, false],
  );
});

test("a clock loses no time in the spans in which it stands still", () => {
  const noon = Date.parse("2026-03-01T12:00:00Z");
  const at = (/** @type {number} */ hours) => noon / 1000 + hours * HOUR;
  const end = noon + 30 * HOUR * 1000;
  const stills = `${at(10)}-${at(18)} ${at(28)}-${at(40)}`;
  assert.equal(runningLeft(end, noon, stills), 20 * HOUR);
  assert.equal(runningLeft(end, noon + 11 * HOUR * 1000, stills), 10 * HOUR);
  assert.equal(runningLeft(end, noon + 17 * HOUR * 1000, stills), 10 * HOUR);
  assert.equal(runningLeft(end, noon + 19 * HOUR * 1000, stills), 9 * HOUR);
  assert.equal(runningLeft(end, noon), 30 * HOUR);
  assert.equal(runningLeft(noon, end, stills), 0);
});
