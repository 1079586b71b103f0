import assert from "node:assert/strict";
import test from "node:test";

import { titled } from "../../../static/realtime/title.js";
import { APART, ListWatch } from "../../../static/realtime/watch.js";
import { FakeWorld } from "./world.js";

function watched() {
  const world = new FakeWorld();
  const it = { questions: 0, answers: /** @type {any[]} */ ([]) };
  const watch = new ListWatch(
    () => (it.questions += 1),
    (version) => it.answers.push(version),
    world,
  );
  return { world, it, watch };
}

test("a nudge makes the page ask, and the answer is passed on", () => {
  const { it, watch } = watched();
  watch.hear({ type: "list" });
  assert.equal(it.questions, 1);
  watch.hear({ type: "list", version: "1.2.3" });
  assert.deepEqual(it.answers, ["1.2.3"]);
  assert.equal(watch.version, "1.2.3");
});

test("many nudges are few questions, and the last nudge is not forgotten", () => {
  const { world, it, watch } = watched();
  for (let count = 0; count < 100; count += 1) {
    watch.hear({ type: "list" });
    world.pass(50);
  }
  assert.equal(it.questions, 3);
  world.pass(APART);
  assert.equal(it.questions, 4);
  world.pass(100 * APART);
  assert.equal(it.questions, 4);
  watch.hear({ type: "list" });
  assert.equal(it.questions, 5);
});

test("what is about a game is left alone", () => {
  const { it, watch } = watched();
  watch.hear({ type: "version", version: 3 });
  assert.equal(it.questions, 0);
  assert.deepEqual(it.answers, []);
});

test("the tab's title counts the games that wait", () => {
  assert.equal(titled("My games", 3), "(3) My games");
  assert.equal(titled("(3) My games", 12), "(12) My games");
  assert.equal(titled("(12) My games", 0), "My games");
});
