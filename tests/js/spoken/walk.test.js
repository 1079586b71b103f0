import assert from "node:assert/strict";
import test from "node:test";

import { go, nearest, ray } from "../../../static/spoken/walk.js";

/**
 * Return the rows of a board drawn as text: `.` is free, a letter is taken, a space is no cell.
 *
 * @param {string[]} lines
 */
function rows(...lines) {
  return lines.map((line) => ({
    first: line.length - line.trimStart().length,
    taken: [...line.trim()].map((cell) => cell !== "."),
  }));
}

const PLAIN = { ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };
const SQUARE = rows("....", ".b..", "....", "a..b");
const HEXAGON = rows(" ... ", ".....", " ... ");

/**
 * @param {import("../../../static/spoken/walk.js").Row[]} board
 * @param {[number, number]} from row from above, column
 * @param {string} key
 * @param {object} held
 */
function pressed(board, [row, column], key, held = {}) {
  const place = go(board, { row, column }, { ...PLAIN, ...held, key });
  return place && [place.row, place.column];
}

test("arrows go one cell and stop at the edge", () => {
  assert.deepEqual(pressed(SQUARE, [1, 1], "ArrowLeft"), [1, 0]);
  assert.deepEqual(pressed(SQUARE, [1, 0], "ArrowLeft"), [1, 0]);
  assert.deepEqual(pressed(SQUARE, [1, 1], "ArrowDown"), [2, 1]);
  assert.deepEqual(pressed(SQUARE, [0, 3], "ArrowUp"), [0, 3]);
});

test("a shorter row is entered at its nearest cell", () => {
  assert.deepEqual(pressed(HEXAGON, [1, 0], "ArrowUp"), [0, 1]);
  assert.deepEqual(pressed(HEXAGON, [1, 4], "ArrowDown"), [2, 3]);
});

test("home and end go to the ends of the row, with control to those of the board", () => {
  assert.deepEqual(pressed(HEXAGON, [0, 2], "Home"), [0, 1]);
  assert.deepEqual(pressed(HEXAGON, [0, 2], "End"), [0, 3]);
  assert.deepEqual(pressed(HEXAGON, [1, 2], "Home", { ctrlKey: true }), [0, 1]);
  assert.deepEqual(pressed(HEXAGON, [1, 2], "End", { ctrlKey: true }), [2, 3]);
});

test("page keys go five rows at most", () => {
  const tall = rows(...new Array(12).fill("..."));
  assert.deepEqual(pressed(tall, [11, 1], "PageUp"), [6, 1]);
  assert.deepEqual(pressed(tall, [9, 1], "PageDown"), [11, 1]);
});

test("with shift the next taken cell is reached, or the edge", () => {
  assert.deepEqual(pressed(SQUARE, [3, 0], "ArrowRight", { shiftKey: true }), [3, 3]);
  assert.deepEqual(pressed(SQUARE, [3, 1], "ArrowUp", { shiftKey: true }), [1, 1]);
  assert.deepEqual(pressed(SQUARE, [1, 1], "ArrowUp", { shiftKey: true }), [0, 1]);
});

test("a ray stays on the board where rows are shorter", () => {
  assert.deepEqual(ray(HEXAGON, { row: 1, column: 0 }, [0, -1]), { row: 1, column: 0 });
});

test("what screen readers and browsers use stays theirs", () => {
  assert.equal(pressed(SQUARE, [1, 1], "ArrowUp", { ctrlKey: true, altKey: true }), null);
  assert.equal(pressed(SQUARE, [1, 1], "ArrowLeft", { metaKey: true }), null);
  assert.equal(pressed(SQUARE, [1, 1], "Tab"), null);
  assert.equal(pressed(SQUARE, [1, 1], "a"), null);
});

test("a walk begins at the lowest row's first cell", () => {
  assert.deepEqual(nearest(HEXAGON, { row: Infinity, column: 0 }), { row: 2, column: 1 });
});
