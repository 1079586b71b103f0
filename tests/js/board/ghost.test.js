import assert from "node:assert/strict";
import test from "node:test";

import { cellAt, inEach, outlineOf } from "../../../static/board/ghost.js";
import { Lookup } from "../../../static/board/lookup.js";
import { lookup, SHAPES, TRIANGLES } from "./shapes.js";

test("a tap in the picture is a cell, counted from the bottom", () => {
  assert.equal(cellAt(0, 39, SHAPES), 0);
  assert.equal(cellAt(49.9, 0.1, SHAPES), 19);
  assert.equal(cellAt(25, 15, SHAPES), 12);
});

test("a tap beside the board is no cell", () => {
  for (const [x, y] of [
    [-1, 5],
    [5, -1],
    [50, 5],
    [5, 40],
  ])
    assert.equal(cellAt(x ?? 0, y ?? 0, SHAPES), null);
});

test("a tap finds the triangle it falls in, whichever column that begins in", () => {
  assert.equal(cellAt(12, 12, TRIANGLES), 1);
  assert.equal(cellAt(18, 18, TRIANGLES), 2);
  assert.equal(cellAt(13.5, 18, TRIANGLES), 2);
  assert.equal(cellAt(16.5, 12, TRIANGLES), 1);
  assert.equal(cellAt(23, 12, TRIANGLES), 3);
  assert.equal(cellAt(29.5, 19.5, TRIANGLES), null);
});

test("commands are repeated in each cell", () => {
  assert.equal(
    inEach(
      SHAPES,
      [
        [0, 0],
        [4, 3],
      ],
      () => "h0",
    ),
    "M5 35h0M45 5h0",
  );
  assert.equal(
    inEach(
      TRIANGLES,
      [
        [1, 0],
        [2, 0],
      ],
      (kind) => kind.path,
    ),
    "M12 13downM18 17up",
  );
});

test("an outline begins at the lower left corner of its box", () => {
  assert.equal(outlineOf(lookup(), { piece: "2", form: 0, anchor: 7 }), "M20 30v-10h20v10z");
});

test("an outline that leans begins where the server drew it from", () => {
  const triangles = new Lookup(TRIANGLES, { legal: {}, checks: [] });
  assert.equal(outlineOf(triangles, { piece: "1", form: 0, anchor: 2 }), "M12 20up");
  assert.equal(outlineOf(triangles, { piece: "1", form: 1, anchor: 3 }), "M12 20down");
});
