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
 * Return the draft moved to a tapped cell: to a legal placement that covers it, in this form if there is one, the next
 * one with every further tap; else to one close by; else centred on the cell, where it does not fit.
 *
 * @param {Lookup} lookup
 * @param {Placement} draft
 * @param {number} cell
 * @returns {Placement}
 */
export function moveTo(lookup, draft, cell) {
  const to = lookup.spot(cell);
  const covering = lookup.nearest(draft.piece, null, to).filter((placement) => lookup.cells(placement).includes(cell));
  const ordered = [...covering.filter(({ form }) => form === draft.form), ...covering.filter(({ form }) => form !== draft.form)];
  const at = covering.findIndex((placement) => isSame(placement, draft));
  if (at >= 0) return covering[(at + 1) % covering.length];
  if (ordered.length) return ordered[0];
  return settle(lookup, draft.piece, draft.form, to);
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
  return settle(lookup, draft.piece, form, lookup.middle(draft));
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
 * @returns {Placement} the form at a point, or a little beside it where it fits
 */
function settle(lookup, piece, form, to) {
  const close = lookup.nearest(piece, form, to)[0];
  if (close && distance(lookup.middle(close), to) <= SLIDE) return close;
  return { piece, form, anchor: lookup.centred(piece, form, to) };
}

/**
 * @param {Placement} one
 * @param {Placement} other
 * @returns {boolean} whether they are the same placement
 */
export function isSame(one, other) {
  return one.piece === other.piece && one.form === other.form && one.anchor === other.anchor;
}
