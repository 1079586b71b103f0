/**
 * What a player may be shown besides the pieces: corners to reach out from, cells that pieces could cover, how many
 * placements each piece has. All of it is counted from the placements that came with the page.
 */

import { inEach } from "../board/ghost.js";
import { SVG } from "../board/view.js";

/** @typedef {import("../board/lookup.js").Lookup} Lookup */

const RING = "m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0";

/** Steps of the heat map; the last is for the cells that most placements cover. */
export const LEVELS = 4;

/**
 * Return how many placements each piece has, those without any left out.
 *
 * @param {Lookup} lookup
 * @returns {Map<string, number>}
 */
export function counts(lookup) {
  const sum = (/** @type {Map<number, Set<number>>} */ forms) =>
    [...forms.values()].reduce((all, anchors) => all + anchors.size, 0);
  return new Map([...lookup.legal].map(([piece, forms]) => [piece, sum(forms)]));
}

/**
 * Return the cells that could be covered, by level: the first holds the cells of fewest placements.
 *
 * Levels are parts of the greatest count by its root, for a few cells near the corners have by far the most.
 *
 * @param {Lookup} lookup
 * @returns {number[][]}
 */
export function heat(lookup) {
  const covered = new Map();
  for (const piece of lookup.legal.keys()) {
    for (const placement of lookup.placements(piece)) {
      for (const cell of lookup.cells(placement)) covered.set(cell, (covered.get(cell) ?? 0) + 1);
    }
  }
  const most = Math.sqrt(Math.max(1, ...covered.values()));
  /** @type {number[][]} */
  const levels = Array.from({ length: LEVELS }, () => []);
  for (const [cell, count] of covered)
    levels[Math.min(LEVELS - 1, Math.floor((LEVELS * Math.sqrt(count)) / most))]?.push(cell);
  return levels;
}

/**
 * Draw the hints that are liked, and clear those that are not.
 *
 * @param {SVGGElement} group
 * @param {Lookup | null} lookup
 * @param {string} colour
 * @param {{corners: boolean, heat: boolean}} likes
 */
export function drawHints(group, lookup, colour, likes) {
  group.replaceChildren();
  group.dataset.colour = colour;
  if (!lookup) return;
  const path = (/** @type {string} */ name, /** @type {number[]} */ cells, /** @type {string | null} */ mark) => {
    const element = document.createElementNS(SVG, "path");
    element.setAttribute("class", name);
    const points = cells.map((cell) => lookup.point(cell));
    element.setAttribute(
      "d",
      inEach(lookup.shapes, points, (kind) => mark ?? kind.path),
    );
    group.append(element);
  };
  if (likes.heat) {
    for (const [level, cells] of heat(lookup).entries()) path(`heat heat--${level + 1}`, cells, null);
  }
  if (likes.corners) path("rings", [...lookup.corners], RING);
}
