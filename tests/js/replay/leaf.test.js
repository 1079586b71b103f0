import assert from "node:assert/strict";
import test from "node:test";

import { belongsTo, commandOf, leafAfter } from "../../../static/replay/leaf.js";

const plain = { altKey: false, ctrlKey: false, metaKey: false };

/**
 * Return an element that is matched by these selectors' first words.
 *
 * @param {RegExp} kind
 * @returns {Element}
 */
function element(kind) {
  return /** @type {any} */ ({
    matches: (/** @type {string} */ selector) => selector.split(", ").some((one) => kind.test(one)),
  });
}

test("leaves turn one by one and stop at both ends", () => {
  assert.equal(leafAfter("forward", 3, 9), 4);
  assert.equal(leafAfter("forward", 9, 9), 9);
  assert.equal(leafAfter("back", 3, 9), 2);
  assert.equal(leafAfter("back", 0, 9), 0);
});

test("ten leaves at once, as far as there are so many", () => {
  assert.deepEqual([leafAfter("more", 3, 40), leafAfter("more", 35, 40)], [13, 40]);
  assert.deepEqual([leafAfter("less", 33, 40), leafAfter("less", 5, 40)], [23, 0]);
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

test("arrows, Home, End and Page keys turn the leaves", () => {
  const keys = ["ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown", "a"];
  const commands = keys.map((key) => commandOf({ key, ...plain }));
  assert.deepEqual(commands, ["back", "forward", "first", "last", "less", "more", undefined]);
});

test("letters do the same unless they are switched off", () => {
  const keys = ["h", "l", "j", "k", " "];
  assert.deepEqual(
    keys.map((key) => commandOf({ key, ...plain })),
    ["back", "forward", "less", "more", "play"],
  );
  assert.deepEqual(
    keys.map((key) => commandOf({ key, ...plain }, false)),
    keys.map(() => undefined),
  );
});

test("keys held with another one are the browser's", () => {
  assert.equal(commandOf({ key: "ArrowLeft", ...plain, altKey: true }), undefined);
  assert.equal(commandOf({ key: "l", ...plain, ctrlKey: true }), undefined);
  assert.equal(commandOf({ key: " ", ...plain, metaKey: true }), undefined);
});

test("what is typed, slid, pressed or scrolled stays with its element", () => {
  const [text, slider, button, box] = [/^input$/, /^\[type=range\]$/, /^button$/, /^\[tabindex/].map(element);
  const keys = ["l", " ", "ArrowLeft"];
  const kept = [text, slider, button, box, null].map((one) =>
    keys.map((key) => belongsTo(one ?? null, { key, ...plain })),
  );
  assert.deepEqual(kept, [
    [true, true, true],
    [false, false, true],
    [false, true, false],
    [false, true, true],
    [false, false, false],
  ]);
});
