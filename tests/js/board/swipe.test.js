import assert from "node:assert/strict";
import test from "node:test";

import { mountSwipe, wayOfSwipe } from "../../../static/board/swipe.js";

/** A page with a board, on which events are told as a browser tells them. */
class Page {
  constructor() {
    /** @type {Record<string, (event: any) => void>} */
    this.heard = {};
  }

  /** @param {string} name @param {(event: any) => void} call */
  addEventListener(name, call) {
    this.heard[name] = call;
  }

  /** @param {string} name @param {number} clientX @param {number} clientY @param {Record<string, unknown>} [more] */
  tell(name, clientX, clientY, more = {}) {
    const target = { closest: () => ({}) };
    this.heard[name]?.({ clientX, clientY, isPrimary: true, pointerType: "touch", target, ...more });
  }
}

/** @param {() => boolean} [isFree] */
function page(isFree) {
  const shown = new Page();
  /** @type {string[]} */
  const went = [];
  mountSwipe(/** @type {any} */ (shown), (way) => went.push(way), new AbortController().signal, isFree);
  return { shown, went };
}

test("a finger to the left goes on, one to the right goes back", () => {
  assert.equal(wayOfSwipe(-80, 10), "forward");
  assert.equal(wayOfSwipe(80, -10), "back");
});

test("a tap, a short way and a way down are no swipes", () => {
  const none = [
    [0, 0],
    [-47, 0],
    [-80, 41],
    [10, 200],
  ];
  for (const [across = 0, down = 0] of none) assert.equal(wayOfSwipe(across, down), "");
});

test("a swipe on the board leads on", () => {
  const { shown, went } = page();
  shown.tell("pointerdown", 200, 100);
  shown.tell("pointerup", 100, 110);
  assert.deepEqual(went, ["forward"]);
});

test("a mouse, a second finger, a place beside the board and what was taken over are none", () => {
  const { shown, went } = page();
  for (const more of [{ pointerType: "mouse" }, { isPrimary: false }, { target: { closest: () => null } }]) {
    shown.tell("pointerdown", 200, 100, more);
    shown.tell("pointerup", 100, 100, more);
  }
  shown.tell("pointerdown", 200, 100);
  shown.tell("pointercancel", 150, 100);
  shown.tell("pointerup", 100, 100);
  assert.deepEqual(went, []);
});

test("where the finger holds a piece it does not lead away", () => {
  const { shown, went } = page(() => false);
  shown.tell("pointerdown", 200, 100);
  shown.tell("pointerup", 100, 100);
  assert.deepEqual(went, []);
});

test("another place can be drawn across, and the board is none then", () => {
  const shown = new Page();
  /** @type {string[]} */
  const went = [];
  const go = (/** @type {string} */ way) => went.push(way);
  mountSwipe(/** @type {any} */ (shown), go, new AbortController().signal, undefined, ".line");
  for (const place of ["#board", ".line"]) {
    const target = { closest: (/** @type {string} */ asked) => (asked === place ? {} : null) };
    shown.tell("pointerdown", 100, 100, { target });
    shown.tell("pointerup", 200, 100, { target });
  }
  assert.deepEqual(went, ["back"]);
});
