import assert from "node:assert/strict";
import test from "node:test";

import { isSame, keep, moveTo, take, turn } from "../../../static/play/draft.js";
import { DATA, lookup, SHAPES } from "./shapes.js";
import { Lookup } from "../../../static/play/lookup.js";

const LYING = { piece: "2", form: 0, anchor: 7 };
const STANDING = { piece: "2", form: 1, anchor: 7 };

test("a piece from the tray appears where it fits nearest", () => {
  assert.deepEqual(take(lookup(), "V3", [4.5, 3.5]), { piece: "V3", form: 0, anchor: 7 });
  assert.deepEqual(take(lookup(), "V3", [0.5, 0.5]), { piece: "V3", form: 3, anchor: 6 });
});

test("a piece that fits nowhere does not appear", () => {
  assert.equal(take(new Lookup(SHAPES, { ...DATA, legal: {} }), "2", [2, 2]), null);
});

test("a tap brings the piece to a place that covers the cell, as it is turned if it can", () => {
  assert.deepEqual(moveTo(lookup(), { piece: "2", form: 1, anchor: 0 }, 7), STANDING);
  assert.deepEqual(moveTo(lookup(), { piece: "2", form: 0, anchor: 0 }, 7), LYING);
});

test("a tap on a cell that only another form can cover turns the piece", () => {
  assert.deepEqual(moveTo(lookup(), { piece: "2", form: 0, anchor: 0 }, 12), STANDING);
});

test("every further tap on the cell brings the next place that covers it", () => {
  const second = moveTo(lookup(), LYING, 7);
  assert.deepEqual(second, STANDING);
  assert.deepEqual(moveTo(lookup(), second, 7), LYING);
});

test("a tap close by slides to where the piece fits", () => {
  assert.deepEqual(moveTo(lookup(), LYING, 3), LYING);
});

test("a tap far from everything puts the piece there, where it does not fit", () => {
  const moved = moveTo(lookup(), LYING, 15);
  assert.deepEqual(moved, { piece: "2", form: 0, anchor: 15 });
  assert.equal(lookup().fits(moved), false);
});

test("turning goes by the server's table", () => {
  assert.equal(turn(lookup(), { piece: "V3", form: 0, anchor: 17 }, "right").form, 1);
  assert.equal(turn(lookup(), { piece: "V3", form: 0, anchor: 17 }, "left").form, 3);
  assert.equal(turn(lookup(), { piece: "V3", form: 1, anchor: 17 }, "flip").form, 2);
});

test("a turned piece slides to where it fits", () => {
  assert.deepEqual(turn(lookup(), LYING, "right"), STANDING);
});

test("four turns in the open lead back", () => {
  let draft = { piece: "V3", form: 2, anchor: 17 };
  for (let count = 0; count < 4; count += 1) draft = turn(lookup(), draft, "right");
  assert.equal(draft.form, 2);
});

test("a newer position keeps the piece in the hand while it fits somewhere", () => {
  assert.equal(keep(lookup(), LYING), LYING);
  assert.equal(keep(new Lookup(SHAPES, { ...DATA, legal: {} }), LYING), null);
});

test("placements are the same by what they are", () => {
  assert.equal(isSame(LYING, { ...LYING }), true);
  assert.equal(isSame(LYING, STANDING), false);
});
