import assert from "node:assert/strict";
import test from "node:test";

import {
  again,
  drag,
  isSame,
  keep,
  moveTo,
  next,
  nudge,
  reform,
  rest,
  take,
  turn,
} from "../../../static/board/draft.js";
import { Lookup } from "../../../static/board/lookup.js";
import { DATA, lookup, SHAPES, TRIANGLES } from "./shapes.js";

const LYING = { piece: "2", form: 0, anchor: 7 };
const STANDING = { piece: "2", form: 1, anchor: 7 };

test("a piece from the tray appears where it fits nearest", () => {
  assert.deepEqual(take(lookup(), "V3", [4.5, 3.5]), { piece: "V3", form: 0, anchor: 7 });
  assert.deepEqual(take(lookup(), "V3", [0.5, 0.5]), { piece: "V3", form: 3, anchor: 6 });
});

test("a piece that fits nowhere does not appear", () => {
  assert.equal(take(new Lookup(SHAPES, { ...DATA, legal: {} }), "2", [2, 2]), null);
});

/**
 * @param {import("../../../static/board/lookup.js").Placement} draft
 * @param {number} cell
 */
function tapped(draft, cell) {
  return moveTo(lookup(), draft, lookup().spot(cell), cell);
}

test("a tap brings the piece to a place that covers the cell, as it is turned if it can", () => {
  assert.deepEqual(tapped({ piece: "2", form: 1, anchor: 0 }, 7), STANDING);
  assert.deepEqual(tapped({ piece: "2", form: 0, anchor: 0 }, 7), LYING);
});

test("a tap on a corner that only another form can cover turns the piece", () => {
  assert.deepEqual(tapped({ piece: "V3", form: 1, anchor: 0 }, 7).anchor, 7);
});

test("a tap beside a corner keeps the form and slides to where it fits", () => {
  assert.deepEqual(tapped({ piece: "2", form: 0, anchor: 0 }, 12), LYING);
  assert.deepEqual(tapped(LYING, 3), LYING);
});

test("a tap far from everything that this form can take turns the piece rather than miss the cell", () => {
  const far = new Lookup(SHAPES, { ...DATA, legal: { 2: { 0: [0], 1: [14] } } });
  assert.deepEqual(moveTo(far, { piece: "2", form: 0, anchor: 0 }, far.spot(19), 19), {
    piece: "2",
    form: 1,
    anchor: 14,
  });
});

test("every further tap at the cell brings the next place that covers it", () => {
  const second = again(lookup(), LYING, lookup().spot(7), 7);
  assert.deepEqual(second, STANDING);
  assert.deepEqual(again(lookup(), STANDING, lookup().spot(7), 7), LYING);
  assert.deepEqual(again(lookup(), LYING, lookup().spot(15), 15), LYING);
});

test("a tap far from everything puts the piece there, where it does not fit", () => {
  const moved = tapped(LYING, 15);
  assert.deepEqual(moved, { piece: "2", form: 0, anchor: 15 });
  assert.equal(lookup().fits(moved), false);
});

test("a drag moves the piece by as much as the finger, and no further than the board", () => {
  assert.deepEqual(drag(lookup(), LYING, [1.2, 0.8]), { ...LYING, anchor: 13 });
  assert.deepEqual(drag(lookup(), LYING, [-9, -9]), { ...LYING, anchor: 0 });
});

test("a piece that is let go slides to where it fits if that is beside it, and stays where it is if not", () => {
  assert.deepEqual(rest(lookup(), { ...LYING, anchor: 12 }), LYING);
  assert.deepEqual(rest(lookup(), { ...LYING, anchor: 15 }), { ...LYING, anchor: 15 });
  assert.equal(rest(lookup(), LYING), LYING);
});

test("a step moves the piece by one cell and ends at the side of the board", () => {
  assert.equal(nudge(lookup(), LYING, [1, 0]).anchor, 8);
  assert.equal(nudge(lookup(), LYING, [0, -1]).anchor, 2);
  const right = { ...LYING, anchor: 8 };
  assert.equal(nudge(lookup(), right, [1, 0]), right);
  assert.equal(nudge(lookup(), { ...LYING, anchor: 2 }, [0, -1]).anchor, 2);
});

test("triangles step along a row by two and up by swinging", () => {
  const triangles = new Lookup(TRIANGLES, { legal: {}, checks: [] });
  assert.equal(nudge(triangles, { piece: "1", form: 0, anchor: 0 }, [1, 0]).anchor, 2);
  const up = nudge(triangles, { piece: "1", form: 0, anchor: 0 }, [0, 1]);
  assert.equal(up.anchor, 5);
  assert.equal(nudge(triangles, up, [0, -1]).anchor, 0);
});

test("next and previous go round every place where the piece fits", () => {
  const places = [
    { piece: "V3", form: 0, anchor: 7 },
    { piece: "V3", form: 3, anchor: 6 },
  ];
  assert.deepEqual(next(lookup(), { piece: "V3", form: 0, anchor: 7 }, 1), places[1]);
  assert.deepEqual(next(lookup(), { piece: "V3", form: 3, anchor: 6 }, 1), places[0]);
  assert.deepEqual(next(lookup(), { piece: "V3", form: 0, anchor: 7 }, -1), places[1]);
  assert.deepEqual(next(lookup(), { piece: "V3", form: 1, anchor: 0 }, 1), places[1]);
  assert.deepEqual(next(lookup(), { piece: "V3", form: 1, anchor: 0 }, -1), places[0]);
});

test("another form is taken about the middle", () => {
  assert.deepEqual(reform(lookup(), LYING, 1), STANDING);
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
