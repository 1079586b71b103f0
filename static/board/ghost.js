/**
 * Drawing the piece in the hand on the board, and reading which cell was tapped. How cells lie comes with the page.
 */

import { kindOf } from "./lookup.js";
import { SVG, uprightMarks } from "./view.js";

/** @typedef {import("./lookup.js").Point} Point */
/** @typedef {import("./lookup.js").Placement} Placement */
/** @typedef {import("./lookup.js").Lookup} Lookup */
/** @typedef {import("./lookup.js").Shapes} Shapes */

/** What a ghost is drawn of, the lowest first. */
const PARTS = ["halo", "gap", "shape", "mark", "fault", "tick"];

/** A disc with a tick in it, from its middle. */
const TICK = "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0m2.2.1l1.3 1.5 2.4-3";

/**
 * Return a path that draws something from the middle of each cell.
 *
 * @param {Shapes} shapes
 * @param {Point[]} points
 * @param {(kind: import("./lookup.js").Kind) => string} commands
 * @returns {string}
 */
export function inEach(shapes, points, commands) {
  return points
    .map((point) => {
      const kind = kindOf(shapes, point);
      const [x, y] = place(shapes, point);
      return `M${tenths(x + kind.middle[0])} ${tenths(y + kind.middle[1])}${commands(kind)}`;
    })
    .join("");
}

/**
 * @param {Shapes} shapes
 * @param {Point} point
 * @returns {Point} where its column and row begin in the picture, at the lower left
 */
function place({ column, row, height }, [x, y]) {
  return [column * x, row * (height - y)];
}

/**
 * @param {number} value
 * @returns {number}
 */
function tenths(value) {
  return Math.round(10 * value) / 10;
}

/**
 * Return the outline of a placement.
 *
 * @param {Lookup} lookup
 * @param {Placement} placement
 * @returns {string}
 */
export function outlineOf(lookup, { piece, form, anchor }) {
  const { outlines, lean } = lookup.shapes.pieces[piece];
  const [column, row] = lookup.point(anchor);
  const [x, y] = place(lookup.shapes, [column - lean[form], row]);
  return `M${tenths(x)} ${tenths(y)}${outlines[form]}`;
}

/**
 * Return the cell at a point of the picture, null beside the box around the board.
 *
 * @param {number} x in units, from the left
 * @param {number} y in units, from the top
 * @param {Shapes} shapes
 * @returns {number | null}
 */
export function cellAt(x, y, shapes) {
  const { column, row, width, height } = shapes;
  const [right, up] = [Math.floor(x / column), height - 1 - Math.floor(y / row)];
  if (up < 0 || up >= height) return null;
  // A cell may be wider than its column: then the one before may reach here.
  const found = [right, right - 1].find((at) => at >= 0 && at < width && covers(shapes, [at, up], x, y));
  return found === undefined ? null : found + up * width;
}

/**
 * Return whether a point of the picture lies in a cell, by counting the sides that a ray to the left crosses.
 *
 * @param {Shapes} shapes
 * @param {Point} point
 * @param {number} x
 * @param {number} y
 * @returns {boolean}
 */
function covers(shapes, point, x, y) {
  const [left, bottom] = place(shapes, point);
  const ring = kindOf(shapes, point).vertices.map(([vx, vy]) => /** @type {Point} */ ([left + vx, bottom + vy]));
  let isInside = false;
  ring.forEach(([x1, y1], number) => {
    const [x2, y2] = ring[(number + 1) % ring.length];
    if (y1 > y !== y2 > y && x >= x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
  });
  return isInside;
}

/** Take the ghost off the board. @param {Element} group */
export function clear(group) {
  group.replaceChildren();
}

/**
 * Show the piece in the hand.
 *
 * @param {SVGGElement} group
 * @param {Lookup} lookup
 * @param {Placement} placement
 * @param {string} colour
 * @param {number[]} faults the cells to hatch
 * @param {number} quarters by which the board is turned
 */
export function draw(group, lookup, placement, colour, faults, quarters) {
  const { shapes } = lookup;
  const shape = outlineOf(lookup, placement);
  const wrong = faults.map((cell) => lookup.point(cell));
  const mark = inEach(shapes, lookup.points(placement), () => shapes.glyphs[colour] ?? "");
  /** @type {Record<string, string>} */
  const paths = {
    halo: shape,
    gap: shape,
    shape,
    mark: uprightMarks(mark, quarters, [0, 0]),
    fault: inEach(shapes, wrong, (kind) => kind.path),
    tick: uprightMarks(tickOf(lookup, placement), quarters, [0, 0]),
  };
  if (!group.firstChild) group.append(...PARTS.map(part));
  const upright = `rotate(${-90 * quarters})`;
  write(group, "data-colour", colour);
  write(group, "data-fits", String(lookup.fits(placement)));
  PARTS.forEach((name, number) => {
    const path = /** @type {Element} */ (group.children[number]);
    write(path, "d", paths[name] ?? "");
    if (name === "mark" || name === "tick") write(path, "transform", upright);
  });
}

/**
 * Set an attribute, unless it is so already: what has not changed is not to be drawn again.
 *
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 */
function write(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/**
 * @param {Lookup} lookup
 * @param {Placement} placement
 * @returns {string} a tick beside the last cell of the piece, nothing where it does not fit
 */
function tickOf(lookup, placement) {
  if (!lookup.fits(placement)) return "";
  const points = lookup.points(placement);
  const at = points[points.length - 1] ?? lookup.point(placement.anchor);
  const { middle } = kindOf(lookup.shapes, at);
  const [x, y] = place(lookup.shapes, at);
  const left = x + middle[0] + lookup.shapes.column * 0.6;
  const top = y + middle[1] - lookup.shapes.row * 0.6;
  return `M${tenths(left)} ${tenths(top)}${TICK}`;
}

/**
 * Return a form by itself, as it is seen on a board turned by quarters: what to draw, and the box around it.
 *
 * @param {Shapes} shapes
 * @param {string} piece
 * @param {number} form
 * @returns {{path: string, middle: Point, reach: number}} its outline, the middle of its box and half its longer side
 */
export function formPicture(shapes, piece, form) {
  const { forms, outlines, lean } = shapes.pieces[piece];
  const start = /** @type {Point} */ ([0, 0]);
  const corners = forms[form].flatMap(([column, row]) => {
    // Kinds lie in turn, and a leaning form begins at the one where it may lie.
    const point = /** @type {Point} */ ([column + lean[form], row]);
    const [px, py] = place(shapes, point);
    return kindOf(shapes, point).vertices.map(([vx, vy]) => [px + vx, py + vy]);
  });
  const [left, top] = [0, 1].map((axis) => Math.min(...corners.map((corner) => corner[axis])));
  const [right, bottom] = [0, 1].map((axis) => Math.max(...corners.map((corner) => corner[axis])));
  const [x, y] = place(shapes, start);
  return {
    path: `M${tenths(x)} ${tenths(y)}${outlines[form]}`,
    middle: [(left + right) / 2, (top + bottom) / 2],
    reach: Math.max(right - left, bottom - top) / 2,
  };
}

/**
 * @param {string} name
 * @returns {SVGPathElement}
 */
function part(name) {
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("class", name === "mark" ? "ghost__mark glyph" : `ghost__${name}`);
  if (name === "fault") path.setAttribute("fill", "url(#hatch)");
  return path;
}
