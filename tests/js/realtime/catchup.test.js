import assert from "node:assert/strict";
import test from "node:test";

import { AGAIN, CatchUp, HELD, SOON } from "../../../static/realtime/catchup.js";
import { FakeWorld } from "./world.js";

/** A page at version 1 of a game, whose fetches arrive only when the test says so. */
function page() {
  const world = new FakeWorld();
  const it = { shown: 1, server: 1, fetches: 0 };
  const catchUp = new CatchUp(
    () => it.shown,
    () => (it.fetches += 1),
    world,
  );
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

test("a version whose fetch got lost is fetched soon after it is heard of again, once", () => {
  const { world, it, catchUp } = page();
  catchUp.hear(2);
  world.pass(AGAIN - 1);
  catchUp.hear(2);
  world.pass(1 + 2 * AGAIN);
  assert.equal(it.fetches, 3);
  catchUp.hear(2);
  catchUp.hear(2);
  world.pass(SOON);
  assert.equal(it.fetches, 4);
  world.pass(8 * AGAIN - 1);
  assert.equal(it.fetches, 4);
  world.pass(1);
  assert.equal(it.fetches, 5);
});

test("a page that goes stops fetching", () => {
  const { world, it, catchUp } = page();
  catchUp.hear(2);
  catchUp.stop();
  world.pass(1_000_000);
  assert.equal(it.fetches, 1);
});

test("what a form under way brings itself is not fetched", () => {
  const { world, it, catchUp, arrive } = page();
  const form = {};
  catchUp.hold(form);
  it.server = 2;
  catchUp.hear(2);
  arrive();
  catchUp.release(form);
  world.pass(1_000_000);
  assert.equal(it.fetches, 0);
});

test("what the answer to a form does not bring is fetched as soon as it is there", () => {
  const { it, catchUp } = page();
  const form = {};
  catchUp.hold(form);
  for (const version of [2, 3]) catchUp.hear(version);
  it.shown = 2; // a bot has answered in between
  assert.equal(it.fetches, 0);
  catchUp.release(form);
  assert.equal(it.fetches, 1);
});

test("a form that fails holds nothing any longer", () => {
  const { it, catchUp } = page();
  const form = {};
  catchUp.hold(form);
  catchUp.hear(2);
  catchUp.release(form);
  assert.equal(it.fetches, 1);
  catchUp.hear(3);
  assert.equal(it.fetches, 2);
});

test("a form that is never answered is not waited for long", () => {
  const { world, it, catchUp } = page();
  catchUp.hold({});
  catchUp.hear(2);
  world.pass(HELD - 1);
  assert.equal(it.fetches, 0);
  world.pass(1);
  assert.equal(it.fetches, 1);
});

test("of two forms the last to end counts, and each only once", () => {
  const { world, it, catchUp } = page();
  const [first, second] = [{}, {}];
  for (const form of [first, second]) catchUp.hold(form);
  catchUp.hear(2);
  for (const form of [first, first]) catchUp.release(form);
  assert.equal(it.fetches, 0);
  catchUp.release(second);
  assert.equal(it.fetches, 1);
  catchUp.release(second);
  world.pass(AGAIN - 1);
  assert.equal(it.fetches, 1);
});

test("a fetch that got lost before the form is repeated after it", () => {
  const { world, it, catchUp } = page();
  catchUp.hear(2);
  catchUp.hold({});
  world.pass(HELD - 1);
  assert.equal(it.fetches, 1);
  world.pass(1);
  assert.equal(it.fetches, 2);
});

test("a page that goes holds nothing either", () => {
  const { world, it, catchUp } = page();
  catchUp.hold({});
  catchUp.hear(2);
  catchUp.stop();
  world.pass(1_000_000);
  assert.equal(it.fetches, 0);
});

/** @param {number} seed */
function dice(seed) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/**
 * Begin forms and end them, some twice, and some never.
 *
 * @param {import("../../../static/realtime/catchup.js").CatchUp} catchUp
 * @param {object[]} forms under way
 * @param {() => number} chance
 */
function submit(catchUp, forms, chance) {
  if (chance() < 0.3) forms.push({});
  if (chance() < 0.3) catchUp.hold(forms.at(-1) ?? {});
  if (chance() < 0.3) catchUp.release(forms.shift() ?? {});
}

/**
 * Play forty moves over a bad network: messages and answers are lost, doubled and come in any order.
 *
 * @param {ReturnType<typeof page>} page
 * @param {() => number} chance
 */
function storm({ world, it, catchUp, arrive }, chance) {
  /** @type {number[]} */
  let inFlight = [];
  /** @type {object[]} */
  const forms = [];
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
    submit(catchUp, forms, chance);
    world.pass(chance() * 1000);
  }
}

test("messages, answers and forms lost, doubled and reordered at random end in the right page", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const opened = page();
    const { world, it, catchUp, arrive } = opened;
    storm(opened, dice(seed));
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
