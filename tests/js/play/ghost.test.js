import assert from "node:assert/strict";
import test from "node:test";

import { cellAt, inEach, outlineOf } from "../../../static/play/ghost.js";
import { lookup } from "./shapes.js";

test("a tap in the picture is a cell, counted from the bottom", () => {
  assert.equal(cellAt(0, 39, 5, 4), 0);
  assert.equal(cellAt(49.9, 0, 5, 4), 19);
  assert.equal(cellAt(25, 15, 5, 4), 12);
});

test("a tap beside the board is no cell", () => {
  for (const [x, y] of [[-1, 5], [5, -1], [50, 5], [5, 40]]) assert.equal(cellAt(x ?? 0, y ?? 0, 5, 4), null);
});

test("commands are repeated in each cell", () => {
  assert.equal(inEach([[0, 0], [4, 3]], 4, "m5 5h0"), "M0 30m5 5h0M40 0m5 5h0");
});

test("an outline begins at the lower left corner of its box", () => {
  assert.equal(outlineOf(lookup(), { piece: "2", form: 0, anchor: 7 }), "M20 30v-10h20v10z");
});
