import assert from "node:assert/strict";
import { test } from "node:test";

import { leadsAway, Progress, SLOW } from "../../../static/site/progress.js";
import { FakeWorld } from "../realtime/world.js";

/** Return a progress, its world, and what it has shown. */
function watched() {
  const world = new FakeWorld();
  /** @type {boolean[]} */
  const shown = [];
  return { world, shown, progress: new Progress((isBusy) => void shown.push(isBusy), world) };
}

test("what is quick is not seen", () => {
  const { world, shown, progress } = watched();
  progress.begin("one");
  world.pass(SLOW - 1);
  progress.end("one");
  world.pass(SLOW);
  assert.deepEqual(shown, [false]);
});

test("what is slow is seen until all of it is done", () => {
  const { world, shown, progress } = watched();
  progress.begin("one");
  world.pass(SLOW / 2);
  progress.begin("two");
  world.pass(SLOW / 2);
  assert.deepEqual(shown, [true]);
  progress.end("one");
  assert.deepEqual(shown, [true]);
  progress.end("two");
  assert.deepEqual(shown, [true, false]);
});

test("the end of what was not begun changes nothing", () => {
  const { shown, progress } = watched();
  progress.begin("one");
  progress.end("other");
  assert.deepEqual([shown, progress.under.size], [[], 1]);
});

const click = { button: 0, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const link = { href: "http://site/games/", target: "", hasAttribute: () => false };

test("only a plain click on a link to another page leads away", () => {
  assert.equal(leadsAway(click, link, "http://site/"), true);
  assert.equal(leadsAway({ ...click, ctrlKey: true }, link, "http://site/"), false);
  assert.equal(leadsAway({ ...click, button: 1 }, link, "http://site/"), false);
  assert.equal(leadsAway(click, { ...link, target: "_blank" }, "http://site/"), false);
  assert.equal(leadsAway(click, { ...link, hasAttribute: () => true }, "http://site/"), false);
  assert.equal(leadsAway(click, { ...link, href: "http://site/#main" }, "http://site/"), false);
  assert.equal(leadsAway(click, { ...link, href: "mailto:a@example.org" }, "http://site/"), false);
});
