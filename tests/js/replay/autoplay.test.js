import assert from "node:assert/strict";
import test from "node:test";

import { Autoplay, PACES, paceOf } from "../../../static/replay/autoplay.js";

/**
 * Return a replay of so many moves, a clock that runs when it is told to, and what was heard of it.
 *
 * @param {number} last
 * @param {number} at
 */
function world(last, at = 0) {
  let place = at;
  /** @type {{call: () => void, wait: number} | null} */
  let due = null;
  /** @type {boolean[]} */
  const heard = [];
  const reel = {
    forward: () => {
      place += 1;
    },
    isAtEnd: () => place === last,
    rewind: () => {
      place = 0;
    },
    changed: (/** @type {boolean} */ isPlaying) => void heard.push(isPlaying),
  };
  const timers = {
    set: (/** @type {() => void} */ call, /** @type {number} */ wait) => {
      due = { call, wait };
      return 1;
    },
    clear: () => {
      due = null;
    },
  };
  const tick = () => {
    const call = due?.call;
    due = null;
    call?.();
  };
  return { autoplay: new Autoplay(reel, timers, "normal"), heard, tick, at: () => place, wait: () => due?.wait };
}

test("it turns move after move and stops at the last", () => {
  const { autoplay, heard, tick, at, wait } = world(2);
  autoplay.toggle();
  tick();
  assert.deepEqual([at(), autoplay.isPlaying], [1, true]);
  tick();
  assert.deepEqual([at(), autoplay.isPlaying, wait(), heard], [2, false, undefined, [true, false]]);
});

test("from the last move it begins anew", () => {
  const { autoplay, tick, at } = world(3, 3);
  autoplay.start();
  tick();
  assert.equal(at(), 1);
});

test("a game without moves does not play", () => {
  const { autoplay, heard } = world(0);
  autoplay.toggle();
  assert.deepEqual([autoplay.isPlaying, heard], [false, []]);
});

test("stopped, nothing turns any more", () => {
  const { autoplay, tick, at } = world(5);
  autoplay.start();
  autoplay.toggle();
  tick();
  autoplay.stop();
  assert.equal(at(), 0);
});

test("another pace counts at once", () => {
  const { autoplay, wait } = world(5);
  autoplay.setPace("slow");
  assert.equal(wait(), undefined);
  autoplay.start();
  autoplay.setPace("fast");
  assert.equal(wait(), PACES.fast);
});

test("the usual pace is slow for eyes that like less motion", () => {
  assert.deepEqual([paceOf(null, false), paceOf("toString", true), paceOf("fast", true)], ["normal", "slow", "fast"]);
});

test("it plays within a span at the calmest pace that fits, or else fast", () => {
  for (const [moves, pace] of /** @type {[number, string][]} */ ([
    [3, "normal"],
    [10, "normal"],
    [11, "fast"],
    [90, "fast"],
  ])) {
    const { autoplay: film } = world(moves);
    film.playWithin(10000, moves);
    assert.equal(film.pace, pace);
    assert.equal(film.isPlaying, true);
  }
});

test("more moves than the quickest pace shows in that span are shown within it, and then no longer", () => {
  const { autoplay, tick, at, wait } = world(90);
  autoplay.playWithin(10_000, 90);
  assert.equal(wait(), 111);
  tick();
  assert.deepEqual([at(), wait()], [1, 111]);
  autoplay.stop();
  autoplay.start();
  assert.equal(wait(), PACES.fast);
  const { autoplay: few, wait: waits } = world(25);
  few.playWithin(10_000, 25);
  assert.equal(waits(), PACES.fast);
});
