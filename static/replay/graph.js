/** Places on a graph: where a move stands, and which move was meant by a tap. Both in units of the picture. */

/** @typedef {{left: number, right: number}} Span where the first and the last move stand */

/**
 * @param {number} number
 * @param {number} last
 * @param {Span} span
 * @returns {number}
 */
export function placeOf(number, last, { left, right }) {
  return left + ((right - left) * number) / Math.max(last, 1);
}

/**
 * Return the move nearest to a place, the first or the last for places beyond them.
 *
 * @param {number} x
 * @param {number} last
 * @param {Span} span
 * @returns {number}
 */
export function moveAt(x, last, { left, right }) {
  return Math.min(Math.max(Math.round(((x - left) / (right - left)) * last), 0), last);
}
