/**
 * The piece in the hand: which one, how it is turned, where it hovers. Every function returns another draft or null.
 *
 * @typedef {import("./lookup.js").Placement} Placement
 * @typedef {import("./lookup.js").Lookup} Lookup
 * @typedef {import("./lookup.js").Point} Point
 */

import { distance } from "./lookup.js";

/** How far, as a square of cells, a turned piece or a tap slides to the next place where the piece fits. */
const SLIDE = 2.5;

/** The same for a piece that is let go after a drag: it was seen where it lay. */
const REST = 1.1;

/**
 * Return the draft of a piece just taken from the tray: the legal placement nearest to a point, null if there is none.
 *
 * @param {Lookup} lookup
 * @param {string} piece
 * @param {Point} near
 * @returns {Placement | null}
 */
export function take(lookup, piece, near) {
  return lookup.nearest(piece, null, near)[0] ?? null;
}

/**
 * Return the draft moved to where the board was tapped: to a legal placement that covers the cell, in this form if
 * there is one; else to one close by in this form, unless the cell is a corner that another form can take. Where none
 * is near it lies there and does not fit.
 *
 * @param {Lookup} lookup
 * @param {Placement} draft
 * @param {Point} to the point tapped, as `Lookup.spot` gives points
 * @param {number} cell the cell tapped
 * @returns {Placement}
 */
export function moveTo(lookup, draft, to, cell) {
  const [covering] = coveringOf(lookup, draft, cell, to);
  if (covering && (covering.form === draft.form || lookup.corners.has(cell))) return covering;
  const otherwise = covering ?? { ...draft, anchor: lookup.centred(draft.piece, draft.form, to) };
  return settle(lookup, draft.piece, draft.form, to, SLIDE, otherwise);
}

/**
 * Return the next legal placement at a cell that was tapped before: another that covers it, in this form first.
 *
 * @param {Lookup} lookup
 * @param {Placement} draft
 * @param {Point} to
 * @param {number} cell
 * @returns {Placement}
 */
export function again(lookup, draft, to, cell) {
  const covering = coveringOf(lookup, draft, cell, to, null);
  const at = covering.findIndex((placement) => isSame(placement, draft));
  return covering[(at + 1) % covering.length] ?? draft;
}

/**
 * Return the legal placements of the piece that cover a cell, those in the form of the draft first, then by distance.
 *
 * @param {Lookup} lookup
 * @param {Placement} draft
 * @param {number} cell
 * @param {Point} to
 * @param {number | null} first the form to begin with
 * @returns {Placement[]}
 */
function coveringOf(lookup, draft, cell, to, first = draft.form) {
  const covering = lookup.nearest(draft.piece, null, to).filter((placement) => lookup.cells(placement).includes(cell));
  // Sorting is stable: within a form, and where no form comes first, the nearest stay first.
  return covering.sort((one, other) => Number(other.form === first) - Number(one.form === first));
}

/**
 * Return the draft turned or flipped about its middle.
 *
 * @param {Lookup} lookup
 * @param {Placement} draft
 * @param {"right" | "left" | "flip"} way
 * @returns {Placement}
 */
export function turn(lookup, draft, way) {
  const form = lookup.shapes.pieces[draft.piece][way][draft.form];
  return settle(lookup, draft.piece, form, lookup.middle(draft), SLIDE);
}

/**
 * Return the draft in another of its forms, about its middle.
 *
 * @param {Lookup} lookup
 * @param {Placement} draft
 * @param {number} form
 * @returns {Placement}
 */
export function reform(lookup, draft, form) {
  return settle(lookup, draft.piece, form, lookup.middle(draft), SLIDE);
}

/**
 * Return the draft one cell further in a direction of the board, or as it is where the board ends.
 *
 * Where cells lie in turn (triangles) a step along a row is two columns, and a step to another row swings left and
 * right.
 *
 * @param {Lookup} lookup
 * @param {Placement} draft
 * @param {Point} step columns to the right and rows up, one of them 0
 * @returns {Placement}
 */
export function nudge(lookup, draft, [dx, dy]) {
  const kinds = lookup.shapes.kinds.length;
  if (kinds === 1) return shifted(lookup, draft, [dx, dy]);
  const swing = lookup.point(draft.anchor)[1] % 2 ? -1 : 1;
  const steps = /** @type {Point[]} */ (
    dx
      ? [[kinds * dx, 0]]
      : [
          [swing, dy],
          [-swing, dy],
        ]
  );
  return steps.map((step) => shifted(lookup, draft, step)).find((moved) => moved !== draft) ?? draft;
}

