/**
 * Drawing the piece in the hand on the board, and reading which cell was tapped. A cell is ten units wide.
 */

/** @typedef {import("./lookup.js").Point} Point */
/** @typedef {import("./lookup.js").Placement} Placement */
/** @typedef {import("./lookup.js").Lookup} Lookup */

const CELL = 10;
const SVG = "http://www.w3.org/2000/svg";

/** What a ghost is drawn of, the lowest first. */
const PARTS = ["halo", "shape", "mark", "fault"];

/**
 * Return a path that repeats relative commands from the upper left corner of each cell.
 *
 * @param {Point[]} points
 * @param {number} height rows of the board
 * @param {string} commands
 * @returns {string}
 */
export function inEach(points, height, commands) {
  return points.map(([x, y]) => `M${CELL * x} ${CELL * (height - 1 - y)}${commands}`).join("");
}

/**
 * Return the outline of a placement.
 *
 * @param {Lookup} lookup
 * @param {Placement} placement
 * @returns {string}
 */
export function outlineOf(lookup, { piece, form, anchor }) {
  const { pieces, height } = lookup.shapes;
  const [x, y] = lookup.point(anchor);
  return `M${CELL * x} ${CELL * (height - y)}${pieces[piece]?.outlines[form] ?? ""}`;
}

/**
 * Return the cell at a point of the picture, null beside the board.
 *
 * @param {number} x in units, from the left
 * @param {number} y in units, from the top
 * @param {number} width columns
 * @param {number} height rows
 * @returns {number | null}
 */
export function cellAt(x, y, width, height) {
  const column = Math.floor(x / CELL);
  const row = height - 1 - Math.floor(y / CELL);
  return column < 0 || row < 0 || column >= width || row >= height ? null : column + row * width;
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
 */
export function draw(group, lookup, placement, colour, faults) {
  const { height, glyphs } = lookup.shapes;
  const shape = outlineOf(lookup, placement);
  const wrong = faults.map((cell) => lookup.point(cell));
  /** @type {Record<string, string>} */
  const paths = {
    halo: shape,
    shape,
    mark: inEach(lookup.points(placement), height, glyphs[colour] ?? ""),
    fault: inEach(wrong, height, "h10v10h-10z"),
  };
  if (!group.firstChild) group.append(...PARTS.map(part));
  group.dataset.colour = colour;
  group.dataset.fits = String(lookup.fits(placement));
  for (const name of PARTS) group.querySelector(`.ghost__${name}`)?.setAttribute("d", paths[name] ?? "");
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
