import assert from "node:assert/strict";
import { test } from "node:test";

import { fetchPicture, share } from "../../../static/site/share.js";

const WHAT = { title: "Ann won", text: "Ann won. 1. Ann 9", url: "https://x/games/1/" };

/**
 * Return a device and what it was given.
 *
 * @param {((what?: ShareData) => Promise<void>) | undefined} way its own way to share, if it has one
 * @param {(what: ShareData) => boolean} [canShare] what it says it takes, if it says so
 * @returns {{device: any, copied: string[]}}
 */
function deviceWith(way, canShare) {
  /** @type {string[]} */
  const copied = [];
  const clipboard = { writeText: async (/** @type {string} */ text) => copied.push(text) };
  return { device: { share: way, canShare, clipboard }, copied };
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

const PICTURE = new File(["picture"], "block-you-ann.png", { type: "image/png" });

test("the picture goes along with text and link where a device takes files", async () => {
  /** @type {(ShareData | undefined)[]} */
  const shared = [];
  const { device, copied } = deviceWith(
    (what) => Promise.resolve(void shared.push(what)),
    (what) => what.files?.[0]?.type === "image/png",
  );
  assert.equal(await share(WHAT, device, PICTURE), false);
  assert.deepEqual([shared, copied], [[{ ...WHAT, files: [PICTURE] }], []]);
});

test("text and link are shared without the picture where a device takes no files", async () => {
  for (const canShare of [undefined, () => false]) {
    /** @type {(ShareData | undefined)[]} */
    const shared = [];
    const { device } = deviceWith((what) => Promise.resolve(void shared.push(what)), canShare);
    assert.equal(await share(WHAT, device, PICTURE), false);
    assert.deepEqual(shared, [WHAT]);
  }
});

test("text and link are shared alone where a device takes the picture only in words", async () => {
  /** @type {(ShareData | undefined)[]} */
  const shared = [];
  const { device, copied } = deviceWith(
    (what) => {
      if (what?.files) return Promise.reject(Object.assign(new Error(), { name: "DataError" }));
      shared.push(what);
      return Promise.resolve();
    },
    () => true,
  );
  assert.equal(await share(WHAT, device, PICTURE), false);
  assert.deepEqual([shared, copied], [[WHAT], []]);
});

test("a change of mind about the picture shares nothing else", async () => {
  let asked = 0;
  const { device, copied } = deviceWith(
    () => {
      asked += 1;
      return Promise.reject(Object.assign(new Error(), { name: "AbortError" }));
    },
    () => true,
  );
  assert.equal(await share(WHAT, device, PICTURE), false);
  assert.deepEqual([asked, copied], [1, []]);
});

test("a picture becomes a file, and nothing where it cannot be had", async (context) => {
  /** @type {[() => Promise<Response>, string | undefined][]} */
  const cases = [
    [() => Promise.resolve(new Response("picture")), "block-you.png"],
    [() => Promise.resolve(new Response("too many", { status: 429 })), undefined],
    [() => Promise.reject(new TypeError("no network")), undefined],
  ];
  for (const [answer, name] of cases) {
    context.mock.method(globalThis, "fetch", answer);
    const file = await fetchPicture("/games/ann/picture.png");
    assert.equal(file?.name, name);
    assert.equal(await file?.text(), name && "picture");
    context.mock.restoreAll();
  }
});
