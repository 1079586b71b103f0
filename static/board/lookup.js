/**
 * Looking up where a piece fits, in the data that came with the page. No rule and no shape is known here: forms, legal
 * anchors and the sets of cells that say "not here" are all the server's.
 *
 * A cell is a number: column + row * width, row 0 at the bottom. An anchor is the lower left cell of the box around a
 * piece.
 */

/** @typedef {[number, number]} Point column and row */
/**
 * @typedef {object} Piece
 * @property {Point[][]} forms
 * @property {string[]} outlines
 * @property {number[]} lean
 * @property {number[]} right
 * @property {number[]} left
 * @property {number[]} flip
 */
/**
 * @typedef {{middle: Point, vertices: Point[], path: string}} Kind how a cell lies, in units from its place, y downward
 */
/**
 * @typedef {object} Shapes
 * @property {number} width
 * @property {number} height
 * @property {number} column units a column is wide
 * @property {number} row units a row is high
 * @property {number} phase
 * @property {Kind[]} kinds
 * @property {string} off the places of the box around the board that are no cells
 * @property {string[]} columns
 * @property {Record<string, string>} glyphs
 * @property {Record<string, Piece>} pieces
 */
/** @typedef {{wants: "none" | "some", code: string, cells: string, sentence: string, lesson?: string}} Check */
/** @typedef {{legal: Record<string, Record<string, number[]>>, checks: Check[]}} ColourData */
/** @typedef {{toPlay: string, colours: Record<string, ColourData>}} PositionData */
/** @typedef {{piece: string, form: number, anchor: number}} Placement */
/** @typedef {{code: string, cells: number[], sentence: string, lesson: string}} Fault */
/**
 * @typedef {{wants: "none" | "some", code: string, cells: Set<number>, sentence: string, lesson?: string}} CellCheck
 */

/**
 * Return the numbers that a list of distances stands for: [3, 1, 4] is 3, 4, 8.
 *
 * @param {number[]} distances
 * @returns {number[]}
 */
export function added(distances) {
  let sum = 0;
  return distances.map((step) => {
    sum += step;
    return sum;
  });
}

/**
 * Return the set of cells that a hexadecimal number stands for: bit n is cell n.
 *
 * @param {string} hex
 * @returns {Set<number>}
 */
export function cellsOfBits(hex) {
  const cells = new Set();
  for (let place = 0; place < hex.length; place += 1) {
    const digit = parseInt(hex[hex.length - 1 - place], 16);
    for (let bit = 0; bit < 4; bit += 1) if (digit & (1 << bit)) cells.add(4 * place + bit);
  }
  return cells;
}

/** Everything one colour can look up in one position. */
export class Lookup {
  /**
   * @param {Shapes} shapes
   * @param {ColourData} data
   */
  constructor(shapes, data) {
    this.shapes = shapes;
    this.width = shapes.width;
    this.off = cellsOfBits(shapes.off);
    /** @type {Map<string, Map<number, Set<number>>>} */
    this.legal = new Map();
    for (const [piece, forms] of Object.entries(data.legal)) {
      const found = Object.entries(forms).map(
        ([form, steps]) => /** @type {[number, Set<number>]} */ ([Number(form), new Set(added(steps))]),
      );
      this.legal.set(piece, new Map(found));
    }
    /** @type {CellCheck[]} */
    this.checks = data.checks.map((check) => ({ ...check, cells: cellsOfBits(check.cells) }));
    /**
     * What has been asked before, by piece and form, then by anchor: each frame of a drag asks for every one.
     *
     * @type {Map<string, Point[]>}
     */
    this.middles = new Map();
    /** The cells to reach: own corners, or start cells before the first piece. */
    this.corners = this.checks.find(({ wants }) => wants === "some")?.cells ?? new Set();
  }

  /**
   * @param {string} piece
   * @returns {Placement[]} every legal placement of the piece, by form, then by place
   */
  placements(piece) {
    const forms = [...(this.legal.get(piece) ?? [])].sort(([one], [other]) => one - other);
    return forms.flatMap(([form, anchors]) =>
      [...anchors].sort((a, b) => a - b).map((anchor) => ({ piece, form, anchor })),
    );
  }

  /**
   * @param {Placement} placement
   * @returns {boolean} whether the server has said that this is legal
   */
  fits({ piece, form, anchor }) {
    return this.legal.get(piece)?.get(form)?.has(anchor) ?? false;
  }

  /**
   * @param {Placement} placement
   * @returns {Point[]} the columns and rows it covers, bottom row first
   */
  points({ piece, form, anchor }) {
    const [x, y] = [anchor % this.width, Math.floor(anchor / this.width)];
    return this.shapes.pieces[piece].forms[form].map(([dx, dy]) => [x + dx, y + dy]);
  }

  /**
   * @param {Placement} placement
   * @returns {number[]} the cells it covers
   */
  cells(placement) {
    return this.points(placement).map(([x, y]) => x + y * this.width);
  }

