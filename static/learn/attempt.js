/**
 * How the piece of a lesson moves: exactly as asked, never to where it would fit. The learner may be wrong.
 *
 * @typedef {import("../board/lookup.js").Lookup} Lookup
 * @typedef {import("../board/lookup.js").Placement} Placement
 * @typedef {import("../board/lookup.js").Point} Point
 */

/**
 * Return the piece with its middle at a point, as far as the board goes.
 *
 * @param {Lookup} lookup
 * @param {Placement} held
 * @param {Point} to in tens of units, as `Lookup.spot` gives points
 * @returns {Placement}
 */
export function movedTo(lookup, held, to) {
  return { ...held, anchor: lookup.centred(held.piece, held.form, to) };
}

/**
 * Return the piece turned or flipped at its place: four turns, or two flips, bring it back.
 *
 * @param {Lookup} lookup
 * @param {Placement} held
 * @param {"right" | "left" | "flip"} way
 * @returns {Placement}
 */
export function turned(lookup, held, way) {
  const { pieces, width, height } = lookup.shapes;
  const piece = pieces[held.piece];
  const form = piece?.[way][held.form] ?? held.form;
  const [right, up] = [0, 1].map((axis) => Math.max(...(piece?.forms[form] ?? []).map((point) => point[axis] ?? 0)));
  const [x, y] = lookup.point(held.anchor);
  return { ...held, form, anchor: Math.min(x, width - 1 - (right ?? 0)) + Math.min(y, height - 1 - (up ?? 0)) * width };
}

/**
 * Return the piece after a tap: turned where it lies itself, else moved there.
 *
 * @param {Lookup} lookup
 * @param {Placement} held
 * @param {number} cell
 * @returns {Placement}
 */
export function tapped(lookup, held, cell) {
  return lookup.cells(held).includes(cell) ? turned(lookup, held, "right") : movedTo(lookup, held, lookup.spot(cell));
}

/**
 * Return what the lesson's piece is at first: what the server has drawn on the board.
 *
 * @param {{piece?: string, form?: string, anchor?: string}} drawn
 * @returns {Placement | null} null where there is nothing to move
 */
export function heldIn({ piece, form, anchor }) {
  return piece ? { piece, form: Number(form), anchor: Number(anchor) } : null;
}

/**
 * Return what is to be said of the piece: the first reason why it may not lie there, else that it may.
 *
 * @param {Lookup} lookup
 * @param {Placement} held
 * @param {string} fits
 * @returns {string}
 */
export function sentenceOf(lookup, held, fits) {
  return lookup.faults(held)[0]?.sentence ?? fits;
}
