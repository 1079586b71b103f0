import assert from "node:assert/strict";
import test from "node:test";

import { commandOf, leafAfter } from "../../../static/replay/leaf.js";

const plain = { altKey: false, ctrlKey: false, metaKey: false };

test("leaves turn one by one and stop at both ends", () => {
  assert.equal(leafAfter("forward", 3, 9), 4);
  assert.equal(leafAfter("forward", 9, 9), 9);
  assert.equal(leafAfter("back", 3, 9), 2);
  assert.equal(leafAfter("back", 0, 9), 0);
});

test("first, last and any number are one step away", () => {
  assert.equal(leafAfter("first", 5, 9), 0);
  assert.equal(leafAfter("last", 5, 9), 9);
  assert.equal(leafAfter("7", 5, 9), 7);
  assert.equal(leafAfter("77", 5, 9), 9);
});

test("nonsense stays where it is", () => {
  assert.equal(leafAfter("sideways", 5, 9), 5);
});

test("arrows, Home and End turn the leaves", () => {
  const commands = ["ArrowLeft", "ArrowRight", "Home", "End", "a"].map((key) => commandOf({ key, ...plain }));
  assert.deepEqual(commands, ["back", "forward", "first", "last", undefined]);
});

test("keys held with another one are the browser's", () => {
  assert.equal(commandOf({ key: "ArrowLeft", ...plain, altKey: true }), undefined);
});
