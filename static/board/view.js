/**
 * How the board is seen: turned by quarters, so that one's own corner lies near, and twice as large around a point.
 *
 * The server draws the board upright. Turning moves the picture as a whole; letters, numbers and the glyphs of the
 * colours stay upright.
 */

/** @typedef {import("./lookup.js").Point} Point */
/** @typedef {import("./lookup.js").Shapes} Shapes */

/** The namespace of what is drawn. */
export const SVG = "http://www.w3.org/2000/svg";

/** How far from the middle of the part that is shown a piece may lie, as a part of its size. */
const INNER = 0.25;

/** Pixels that a name of a column or row is high at least. */
const LEGIBLE = 8;

/**
 * Return a point turned clockwise by quarters about the middle of a box that is so wide and high.
 *
 * @param {Point} point x and y, y downward
 * @param {number} quarters
 * @param {Point} size
 * @returns {Point}
 */
export function turned([x, y], quarters, [width, height]) {
  const [dx, dy] = [x - width / 2, y - height / 2];
  const [tx, ty] = /** @type {Point[]} */ ([
    [dx, dy],
    [-dy, dx],
    [-dx, -dy],
    [dy, -dx],
  ])[((quarters % 4) + 4) % 4] ?? [dx, dy];
  return [width / 2 + tx, height / 2 + ty];
}

/**
 * Return the direction on the board of a step that is seen on a board turned by quarters.
 *
 * @param {Point} step to the right and up
 * @param {number} quarters
 * @returns {Point}
 */
export function stepOnBoard([right, up], quarters) {
  const [x, y] = turned([right, -up], -quarters, [0, 0]);
  return [x || 0, -y || 0];
}

/**
 * Return a path of marks, each drawn from the middle of its cell, where the cells come to lie when the board is turned.
 *
 * @param {string} path absolute moves followed by relative commands
 * @param {number} quarters
 * @param {Point} size
 * @returns {string}
 */
export function uprightMarks(path, quarters, size) {
  return path.replace(
    /M(-?[\d.]+)[ ,](-?[\d.]+)/g,
    (_, x, y) =>
      `M${turned([Number(x), Number(y)], quarters, size)
        .map(tenths)
        .join(" ")}`,
  );
}

/**
 * @param {number} value
 * @returns {number}
 */
function tenths(value) {
  return Math.round(10 * value) / 10;
}

export class View {
  /**
   * @param {HTMLElement} root
   * @param {Shapes} shapes
   */
  constructor(root, shapes) {
    this.root = root;
    this.shapes = shapes;
    this.turn = 0;
    this.isLarge = false;
    /** @type {Point} the middle of the part that is shown, in the board's own units */
    this.centre = [0, 0];
  }

  get board() {
    return /** @type {SVGSVGElement | null} */ (this.root.querySelector("#board"));
  }

  get turning() {
    return /** @type {SVGGElement | null} */ (this.root.querySelector("#turning"));
  }

  /** Width and height of the board, in units. @returns {Point} */
  get size() {
    const [, , width = 0, height = 0] = (this.board?.dataset.box ?? "").split(" ").map(Number);
    return [width, height];
  }

  /** By how many quarters this lattice can be turned at a time: triangles lie as before only upside down. */
  get quarters() {
    return this.shapes.kinds.length > 1 ? 2 : 1;
  }

  /**
   * Return the point of the board under a point of the screen.
   *
   * @param {number} x
   * @param {number} y
   * @returns {Point | null} in units, y downward, null without a board
   */
  pointAt(x, y) {
    const matrix = this.turning?.getScreenCTM();
    if (!matrix) return null;
    const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    return [point.x, point.y];
  }

  /**
   * Return the direction on the board of a step that is seen.
   *
   * @param {Point} step to the right and up
   * @returns {Point}
   */
  stepOnBoard(step) {
    return stepOnBoard(step, this.turn);
  }

  /**
   * Return a point as look-ups have it in units of the picture.
   *
   * @param {Point} spot in tens of units, y upward
   * @returns {Point}
   */
  unspot([x, y]) {
    return [10 * x, this.size[1] - 10 * y];
  }

  /**
   * Bring the picture in line: after a change of the view, and after the server has drawn the board again.
   */
  apply() {
    const { board, turning, size } = this;
    if (!board || !turning) return;
    // Seen from its side a board that is higher than wide needs another box.
    const [width, height] = this.turn % 2 ? [size[1], size[0]] : size;
    turning.setAttribute("transform", this.turn ? this.transform([width, height]) : "");
    board.dataset.turn = String(this.turn);
    board.toggleAttribute("data-large", this.isLarge);
    board.setAttribute("viewBox", this.isLarge ? this.part([width, height]) : `0 0 ${width} ${height}`);
    this.markUpright();
    this.label();
  }

  /**
   * @param {Point} seen the size of the turned board
   * @returns {string}
   */
  transform([width, height]) {
    const [w, h] = this.size;
    return `translate(${width / 2} ${height / 2}) rotate(${90 * this.turn}) translate(${-w / 2} ${-h / 2})`;
  }

