import assert from "node:assert/strict";
import test from "node:test";

import { pieceNamed, walked, wishOf } from "../../../static/board/keys.js";

/**
 * @param {string} key
 * @param {object} held
 */
function stroke(key, held = {}) {
  return { key, shiftKey: false, altKey: false, ctrlKey: false, metaKey: false, ...held };
}

test("every key asks for what the list of keys says", () => {
  /** @type {[string, object][]} */
  const expected = [
    ["ArrowLeft", { step: [-1, 0] }],
    ["ArrowUp", { step: [0, 1] }],
    ["PageDown", { step: [0, -5] }],
    ["Home", { step: [-99, 0] }],
    ["r", { name: "right" }],
    ["R", { name: "left" }],
    ["f", { name: "flip" }],
    ["F", { name: "flip" }],
    ["n", { name: "next" }],
    ["p", { name: "previous" }],
    ["Enter", { name: "place" }],
    ["Escape", { name: "cancel" }],
    ["/", { name: "pick" }],
    ["?", { name: "keys" }],
    ["l", { name: "list" }],
    ["s", { name: "scores" }],
    ["b", { name: "board" }],
  ];
  for (const [key, wish] of expected) assert.deepEqual([key, wishOf(stroke(key), true)], [key, wish]);
});

test("Ctrl leads into a corner, and otherwise belongs to the browser, as Alt does", () => {
  assert.deepEqual(wishOf(stroke("Home", { ctrlKey: true }), true), { step: [-99, 99] });
  assert.deepEqual(wishOf(stroke("End", { ctrlKey: true }), true), { step: [99, -99] });
  assert.equal(wishOf(stroke("r", { ctrlKey: true }), true), null);
  assert.equal(wishOf(stroke("ArrowLeft", { altKey: true }), true), null);
});

test("single letters and signs can be switched off, keys with a name cannot", () => {
  for (const key of ["r", "R", "f", "n", "p", "l", "s", "b", "z", "t", "?", "/"])
    assert.equal(wishOf(stroke(key), false), null);
  for (const key of ["ArrowLeft", "Enter", "Escape", "Home"]) assert.notEqual(wishOf(stroke(key), false), null);
});

test("a piece is taken by its name in any case, or by a beginning that only one has", () => {
  const pieces = ["I5", "I4", "L5", "W", "1"];
  assert.equal(pieceNamed(" i5 ", pieces), "I5");
  assert.equal(pieceNamed("l", pieces), "L5");
  assert.equal(pieceNamed("i", pieces), null);
  assert.equal(pieceNamed("x", pieces), null);
  assert.equal(pieceNamed("", pieces), null);
});

test("arrows walk through the tray row by row and stop at its ends", () => {
  assert.equal(walked(0, [1, 0], 21, 7), 1);
  assert.equal(walked(1, [0, -1], 21, 7), 8);
  assert.equal(walked(8, [0, 1], 21, 7), 1);
  assert.equal(walked(0, [-1, 0], 21, 7), 0);
  assert.equal(walked(20, [0, -1], 21, 7), 20);
  assert.equal(walked(5, [99, 0], 21, 7), 20);
  assert.equal(walked(5, [-99, 0], 21, 7), 0);
});
