import assert from "node:assert/strict";
import { test } from "node:test";

import { share } from "../../../static/site/share.js";

const WHAT = { title: "Ann won", text: "Ann won. 1. Ann 9", url: "https://x/games/1/" };

/**
 * Return a device and what it was given.
 *
 * @param {((what?: ShareData) => Promise<void>) | undefined} way its own way to share, if it has one
 * @returns {{device: any, copied: string[]}}
 */
function deviceWith(way) {
  /** @type {string[]} */
  const copied = [];
  const clipboard = { writeText: async (/** @type {string} */ text) => copied.push(text) };
  return { device: { share: way, clipboard }, copied };
}

test("text and link are shared where a device has a way to", async () => {
  /** @type {(ShareData | undefined)[]} */
  const shared = [];
  const { device, copied } = deviceWith((what) => {
    shared.push(what);
    return Promise.resolve();
  });
  assert.equal(await share(WHAT, device), false);
  assert.deepEqual([shared, copied], [[WHAT], []]);
});

test("a change of mind copies nothing", async () => {
  const { device, copied } = deviceWith(() => Promise.reject(Object.assign(new Error(), { name: "AbortError" })));
  assert.equal(await share(WHAT, device), false);
  assert.deepEqual(copied, []);
});

test("text and link are copied where a device cannot share, or fails to", async () => {
  for (const way of [undefined, () => Promise.reject(Object.assign(new Error(), { name: "NotAllowedError" }))]) {
    const { device, copied } = deviceWith(way);
    assert.equal(await share(WHAT, device), true);
    assert.deepEqual(copied, ["Ann won. 1. Ann 9\nhttps://x/games/1/"]);
  }
});