  /**
   * @param {Point} seen
   * @returns {string} the viewBox of the half that lies around the centre
   */
  part([width, height]) {
    const [x, y] = this.seen(this.centre);
    const left = Math.min(Math.max(x - width / 4, 0), width / 2);
    const top = Math.min(Math.max(y - height / 4, 0), height / 2);
    return `${tenths(left)} ${tenths(top)} ${width / 2} ${height / 2}`;
  }

  /**
   * Return where a point of the board lies in the turned picture.
   *
   * @param {Point} point
   * @returns {Point}
   */
  seen(point) {
    const [w, h] = this.size;
    const [x, y] = turned(point, this.turn, [w, h]);
    const [width, height] = this.turn % 2 ? [h, w] : [w, h];
    return [x + (width - w) / 2, y + (height - h) / 2];
  }

  /**
   * Show the part around a point, unless it is well in sight already.
   *
   * @param {Point} point
   */
  lookAt(point) {
    const [width, height] = this.size;
    const isInSight =
      Math.abs(point[0] - this.centre[0]) < INNER * width && Math.abs(point[1] - this.centre[1]) < INNER * height;
    if (!this.isLarge || isInSight) return;
    this.centre = point;
    this.apply();
  }

  /**
   * Move the part that is shown.
   *
   * @param {Point} from the centre when the drag began
   * @param {Point} by how far the board has been dragged, in units
   */
  pan(from, by) {
    const [width, height] = this.size;
    const within = (/** @type {number} */ value, /** @type {number} */ most) =>
      Math.min(Math.max(value, most / 4), (3 * most) / 4);
    this.centre = [within(from[0] - by[0], width), within(from[1] - by[1], height)];
    this.apply();
  }

  /** Keep the glyphs of the placed pieces upright. */
  markUpright() {
    for (const mark of this.root.querySelectorAll("#board .glyph[data-colour]")) {
      const path = mark.getAttribute("data-path") ?? mark.getAttribute("d") ?? "";
      const upright = this.turn ? `rotate(${-90 * this.turn})` : "";
      if (upright) mark.setAttribute("data-path", path);
      else mark.removeAttribute("data-path");
      // The marks are turned back about the origin, their places forth.
      mark.setAttribute("transform", upright);
      mark.setAttribute("d", this.turn ? uprightMarks(path, this.turn, [0, 0]) : path);
    }
  }

  /**
   * Write names of columns and rows where the server's own do not serve: at the sides of a turned board, and larger and
   * fewer where the board is too small to read them all.
   */
  label() {
    const labels = this.root.querySelector("#labels");
    if (!labels || !this.board) return;
    labels.replaceChildren();
    const [width] = this.turn % 2 ? [this.size[1]] : this.size;
    const size = Number(this.root.querySelector(".board__letters")?.getAttribute("font-size"));
    const pixels = this.board.clientWidth / width;
    const isSmall = pixels > 0 && size * pixels < LEGIBLE;
    if (this.turn || isSmall) labels.append(...this.names(isSmall ? LEGIBLE / pixels : size, isSmall).map(written));
  }

  /**
   * Return the names to write, each with where its middle lies in the turned picture and its size.
   *
   * @param {number} size in units
   * @param {boolean} isFew whether the first and every fifth are enough
   * @returns {{text: string, at: Point, size: number}[]}
   */
  names(size, isFew) {
    const { column, row, columns, kinds, height } = this.shapes;
    const step = isFew ? 5 : Math.ceil((2.65 * size) / column);
    const isShown = (/** @type {number} */ number) =>
      isFew ? number === 0 || (number + 1) % step === 0 : number % step === 0;
    const x = (/** @type {number} */ number) => column * number + (kinds[0]?.middle[0] ?? column / 2);
    // Names stand on the frame, or beyond one that is too narrow for them.
    const frame = (this.board?.clientLeft ?? 0) * (size / LEGIBLE);
    const away = isFew ? 0.55 * size + (frame < size ? frame : 0) : 0.8 * size;
    const across = columns.map((text, number) => ({ number, text, point: [x(number), this.size[1] + 1.3 * away] }));
    const up = Array.from({ length: height }, (_, number) => ({
      number,
      text: String(number + 1),
      point: [-away, row * (height - number - 0.5)],
    }));
    const shown = [
      ...across.filter(({ number }) => isShown(number)),
      ...up.filter(({ number }) => !isFew || isShown(number)),
    ];
    return shown.map(({ text, point }) => ({ text, at: this.seen(/** @type {Point} */ (point)), size }));
  }
}

/**
 * @param {{text: string, at: Point, size: number}} name
 * @returns {SVGTextElement}
 */
function written({ text, at: [x, y], size }) {
  const label = document.createElementNS(SVG, "text");
  label.setAttribute("x", String(tenths(x)));
  label.setAttribute("y", String(tenths(y + 0.35 * size)));
  label.setAttribute("font-size", String(tenths(size)));
  label.textContent = text;
  return label;
}
