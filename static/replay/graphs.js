/** The graphs below a replay: a mark follows the move that is shown, and a tap goes to a move. */

import { moveAt, placeOf } from "./graph.js";

/**
 * @param {Element} graph
 * @returns {import("./graph.js").Span}
 */
function spanOf(graph) {
  return { left: Number(graph.getAttribute("data-left")), right: Number(graph.getAttribute("data-right")) };
}

/**
 * @param {Element} root
 * @param {number} number
 * @param {number} last
 */
export function markMove(root, number, last) {
  for (const graph of root.querySelectorAll("[data-graph]")) {
    graph
      .querySelector("[data-now]")
      ?.setAttribute("transform", `translate(${placeOf(number, last, spanOf(graph))} 0)`);
  }
}

/**
 * Return the move that a click on a graph means, null for a click elsewhere.
 *
 * @param {MouseEvent} event
 * @param {number} last
 * @returns {number | null}
 */
export function moveOf(event, last) {
  const target = /** @type {Element} */ (event.target);
  const picture = /** @type {SVGSVGElement | null} */ (target.closest("[data-graph] svg[role]"));
  const graph = picture?.closest("[data-graph]");
  const toScreen = picture?.getScreenCTM();
  if (!graph || !toScreen) return null;
  return moveAt(new DOMPoint(event.clientX, event.clientY).matrixTransform(toScreen.inverse()).x, last, spanOf(graph));
}