  /**
   * @param {number} cell
   * @returns {string} its name, such as a1
   */
  name(cell) {
    return `${this.shapes.columns[cell % this.width]}${Math.floor(cell / this.width) + 1}`;
  }

  /**
   * @param {Placement} placement
   * @returns {string} the text the server reads: "V3:a1,b1,a2"
   */
  text(placement) {
    return `${placement.piece}:${this.cells(placement)
      .map((cell) => this.name(cell))
      .join(",")}`;
  }

  /**
   * Return why it does not fit: each fault with the cells to mark, its sentence and its lesson, if there is one.
   * Nothing where it fits.
   *
   * @param {Placement} placement
   * @returns {Fault[]}
   */
  faults(placement) {
    if (this.fits(placement)) return [];
    const cells = this.cells(placement);
    return this.checks.flatMap(({ wants, code, cells: set, sentence, lesson = "" }) => {
      const met = cells.filter((cell) => set.has(cell));
      if (wants === "none" ? met.length === 0 : met.length > 0) return [];
      const named = wants === "none" ? met : [...set];
      const names = named.map((cell) => this.name(cell)).join(", ");
      return [{ code, cells: wants === "none" ? met : cells, sentence: sentence.replace("%(cells)s", names), lesson }];
    });
  }

  /**
   * @param {Placement} placement
   * @returns {Point} the middle of the cells it covers, as `spot` gives it
   */
  middle(placement) {
    const form = `${placement.piece} ${placement.form}`;
    const known = this.middles.get(form) ?? [];
    this.middles.set(form, known);
    known[placement.anchor] ??= this.middleOf(placement);
    return known[placement.anchor];
  }

  /**
   * @param {Placement} placement
   * @returns {Point}
   */
  middleOf(placement) {
    const points = this.points(placement);
    const sum = points
      .map((point) => spotOf(this.shapes, point))
      .reduce(([sx, sy], [x, y]) => [sx + x, sy + y], [0, 0]);
    return [sum[0] / points.length, sum[1] / points.length];
  }

  /**
   * Return the legal placements of a piece, in one form or in any, the nearest to a point first.
   *
   * @param {string} piece
   * @param {number | null} form
   * @param {Point} to
   * @returns {Placement[]}
   */
  nearest(piece, form, to) {
    /** @type {[number, Placement][]} */
    const found = [];
    for (const [number, anchors] of this.legal.get(piece) ?? []) {
      if (form !== null && number !== form) continue;
      for (const anchor of anchors) {
        const placement = { piece, form: number, anchor };
        found.push([distance(this.middle(placement), to), placement]);
      }
    }
    return found.sort((one, other) => one[0] - other[0]).map(([, placement]) => placement);
  }

  /**
   * Return the anchor that brings the middle of a form as near to a point as the board allows.
   *
   * @param {string} piece
   * @param {number} form
   * @param {Point} to
   * @returns {number}
   */
  centred(piece, form, to) {
    const { forms, lean } = this.shapes.pieces[piece];
    const [wide, high] = [0, 1].map((axis) => Math.max(...forms[form].map((point) => point[axis])) + 1);
    /** @type {[number, number]} */
    let best = [Infinity, 0];
    for (let y = 0; y <= this.shapes.height - high; y += 1) {
      for (let x = 0; x <= this.shapes.width - wide; x += 1) {
        if ((x + y) % this.shapes.kinds.length !== lean[form]) continue;
        const anchor = x + y * this.width;
        const away = distance(this.middle({ piece, form, anchor }), to);
        if (away < best[0]) best = [away, anchor];
      }
    }
    return best[1];
  }

  /**
   * @param {number} cell
   * @returns {Point} its column and row
   */
  point(cell) {
    return [cell % this.width, Math.floor(cell / this.width)];
  }

  /**
   * @param {number} cell
   * @returns {Point} its middle, in tens of units from the lower left corner of the box around the board, y upward
   */
  spot(cell) {
    return spotOf(this.shapes, this.point(cell));
  }
}

/**
 * @param {Shapes} shapes
 * @param {Point} point
 * @returns {Kind} how the cell there lies
 */
export function kindOf(shapes, [x, y]) {
  return shapes.kinds[(x + y + shapes.phase) % shapes.kinds.length];
}

/**
 * @param {Shapes} shapes
 * @param {Point} point
 * @returns {Point} the middle of the cell there, in tens of units, y upward
 */
function spotOf(shapes, point) {
  const [mx, my] = kindOf(shapes, point).middle;
  return [(shapes.column * point[0] + mx) / 10, (shapes.row * point[1] - my) / 10];
}

/**
 * @param {Point} one
 * @param {Point} other
 * @returns {number} the square of how far apart they are, in tens of units: squares are one of them wide
 */
export function distance(one, other) {
  return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2;
}
