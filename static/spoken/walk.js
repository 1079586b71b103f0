/** Going through the board cell by cell, by keys. */

/**
 * A row of the board as it lies in the table, from above: the column of its first cell, and which cells are taken.
 *
 * @typedef {{first: number, taken: boolean[]}} Row
 * @typedef {{row: number, column: number}} Place `row` counts from above
 */

/** Rows that Page up and Page down go. */
const MANY = 5;

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Return the nearest cell of the board to a place, which may be beside it.
 *
 * @param {Row[]} rows
 * @param {Place} place
 * @returns {Place}
 */
export function nearest(rows, place) {
  const row = Math.max(0, Math.min(rows.length - 1, place.row));
  const { first, taken } = rows[row];
  return { row, column: Math.max(first, Math.min(first + taken.length - 1, place.column)) };
}

/**
 * Return whether a place is a cell of the board.
 *
 * @param {Row[]} rows
 * @param {Place} place
 * @returns {boolean}
 */
function isCell(rows, place) {
  const row = rows[place.row];
  return row !== undefined && place.column >= row.first && place.column < row.first + row.taken.length;
}

/**
 * Return the next taken cell in a direction, or the last cell before the edge of the board.
 *
 * @param {Row[]} rows
 * @param {Place} from
 * @param {[number, number]} step columns and rows
 * @returns {Place}
 */
export function ray(rows, from, [columns, down]) {
  let place = from;
  for (;;) {
    const next = { row: place.row + down, column: place.column + columns };
    if (!isCell(rows, next)) return place;
    place = next;
    const { first, taken } = rows[place.row];
    if (taken[place.column - first]) return place;
  }
}

/**
 * Return where a key leads, null for a key that leads nowhere.
 *
 * @param {Row[]} rows
 * @param {Place} from
 * @param {{key: string, ctrlKey: boolean, shiftKey: boolean, altKey: boolean, metaKey: boolean}} event
 * @returns {Place | null}
 */
export function go(rows, from, { key, ctrlKey, shiftKey, altKey, metaKey }) {
  if (altKey || metaKey) return null;
  const step = STEPS[key];
  // With Ctrl and Alt screen readers walk through tables by themselves.
  if (step && ctrlKey) return null;
  if (step && shiftKey) return ray(rows, from, step);
  if (step) return nearest(rows, { row: from.row + step[1], column: from.column + step[0] });
  if (key === "Home") return nearest(rows, { row: ctrlKey ? 0 : from.row, column: 0 });
  if (key === "End") return nearest(rows, { row: ctrlKey ? rows.length - 1 : from.row, column: Infinity });
  if (key === "PageUp") return nearest(rows, { ...from, row: from.row - MANY });
  if (key === "PageDown") return nearest(rows, { ...from, row: from.row + MANY });
  return null;
}
