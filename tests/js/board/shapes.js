/**
 * A small board with two pieces, written down by hand: five by four cells, a pair and a corner of three.
 *
 * @typedef {import("../../../static/board/lookup.js").Shapes} Shapes
 * @typedef {import("../../../static/board/lookup.js").ColourData} ColourData
 */

// biome-ignore-all format: the cells of a shape are read side by side

import { Lookup } from "../../../static/board/lookup.js";

/** @type {Shapes} */
export const SHAPES = {
  width: 5,
  height: 4,
  column: 10,
  row: 10,
  phase: 0,
  kinds: [{ middle: [5, -5], vertices: [[0, 0], [10, 0], [10, -10], [0, -10]], path: "m-5-5h10v10h-10z" }],
  off: "0",
  columns: ["a", "b", "c", "d", "e"],
  glyphs: { blue: "m0 0h0" },
  pieces: {
    2: {
      forms: [
        [[0, 0], [1, 0]],
        [[0, 0], [0, 1]],
      ],
      outlines: ["v-10h20v10z", "v-20h10v20z"],
      lean: [0, 0],
      right: [1, 0],
      left: [1, 0],
      flip: [0, 1],
    },
    V3: {
      forms: [
        [[0, 0], [1, 0], [0, 1]],
        [[0, 0], [0, 1], [1, 1]],
        [[1, 0], [0, 1], [1, 1]],
        [[0, 0], [1, 0], [1, 1]],
      ],
      outlines: ["", "", "", ""],
      lean: [0, 0, 0, 0],
      right: [1, 2, 3, 0],
      left: [3, 0, 1, 2],
      flip: [3, 2, 1, 0],
    },
  },
};

/**
 * A colour with own cells a1 b1: c2 is its corner, a2 b2 c1 lie beside it, and e1 is somebody else's.
 *
 * @type {ColourData}
 */
export const DATA = {
  legal: { 2: { 0: [7], 1: [7] }, V3: { 0: [7], 3: [6] } },
  checks: [
    { wants: "none", code: "overlap", cells: (1 | 2 | 16).toString(16), sentence: "Taken: %(cells)s." },
    {
      wants: "none",
      code: "edge-contact",
      cells: (4 | 32 | 64).toString(16),
      sentence: "Edge at %(cells)s.",
      lesson: "edge",
    },
    { wants: "some", code: "no-corner-contact", cells: (128).toString(16), sentence: "No corner." },
  ],
};

/** @returns {Lookup} */
export function lookup() {
  return new Lookup(SHAPES, DATA);
}

/**
 * A row of three triangles on a board of four columns and two rows: a1 is no cell, b1 points down, c1 up, d1 down.
 *
 * @type {Shapes}
 */
export const TRIANGLES = {
  width: 4,
  height: 2,
  column: 6,
  row: 10,
  phase: 0,
  kinds: [
    { middle: [6, -3], vertices: [[0, 0], [12, 0], [6, -10]], path: "up" },
    { middle: [6, -7], vertices: [[6, 0], [12, -10], [0, -10]], path: "down" },
  ],
  off: "1",
  columns: ["a", "b", "c", "d"],
  glyphs: { blue: "m0 0h0" },
  pieces: {
    1: {
      forms: [[[0, 0]], [[0, 0]]],
      outlines: ["up", "down"],
      lean: [0, 1],
      right: [1, 0],
      left: [1, 0],
      flip: [0, 1],
    },
  },
};
