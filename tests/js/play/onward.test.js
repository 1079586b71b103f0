import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { Onward, WAIT } from "../../../static/play/onward.js";

/**
 * Return a page after a move: where the next game is, whether it is the player's turn again, and where it went.
 *
 * @param {{next?: string, isMine?: boolean, onward?: boolean}} [state]
 */
function page({ next = "/games/next/", isMine = false, onward = true } = {}) {
  const seen = { said: 0, went: /** @type {string[]} */ ([]), isMine };
  const root = /** @type {any} */ ({
    querySelector: (/** @type {string} */ selector) => {
      if (selector.startsWith(".say[data-mine]")) return seen.isMine ? {} : null;
      return next ? { getAttribute: () => next } : null;
    },
  });
  const go = (/** @type {string} */ address) => seen.went.push(address);
  const likes = /** @type {any} */ ({ onward });
  const say = () => {
    seen.said += 1;
  };
  return { seen, onward: new Onward(root, likes, say, go) };
}

/** @param {Onward} onward */
function move(onward) {
  onward.moved();
  onward.read();
}

test("a move leads on to the next game, which is said before", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { onward, seen } = page();
  move(onward);
  assert.deepEqual([seen.said, seen.went], [1, []]);
  context.mock.timers.tick(WAIT);
  assert.deepEqual(seen.went, ["/games/next/"]);
});

for (const [name, state] of /** @type {const} */ ([
  ["who has not asked for it", { onward: false }],
  ["who has no other turn", { next: "" }],
  ["whose turn it is again", { isMine: true }],
]))
  test(`a player stays ${name}`, (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const { onward, seen } = page(state);
    move(onward);
    context.mock.timers.tick(WAIT);
    assert.deepEqual([seen.said, seen.went], [0, []]);
  });

test("a quick answer, or a touch, keeps the player here", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const answered = page();
  const touched = page();
  move(answered.onward);
  move(touched.onward);
  answered.seen.isMine = true;
  touched.onward.stop();
  context.mock.timers.tick(WAIT);
  assert.deepEqual([answered.seen.went, touched.seen.went], [[], []]);
});

test("what others do leads nowhere", () => {
  const timers = mock.timers;
  timers.enable({ apis: ["setTimeout"] });
  const { onward, seen } = page();
  onward.read();
  timers.tick(WAIT);
  timers.reset();
  assert.deepEqual([seen.said, seen.went], [0, []]);
});
