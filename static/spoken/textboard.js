/**
 * `data-behaviour="text-board"`: the board's table as one stop of the Tab key, walked through by arrow keys.
 *
 * Without this it is a table like any other. An update puts the page's own attributes back; they are set again. (Every
 * cell comes with tabindex -1: taking the attribute away would take the focus with it.)
 */

import { go, nearest } from "./walk.js";

/** @typedef {import("./walk.js").Place} Place */

/** Where a walk begins: the lowest row's first cell, which is a1 where the board has one. */
const START = { row: Infinity, column: 0 };

class TextBoard {
  /** @param {HTMLTableElement} table */
  constructor(table) {
    this.table = table;
    /** @type {Place} */
    this.place = START;
    /** @type {{first: number, cells: HTMLTableCellElement[]}[]} */
    this.cells = [];
    /** @type {import("./walk.js").Row[]} */
    this.rows = [];
    this.read();
  }

  /** Read the cells as they are now, and make the table a grid with one cell to tab to. */
  read() {
    this.cells = [...this.table.tBodies[0].rows].map((row) => {
      const all = [...row.cells].slice(1);
      const beside = all[0].colSpan > 1 || !all[0].textContent ? all[0].colSpan : 0;
      return { first: beside, cells: all.filter((cell) => cell.textContent) };
    });
    this.rows = this.cells.map(({ first, cells }) => ({ first, taken: cells.map((cell) => "colour" in cell.dataset) }));
    this.table.setAttribute("role", "grid");
    this.place = nearest(this.rows, this.place);
    this.at(this.place).tabIndex = 0;
  }

  /**
   * @param {Place} place
   * @returns {HTMLTableCellElement}
   */
  at(place) {
    const { first, cells } = this.cells[place.row];
    return cells[place.column - first];
  }

  /**
   * @param {Place} place
   */
  stand(place) {
    this.at(this.place).tabIndex = -1;
    this.place = place;
    this.at(place).tabIndex = 0;
    this.show();
  }

  /** Show the cell in words to who sees the table: its squares are too small for them. */
  show() {
    const shown = this.table.closest("section")?.querySelector("[data-cell]");
    if (shown) shown.textContent = this.at(this.place).textContent;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const place = go(this.rows, this.place, event);
    if (!place || !(event.target instanceof HTMLTableCellElement)) return;
    event.preventDefault();
    this.stand(place);
    this.at(place).focus();
  }

  /** @param {Event} event */
  come(event) {
    const cell = /** @type {HTMLTableCellElement} */ (event.target);
    const row = this.cells.findIndex((each) => each.cells.includes(cell));
    if (row < 0) return;
    const { first, cells } = this.cells[row];
    this.stand({ row, column: first + cells.indexOf(cell) });
  }
}

/**
 * @param {HTMLElement} element
 * @returns {() => void}
 */
export function mount(element) {
  const table = /** @type {HTMLTableElement} */ (element);
  const board = new TextBoard(table);
  const leaving = new AbortController();
  const { signal } = leaving;
  table.addEventListener("keydown", (event) => board.press(event), { signal });
  table.addEventListener("focusin", (event) => board.come(event), { signal });
  // An update takes the role away. Before the page is drawn it is back, so a cell that is focused stays so.
  const watcher = new MutationObserver(() => table.getAttribute("role") === "grid" || board.read());
  watcher.observe(table, { attributeFilter: ["role"], attributes: true });
  return () => {
    watcher.disconnect();
    leaving.abort();
  };
}
