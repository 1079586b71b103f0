import assert from "node:assert/strict";
import { test } from "node:test";

import { said } from "../../../static/site/deadline.js";

const WORDS = { today: "until {time}", tomorrow: "until tomorrow {time}", left: "{time} left", up: "time is up" };
const now = new Date(2026, 2, 1, 9, 30);

/** @param {Date} until */
const say = (until) => said(until, now, WORDS, "en");

test("a deadline of today and one of tomorrow are named by the clock of the reader", () => {
  assert.equal(say(new Date(2026, 2, 1, 18, 0)), "until 18:00");
  assert.equal(say(new Date(2026, 2, 2, 0, 5)), "until tomorrow 00:05");
  assert.equal(say(new Date(2026, 2, 2, 23, 59)), "until tomorrow 23:59");
});

test("the last six hours are counted down with their units, also across midnight", () => {
  assert.equal(say(new Date(2026, 2, 1, 15, 29)), "5 hr 59 min left");
  assert.equal(said(new Date(2026, 2, 2, 1, 0), new Date(2026, 2, 1, 23, 0), WORDS, "en"), "2 hr left");
  assert.equal(say(new Date(2026, 2, 1, 9, 30, 20)), "1 min left");
});

test("units are those of the language", () => {
  const words = { ...WORDS, left: "reste {time}" };
  assert.match(said(new Date(2026, 2, 1, 10, 29), now, words, "fr") ?? "", /^reste 59\smin$/);
});

test("after the deadline time is up, and a later day is left to the words of the page", () => {
  assert.equal(say(now), "time is up");
  assert.equal(say(new Date(2026, 2, 3, 0, 0)), undefined);
});
