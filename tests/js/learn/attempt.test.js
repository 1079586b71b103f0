import assert from "node:assert/strict";
import test from "node:test";

import { heldIn, movedTo, sentenceOf, tapped, turned } from "../../../static/learn/attempt.js";
import { lookup } from "../board/shapes.js";

const CORNER = { piece: "V3", form: 0, anchor: 7 };

test("a piece goes where it is told, whether it fits there or not", () => {
  const moved = movedTo(lookup(), CORNER, [0.5, 0.5]);
  assert.deepEqual(moved, { piece: "V3", form: 0, anchor: 0 });
  assert.equal(lookup().fits(moved), false);
});

test("four turns and two flips bring it back", () => {
  for (const ways of [new Array(4).fill("right"), new Array(4).fill("left"), ["flip", "flip"], ["left", "right"]]) {
    assert.deepEqual(
      ways.reduce((held, way) => turned(lookup(), held, way), CORNER),
      CORNER,
    );
  }
});

test("a turned piece stays on the board", () => {
  assert.deepEqual(turned(lookup(), { piece: "2", form: 1, anchor: 9 }, "right"), { piece: "2", form: 0, anchor: 8 });
});

test("a tap beside the piece moves it there, one on it turns it", () => {
  assert.equal(tapped(lookup(), CORNER, 0).anchor, 0);
  assert.deepEqual(tapped(lookup(), CORNER, 8), { ...CORNER, form: 1 });
});

test("the piece is read from what the server has drawn", () => {
  assert.deepEqual(heldIn({ piece: "V3", form: "0", anchor: "7" }), CORNER);
  assert.equal(heldIn({}), null);
});

test("the first reason is said in the server's words, else that it fits", () => {
  assert.equal(sentenceOf(lookup(), CORNER, "It fits."), "It fits.");
  assert.equal(sentenceOf(lookup(), { ...CORNER, anchor: 12 }, "It fits."), "No corner.");
  assert.equal(sentenceOf(lookup(), { ...CORNER, anchor: 0 }, "It fits."), "Taken: a1, b1.");
});
