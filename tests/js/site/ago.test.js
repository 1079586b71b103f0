import assert from "node:assert/strict";
import { test } from "node:test";

import { ago } from "../../../static/site/ago.js";

const NOW = Date.parse("2026-11-23T18:00:00Z");
const MINUTE = 60_000;

for (const [minutes, words] of /** @type {const} */ ([
  [0.5, undefined],
  [1, "1 minute ago"],
  [59.9, "59 minutes ago"],
  [60, "1 hour ago"],
  [24 * 60 - 1, "23 hours ago"],
  [24 * 60, "1 day ago"],
  [7 * 24 * 60 - 1, "6 days ago"],
  [7 * 24 * 60, undefined],
]))
  test(`${minutes} minutes after it a moment is called "${words ?? "as before"}"`, () => {
    assert.equal(ago(NOW - minutes * MINUTE, NOW, "en"), words);
  });

test("a moment is told in the page's language", () => {
  assert.equal(ago(NOW - 3 * MINUTE, NOW, "fr"), "il y a 3 minutes");
});

test("a moment that has not come yet, by the clock of this device, stays as it is", () => {
  assert.equal(ago(NOW + MINUTE, NOW, "en"), undefined);
});
