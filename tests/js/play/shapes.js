/**
 * A small board with two pieces, written down by hand: five by four cells, a pair and a corner of three.
 *
 * @typedef {import("../../../static/play/lookup.js").Shapes} Shapes
 * @typedef {import("../../../static/play/lookup.js").ColourData} ColourData
 */

import { Lookup } from "../../../static/play/lookup.js";

/** @type {Shapes} */
export const SHAPES = {
  width: 5,
  height: 4,
  columns: ["a", "b", "c", "d", "e"],
  glyphs: { blue: "m5 5h0" },
  pieces: {
    2: {
      forms: [
        [[0, 0], [1, 0]],
        [[0, 0], [0, 1]],
      ],
      outlines: ["v-10h20v10z", "v-20h10v20z"],
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
    { wants: "none", code: "edge-contact", cells: (4 | 32 | 64).toString(16), sentence: "Edge at %(cells)s." },
    { wants: "some", code: "no-corner-contact", cells: (128).toString(16), sentence: "No corner." },
  ],
};

/** @returns {Lookup} */
export function lookup() {
  return new Lookup(SHAPES, DATA);
}
