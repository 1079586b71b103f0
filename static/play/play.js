/**
 * The play page's hands: a piece from the tray to the board, turned, explained and sent. What the server answers
 * replaces the page's part, and the hand reads it anew.
 */

import { register } from "../site/behaviours.js";
import { mount as countDown } from "../site/countdown.js";
import { cellAt } from "./ghost.js";
import { Hand } from "./hand.js";
import { Sender } from "./sender.js";

/**
 * Return the cell under a pointer that was pressed on the board, null elsewhere.
 *
 * Phones move a tap to the nearest button, so a tap on the board's first row may arrive as a click on what stands above
 * it. Where the finger came down is what counts.
 *
 * @param {Hand} hand
 * @param {PointerEvent} event
 * @returns {number | null}
 */
function cellUnder(hand, event) {
  const board = /** @type {SVGSVGElement | null} */ (/** @type {Element} */ (event.target).closest("#board"));
  if (!board || !hand.shapes) return null;
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM()?.inverse());
  return cellAt(point.x, point.y, hand.shapes);
}

/**
 * @param {Hand} hand
 * @param {MouseEvent} event
 */
function onClick(hand, event) {
  const pressed = event.detail > 0 ? hand.pressed : null;
  hand.pressed = null;
  if (pressed !== null) {
    event.preventDefault();
    hand.tap(pressed);
    return;
  }
  const target = /** @type {Element} */ (event.target);
  const slot = target.closest("button.slot");
  const act = /** @type {HTMLElement | null} */ (target.closest("[data-act]"));
  const colour = /** @type {HTMLElement | null} */ (target.closest("[data-tray-of]"));
  if (slot) {
    event.preventDefault();
    hand.choose(/** @type {HTMLButtonElement} */ (slot).value);
  } else if (act) hand.act(act.dataset.act ?? "");
  else if (colour) hand.switchTo(colour.dataset.trayOf ?? "");
}

/**
 * @param {HTMLElement} element
 * @returns {() => void}
 */
export function mount(element) {
  const hand = new Hand(element);
  const leaving = new AbortController();
  const { signal } = leaving;
  element.addEventListener("pointerdown", (event) => (hand.pressed = cellUnder(hand, event)), { signal });
  element.addEventListener("pointercancel", () => (hand.pressed = null), { signal });
  element.addEventListener("click", (event) => onClick(hand, event), { signal });
  element.addEventListener("keydown", (event) => event.key === "Escape" && hand.act("cancel"), { signal });
  const sender = new Sender(element, () => hand.text, (placed) => hand.drop(placed), () => hand.read());
  sender.listen(signal);
  return () => leaving.abort();
}

register("play", mount);
register("countdown", countDown);
