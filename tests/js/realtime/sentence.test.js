import assert from "node:assert/strict";
import test from "node:test";

import { SAID, Sentence, UNSAID } from "../../../static/realtime/sentence.js";
import { FakeWorld } from "./world.js";

function said() {
  const world = new FakeWorld();
  /** @type {string[]} */
  const shown = [];
  return { world, shown, sentence: new Sentence((name) => shown.push(name), world) };
}

test("a short loss is not worth a sentence", () => {
  const { world, shown, sentence } = said();
  sentence.tell("open");
  sentence.tell("gone");
  world.pass(UNSAID - 1);
  sentence.tell("open");
  world.pass(10 * UNSAID);
  assert.deepEqual(shown, []);
});

test("a longer loss is said once, its end too, and then nothing", () => {
  const { world, shown, sentence } = said();
  for (let count = 0; count < 9; count += 1) {
    sentence.tell("gone");
    world.pass(1000);
  }
  assert.deepEqual(shown, ["gone"]);
  sentence.tell("open");
  world.pass(SAID);
  assert.deepEqual(shown, ["gone", "back", ""]);
});

test("a link that waits for its turn is not worth a sentence, until it fails", () => {
  const { world, shown, sentence } = said();
  sentence.tell("open");
  sentence.tell("waits");
  world.pass(10 * UNSAID);
  assert.deepEqual(shown, []);
  sentence.tell("gone");
  world.pass(UNSAID);
  sentence.tell("open");
  assert.deepEqual(shown, ["gone", "back"]);
});

test("a loss just after the return is said again", () => {
  const { world, shown, sentence } = said();
  sentence.tell("gone");
  world.pass(UNSAID);
  sentence.tell("open");
  world.pass(1);
  sentence.tell("gone");
  world.pass(UNSAID);
  assert.deepEqual(shown, ["gone", "back", "gone"]);
});

test("too many pages are said at once, and that one is followed again", () => {
  const { shown, sentence } = said();
  sentence.tell("crowded");
  sentence.tell("open");
  assert.deepEqual(shown, ["crowded", "back"]);
});

test("an ended login is said at once", () => {
  const { shown, sentence } = said();
  sentence.tell("open");
  sentence.tell("ended");
  assert.deepEqual(shown, ["ended"]);
});

test("a device that knows to be offline is believed at once", () => {
  const { world, shown, sentence } = said();
  sentence.tell("gone");
  sentence.tell("gone", true);
  assert.deepEqual(shown, ["gone"]);
  world.pass(10 * UNSAID);
  sentence.tell("open");
  assert.deepEqual(shown, ["gone", "back"]);
});
