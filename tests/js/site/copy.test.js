import assert from "node:assert/strict";
import { test } from "node:test";

import { passOn } from "../../../static/site/copy.js";

/**
 * Return what of a browser is asked.
 *
 * @param {object} parts
 * @returns {any}
 */
const device = (parts) => parts;

test("on a desk the link is copied", async () => {
  /** @type {string[]} */
  const copied = [];
  /** @param {string} text */
  const writeText = async (text) => copied.push(text);
  assert.equal(
    await passOn("https://x/join/1/", "Table", device({ maxTouchPoints: 0, clipboard: { writeText } })),
    true,
  );
  assert.deepEqual(copied, ["https://x/join/1/"]);
});

test("on a phone the link is shared, and a change of mind is no fault", async () => {
  /** @type {ShareData[]} */
  const shared = [];
  const share = (/** @type {ShareData} */ what) => {
    shared.push(what);
    return Promise.reject(new Error("AbortError"));
  };
  assert.equal(await passOn("https://x/", "Table", device({ maxTouchPoints: 5, share })), false);
  assert.deepEqual(shared, [{ title: "Table", url: "https://x/" }]);
});
