import assert from "node:assert/strict";
import test from "node:test";
import { Lookup } from "../../../static/board/lookup.js";
import { counts, heat, LEVELS } from "../../../static/play/hints.js";
import { DATA, lookup, SHAPES } from "../board/shapes.js";

test("each piece that fits has the number of its placements", () => {
  assert.deepEqual(
    [...counts(lookup())],
    [
      ["2", 2],
      ["V3", 2],
    ],
  );
});

test("a cell is the hotter the more placements cover it", () => {
  // c2 is in all four, c3 in three, d2 in two, b2 in one.
  const levels = heat(lookup());
  assert.equal(levels.length, LEVELS);
  assert.deepEqual(levels[LEVELS - 1], [7, 12]);
  const cold = levels
    .slice(0, -1)
    .flat()
    .sort((a, b) => a - b);
  assert.deepEqual(cold, [6, 8]);
});

test("a colour without placements has no heat and no counts", () => {
  const blocked = new Lookup(SHAPES, { ...DATA, legal: {} });
  assert.deepEqual(heat(blocked).flat(), []);
  assert.equal(counts(blocked).size, 0);
});