/**
 * Return the draft at an offset from where a drag took it up, as far as the board goes.
 *
 * @param {Lookup} lookup
 * @param {Placement} from
 * @param {Point} by in tens of units, as `Lookup.spot` gives points
 * @returns {Placement}
 */
export function drag(lookup, from, by) {
  const { column, row, kinds } = lookup.shapes;
  const [x, y] = lookup.middle(from);
  const to = /** @type {Point} */ ([x + by[0], y + by[1]]);
  const [dx, dy] = [Math.round((10 * by[0]) / column), Math.round((10 * by[1]) / row)];
  const steps = /** @type {Point[]} */ ([
    [dx, dy],
    [dx - 1, dy],
    [dx + 1, dy],
    [dx, dy - 1],
    [dx, dy + 1],
  ]);
  const near = steps
    .filter(([right, up]) => (right + up) % kinds.length === 0)
    .map((step) => shifted(lookup, from, step))
    // A step that leaves the board leads back to where it began.
    .filter((moved) => moved !== from);
  const away = (/** @type {Placement} */ moved) => distance(lookup.middle(moved), to);
  const best = near.sort((one, other) => away(one) - away(other))[0];
  const isClose = best && away(best) <= 1;
  return isClose ? best : { ...from, anchor: lookup.centred(from.piece, from.form, to) };
}

/**
 * Return the draft as it comes to rest: where it fits, if that is beside it.
 *
 * @param {Lookup} lookup
 * @param {Placement} draft
 * @returns {Placement}
 */
export function rest(lookup, draft) {
  return lookup.fits(draft) ? draft : settle(lookup, draft.piece, draft.form, lookup.middle(draft), REST, draft);
}

/**
 * Return the legal placement of the piece that follows the draft, or the one before: by form, then by place.
 *
 * @param {Lookup} lookup
 * @param {Placement} draft
 * @param {1 | -1} way
 * @returns {Placement}
 */
export function next(lookup, draft, way) {
  const all = lookup.placements(draft.piece);
  const after = all.findIndex((other) => comesAfter(other, draft));
  const at = all.findIndex((other) => isSame(other, draft));
  const forward = after < 0 ? 0 : after;
  const following = after < 0 ? all.length : after;
  const back = (at < 0 ? following : at) - 1;
  return all.at((way > 0 ? forward : back) % all.length) ?? draft;
}

/**
 * @param {Placement} one
 * @param {Placement} other
 * @returns {boolean}
 */
function comesAfter(one, other) {
  return one.form === other.form ? one.anchor > other.anchor : one.form > other.form;
}

/**
 * @param {Lookup} lookup
 * @param {Placement} draft
 * @param {Point} step
 * @returns {Placement} the draft itself where the board ends
 */
function shifted(lookup, draft, [dx, dy]) {
  const [x, y] = lookup.point(draft.anchor);
  const { forms } = lookup.shapes.pieces[draft.piece];
  const { width, height } = lookup.shapes;
  const isInside = forms[draft.form].every(([fx, fy]) => {
    const [column, row] = [x + dx + fx, y + dy + fy];
    return column >= 0 && column < width && row >= 0 && row < height;
  });
  return isInside ? { ...draft, anchor: x + dx + (y + dy) * width } : draft;
}

/**
 * Return the draft as it stands in a newer position: the same, or null if its piece can no longer be placed at all.
 *
 * @param {Lookup} lookup
 * @param {Placement} draft
 * @returns {Placement | null}
 */
export function keep(lookup, draft) {
  return lookup.legal.has(draft.piece) ? draft : null;
}

/**
 * @param {Lookup} lookup
 * @param {string} piece
 * @param {number} form
 * @param {Point} to
 * @param {number} reach as a square of cells
 * @param {Placement} [otherwise]
 * @returns {Placement} the form where it fits within reach of a point, or at the point
 */
function settle(lookup, piece, form, to, reach, otherwise) {
  const close = lookup.nearest(piece, form, to)[0];
  if (close && distance(lookup.middle(close), to) <= reach) return close;
  return otherwise ?? { piece, form, anchor: lookup.centred(piece, form, to) };
}

/**
 * @param {Placement} one
 * @param {Placement} other
 * @returns {boolean} whether they are the same placement
 */
export function isSame(one, other) {
  return one.piece === other.piece && one.form === other.form && one.anchor === other.anchor;
}
