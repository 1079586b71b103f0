import assert from "node:assert/strict";
import test from "node:test";

import { ALONE, Lookout } from "../../../static/realtime/lookout.js";
import { FakeWorld } from "./world.js";

function looked() {
  const world = new FakeWorld();
  const it = { looks: 0 };
  return { world, it, lookout: new Lookout(() => (it.looks += 1), world) };
}

test("a page is not fetched at failed attempts, nor when its link comes back", () => {
  const { world, it, lookout } = looked();
  for (let time = 0; time < 5; time += 1) {
    lookout.tell("waits");
    for (let attempt = 0; attempt < 8; attempt += 1) {
      lookout.tell("gone");
      world.pass(ALONE / 10);
    }
    lookout.tell("open");
  }
  world.pass(10 * ALONE);
  assert.equal(it.looks, 0);
});

test("a page without a link looks by itself about once a minute", () => {
  for (const state of /** @type {const} */ (["gone", "crowded"])) {
    const { world, it, lookout } = looked();
    for (let count = 0; count < 5; count += 1) {
      for (let step = 0; step < 10; step += 1) {
        lookout.tell(state);
        world.pass(ALONE / 10);
      }
      assert.equal(it.looks, count + 1);
    }
  }
});

test("pages that are alone do not look together", () => {
  const { world, it, lookout } = looked();
  world.chance = () => 0;
  lookout.tell("gone");
  world.pass(ALONE / 2);
  assert.equal(it.looks, 1);
});

test("a page that nobody looks at waits until it is looked at", () => {
  const { world, it, lookout } = looked();
  world.isVisible = false;
  lookout.tell("gone");
  world.pass(3 * ALONE);
  lookout.wake();
  assert.equal(it.looks, 0);
  world.isVisible = true;
  lookout.wake();
  lookout.wake();
  assert.equal(it.looks, 1);
});

test("a page whose login has ended, or that is left, looks no more", () => {
  const ended = looked();
  ended.lookout.tell("gone");
  ended.lookout.tell("ended");
  const left = looked();
  left.lookout.tell("gone");
  left.lookout.stop();
  for (const { world, it } of [ended, left]) {
    world.pass(10 * ALONE);
    assert.equal(it.looks, 0);
  }
});
