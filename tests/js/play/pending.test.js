import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Pending, WAIT } from "../../../static/play/pending.js";

const MOVE = { number: "5", placement: "V5:a1,b1,c1,a2,a3", key: "abc" };

/** @type {Map<string, string>} */
let kept;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  kept = new Map();
  // @ts-expect-error a storage of what these modules use
  globalThis.localStorage = {
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void kept.set(key, value),
    removeItem: (/** @type {string} */ key) => void kept.delete(key),
  };
});

/** @returns {{pending: Pending, sent: string[]}} */
function page() {
  /** @type {string[]} */
  const sent = [];
  const pending = new Pending(
    "abc",
    () => {},
    () => sent.push(pending.held?.key ?? ""),
  );
  return { pending, sent };
}

test("a placement is sent once its time is over", () => {
  const { pending, sent } = page();
  pending.hold(MOVE);
  mock.timers.tick(WAIT - 1);
  assert.deepEqual([sent, pending.isWaiting], [[], true]);
  mock.timers.tick(1);
  assert.deepEqual([sent, pending.isWaiting], [["abc"], false]);
});

test("taken back it is never sent", () => {
  const { pending, sent } = page();
  pending.hold(MOVE);
  pending.forget();
  mock.timers.tick(WAIT);
  assert.deepEqual([sent, kept.size], [[], 0]);
});

test("a device that keeps nothing sends it all the same", () => {
  // @ts-expect-error nothing is kept
  globalThis.localStorage = undefined;
  const { pending, sent } = page();
  pending.hold(MOVE);
  mock.timers.tick(WAIT);
  assert.deepEqual(sent, ["abc"]);
});

test("what a crash has left is sent on the next visit, if its move is still due", () => {
  page().pending.hold(MOVE);
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 9_000_000 });
  const { pending, sent } = page();
  pending.resume("5");
  mock.timers.tick(0);
  assert.deepEqual(sent, ["abc"]);
});

test("what a crash has left is forgotten when another move is due, or it is not my turn", () => {
  for (const due of ["6", null]) {
    page().pending.hold(MOVE);
    const { pending, sent } = page();
    pending.resume(due);
    mock.timers.tick(0);
    assert.deepEqual([sent, kept.size, pending.held], [[], 0, null]);
  }
});

test("what another page has taken back is not sent", () => {
  const [one, other] = [page(), page()];
  one.pending.hold(MOVE);
  other.pending.resume("5");
  one.pending.forget();
  mock.timers.tick(WAIT);
  assert.deepEqual([one.sent, other.sent, other.pending.held], [[], [], null]);
});

test("what is answered before its time is over is forgotten", () => {
  const { pending, sent } = page();
  pending.hold(MOVE);
  pending.release();
  pending.forget();
  mock.timers.tick(WAIT);
  assert.deepEqual([sent, kept.size], [["abc"], 0]);
});
