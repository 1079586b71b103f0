import assert from "node:assert/strict";
import test from "node:test";

import { stepOnBoard, turned, uprightMarks } from "../../../static/board/view.js";

/** @type {import("../../../static/board/lookup.js").Point} */
const SIZE = [40, 20];

test("a quarter turn takes the top to the right, and four lead back", () => {
  assert.deepEqual(turned([20, 0], 1, SIZE), [30, 10]);
  assert.deepEqual(turned([0, 0], 2, SIZE), [40, 20]);
  assert.deepEqual(turned([3, 4], 4, SIZE), [3, 4]);
  assert.deepEqual(turned(turned([3, 4], 1, SIZE), -1, SIZE), [3, 4]);
});

test("a step that is seen is a step of the board below", () => {
  assert.deepEqual(stepOnBoard([1, 0], 0), [1, 0]);
  assert.deepEqual(stepOnBoard([1, 0], 2), [-1, 0]);
  // Turned clockwise the board's top lies at the right.
  assert.deepEqual(stepOnBoard([1, 0], 1), [0, 1]);
  assert.deepEqual(stepOnBoard([0, 1], 1), [-1, 0]);
  assert.deepEqual(stepOnBoard([0, 1], 3), [1, 0]);
});

test("marks keep their shape and go where their cells go", () => {
  assert.equal(uprightMarks("M5 15m-2 0h4M-5 2.5h0", 1, [0, 0]), "M-15 5m-2 0h4M-2.5 -5h0");
  assert.equal(uprightMarks("M5 15m-2 0h4", 0, [0, 0]), "M5 15m-2 0h4");
});
