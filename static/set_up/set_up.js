/**
 * Setting up a position: the analysis board on which a piece that lies there can be picked, to be taken off again.
 * What lies there, and what may, the server says.
 */

import { Analysis } from "../analysis/analysis.js";
import { cellAt } from "../board/ghost.js";

class SetUp extends Analysis {
  /**
   * A tap without a piece in the hand picks what lies there.
   *
   * @override
   * @param {MouseEvent} event
   * @param {import("../board/lookup.js").Point} at
   */
  tap(event, at) {
    const cell = String(cellAt(at[0], at[1], this.hand.shapes));
    if (!this.hand.draft) this.pick(this.laid.findIndex((button) => button.dataset.cells?.split(" ").includes(cell)));
    super.tap(event, at);
  }

  /** What removes each piece on the board, in the order in which they are drawn. */
  get laid() {
    return this.shown.all("[data-cells]").map((button) => /** @type {HTMLButtonElement} */ (button));
  }

  /**
   * Offer to remove a piece that lies on the board; once more, and without one, offer nothing.
   *
   * @param {number} number
   */
  pick(number) {
    const asks = this.shown.find(".asks");
    const button = /** @type {HTMLButtonElement | null} */ (asks?.querySelector("button"));
    if (!asks || !button) return;
    const chosen = this.laid[number];
    const isPicked = Boolean(chosen) && (asks.hidden || button.value !== chosen?.value);
    asks.hidden = !isPicked;
    button.value = isPicked ? (chosen?.value ?? "") : "";
    for (const [index, piece] of this.shown.all("#board .piece").entries())
      piece.toggleAttribute("data-picked", isPicked && index === number);
  }

  /** The hand holds something else: what was picked is let go. @override */
  changed() {
    super.changed();
    if (this.hand.draft) this.pick(-1);
  }
}

/**
 * @param {HTMLElement} element
 * @returns {() => void}
 */
export function mount(element) {
  const leaving = new AbortController();
  new SetUp(element).start(leaving.signal);
  return () => leaving.abort();
}
