import assert from "node:assert/strict";
import { test } from "node:test";

import { inWords } from "../../../static/spoken/time_left.js";

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];

test("the time left is said in its two largest units, as the server says it", () => {
  assert.equal(inWords(2 * DAY + 3 * HOUR + 659, "en"), "2 days 3 hours");
  assert.equal(inWords(DAY + 5 * MINUTE, "en"), "1 day 5 minutes");
  assert.equal(inWords(HOUR + MINUTE + 1, "en"), "1 hour 1 minute");
  assert.equal(inWords(14 * MINUTE + 59, "en"), "14 minutes 59 seconds");
  assert.equal(inWords(0, "en"), "0 seconds");
});

test("the units are those of the page's language", () => {
  assert.equal(inWords(2 * DAY + HOUR, "fr").replaceAll("\u00a0", " "), "2 jours 1 heure");
});
