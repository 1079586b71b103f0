import assert from "node:assert/strict";
import test from "node:test";

import { Hand } from "../../../static/play/hand.js";
import { DATA, SHAPES } from "../board/shapes.js";

const LYING = { piece: "2", form: 0, anchor: 7 };
const POSITION = { toPlay: "blue", colours: { blue: DATA } };

/**
 * @param {import("../../../static/board/lookup.js").PositionData} position
 */
function hand(position = POSITION) {
  const made = new Hand(SHAPES, () => {});
  made.read(position, "blue");
  return made;
}

test("a piece that is taken fits, and can be sent when its colour is to play", () => {
  const mine = hand();
  mine.choose("2");
  assert.equal(mine.fits, true);
  assert.match(mine.text, /^2:c2,/);
  const ahead = hand({ ...POSITION, toPlay: "yellow" });
  ahead.choose("2");
  assert.equal(ahead.fits, true);
  assert.equal(ahead.text, "");
});

test("a piece that fits nowhere is not taken, and that is said", () => {
  const mine = hand();
  mine.choose("X");
  assert.equal(mine.draft, null);
  assert.deepEqual([mine.news, mine.about], ["nowhere", "X"]);
});

test("a newer position keeps the piece, and says when its place is lost", () => {
  const mine = hand();
  mine.hold(LYING);
  mine.read({ ...POSITION, colours: { blue: { ...DATA, legal: { 2: { 1: [7] } } } } }, "blue");
  assert.deepEqual(mine.draft, LYING);
  assert.deepEqual([mine.news, mine.fits], ["lost", false]);
});

test("a newer position in which the piece fits nowhere puts it back, and says so", () => {
  const mine = hand();
  mine.hold(LYING);
  mine.read({ ...POSITION, colours: { blue: { ...DATA, legal: { V3: { 0: [7] } } } } }, "blue");
  assert.equal(mine.draft, null);
  assert.deepEqual([mine.news, mine.about], ["gone", "2"]);
});

test("a draft that was kept is taken up again, as far as it is still true", () => {
  const mine = hand();
  mine.restore({ colour: "blue", draft: LYING, didFit: true });
  assert.deepEqual([mine.draft, mine.news], [LYING, ""]);
  const other = hand({ ...POSITION, colours: { blue: { ...DATA, legal: { 2: { 1: [7] } } } } });
  other.restore({ colour: "blue", draft: LYING, didFit: true });
  assert.equal(other.news, "lost");
  const nothing = hand();
  nothing.restore({ colour: "red", draft: LYING, didFit: true });
  nothing.restore({ colour: "blue", draft: { ...LYING, piece: "nonsense" }, didFit: true });
  assert.equal(nothing.draft, null);
});

test("a tap at the same place brings the next placement there, a tap on the piece turns it", () => {
  const mine = hand();
  mine.hold({ piece: "2", form: 0, anchor: 0 });
  mine.tap([2.5, 1.5], 7);
  assert.deepEqual(mine.draft, LYING);
  mine.tap([2.6, 1.5], 7);
  assert.deepEqual(mine.draft, { ...LYING, form: 1 });
  mine.hold({ piece: "2", form: 0, anchor: 15 });
  mine.tap([0.5, 3.5], 15);
  assert.equal(mine.draft?.form, 1);
});

test("a drag tells of a change only when the piece comes to lie elsewhere", () => {
  let changes = 0;
  const mine = new Hand(SHAPES, () => (changes += 1));
  mine.read(POSITION, "blue");
  mine.hold(LYING);
  const before = changes;
  mine.drag(LYING, [0.2, 0.1]);
  assert.equal(changes, before);
  mine.drag(LYING, [1, 0]);
  assert.equal(changes, before + 1);
});

test("a drag does not bring back a piece that fits nowhere since a live update", () => {
  const mine = hand();
  mine.hold(LYING);
  mine.read({ ...POSITION, colours: { blue: { ...DATA, legal: { V3: { 0: [7] } } } } }, "blue");
  mine.drag(LYING, [1, 0]);
  assert.deepEqual([mine.draft, mine.news], [null, "gone"]);
  mine.putBack(LYING);
  assert.equal(mine.draft, null);
  const other = hand();
  other.putBack(LYING);
  assert.deepEqual(other.draft, LYING);
  other.putBack(null);
  assert.equal(other.draft, null);
});

test("a placement that the server names is held where it fits, and nothing else is", () => {
  const mine = hand();
  mine.choose("2");
  const named = mine.text;
  mine.hold(null);
  mine.holdText(named);
  assert.equal(mine.text, named);
  mine.holdText("2:a1,b1");
  mine.holdText("W:a1,a2,b2,b3,c3");
  assert.equal(mine.text, named);
});

test("nothing is named for somebody else's turn", () => {
  const mine = hand({ ...POSITION, toPlay: "yellow" });
  mine.holdText("2:c2,d2");
  assert.equal(mine.draft, null);
});

test("many steps are one change, and end where the board does", () => {
  let changes = 0;
  const mine = new Hand(SHAPES, () => (changes += 1));
  mine.read(POSITION, "blue");
  mine.hold({ piece: "2", form: 0, anchor: 6 });
  const before = changes;
  mine.nudge([1, 0], 99);
  assert.deepEqual([mine.draft?.anchor, changes], [8, before + 1]);
  mine.nudge([0, -1]);
  assert.equal(mine.draft?.anchor, 3);
});
