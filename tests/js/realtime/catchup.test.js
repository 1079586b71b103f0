import assert from "node:assert/strict";
import test from "node:test";

import { AGAIN, CatchUp } from "../../../static/realtime/catchup.js";
import { FakeWorld } from "./world.js";

/** A page at version 1 of a game, whose fetches arrive only when the test says so. */
function page() {
  const world = new FakeWorld();
  const it = { shown: 1, server: 1, fetches: 0 };
  const catchUp = new CatchUp(() => it.shown, () => (it.fetches += 1), world);
  const arrive = () => (it.shown = Math.max(it.shown, it.server));
  return { world, it, catchUp, arrive };
}

test("a newer version is fetched once", () => {
  const { world, it, catchUp, arrive } = page();
  it.server = 2;
  catchUp.hear(2);
  catchUp.hear(2);
  arrive();
  catchUp.hear(2);
  world.pass(10 * AGAIN);
  assert.equal(it.fetches, 1);
});

test("an old version or the same fetches nothing", () => {
  const { it, catchUp } = page();
  for (const version of [0, 1, 1, -5, NaN]) catchUp.hear(version);
  assert.equal(it.fetches, 0);
});

test("a fetch that got lost is repeated, less and less often, until it arrives", () => {
  const { world, it, catchUp, arrive } = page();
  it.server = 2;
  catchUp.hear(2);
  world.pass(AGAIN);
  assert.equal(it.fetches, 2);
  world.pass(2 * AGAIN - 1);
  assert.equal(it.fetches, 2);
  world.pass(1);
  assert.equal(it.fetches, 3);
  arrive();
  world.pass(1_000_000);
  assert.equal(it.fetches, 3);
});

test("a page that goes stops fetching", () => {
  const { world, it, catchUp } = page();
  catchUp.hear(2);
  catchUp.stop();
  world.pass(1_000_000);
  assert.equal(it.fetches, 1);
});

/** @param {number} seed */
function dice(seed) {
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
}

test("messages and answers lost, doubled and reordered at random end in the right page", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const { world, it, catchUp, arrive } = page();
    const chance = dice(seed);
    /** @type {number[]} */
    let inFlight = [];
    for (let move = 0; move < 40; move += 1) {
      it.server += 1;
      if (chance() > 0.2) inFlight.push(it.server);
      if (chance() < 0.2) inFlight.push(it.server);
      if (chance() < 0.5) {
        inFlight.sort(() => chance() - 0.5);
        for (const version of inFlight) catchUp.hear(version);
        inFlight = [];
      }
      if (chance() < 0.3) arrive();
      world.pass(chance() * 1000);
    }
    catchUp.hear(it.server); // the next heartbeat
    const before = it.fetches;
    if (it.shown < it.server) {
      world.pass(30_000);
      assert.ok(it.fetches > before, `seed ${seed}: nothing was fetched`);
      arrive();
    }
    assert.equal(it.shown, it.server);
    const settled = it.fetches;
    world.pass(1_000_000);
    assert.ok(it.fetches <= settled, `seed ${seed}: fetching did not end`);
  }
});
