/**
 * The piece in the hand of the viewer of a play page. What is where, what fits and why not comes with the page
 * (lookup.js); what the hand holds is shown by listeners (shown.js), which hear of every change.
 */

import { again, drag, isSame, keep, moveTo, next, nudge, reform, rest, take, turn } from "../board/draft.js";
import { distance, Lookup } from "../board/lookup.js";

/** @typedef {import("../board/lookup.js").Placement} Placement */
/** @typedef {import("../board/lookup.js").PositionData} PositionData */
/** @typedef {import("../board/lookup.js").Point} Point */
/** @typedef {import("../board/lookup.js").Shapes} Shapes */
/** @typedef {"" | "nowhere" | "gone" | "lost"} News what has happened to the piece, besides what is seen */

/** How near, as a square of cells, two taps are the same place to a finger. */
const SAME = 1.5;

export class Hand {
  /**
   * @param {Shapes} shapes
   * @param {() => void} changed called whenever the hand holds something else, or elsewhere
   */
  constructor(shapes, changed) {
    this.shapes = shapes;
    this.changed = changed;
    /** @type {PositionData | null} */
    this.data = null;
    /** @type {Lookup | null} */
    this.lookup = null;
    /** @type {Placement | null} */
    this.draft = null;
    /** @type {Point | null} where the board was tapped last */
    this.tapped = null;
    this.colour = "";
    /** @type {News} */
    this.news = "";
    /** Whether it is on its way to the board, and stays as it is. */
    this.isFixed = false;
    /** The piece that the news are about. */
    this.about = "";
  }

  /**
   * Go on in a newer position: the piece stays in the hand while it fits anywhere.
   *
   * @param {PositionData | null} data
   * @param {string} shown the colour to look at, unless a piece of another one of mine is held
   */
  read(data, shown) {
    const [held, didFit] = [this.draft, this.fits];
    this.data = data;
    if (!held || !data?.colours[this.colour]) this.colour = shown;
    this.look(this.colour);
    this.draft = held && this.lookup ? keep(this.lookup, held) : null;
    this.news = "";
    if (held && data && !this.draft) this.tell("gone", held.piece);
    else if (held && didFit && !this.fits) this.tell("lost", held.piece);
    this.changed();
  }

  /**
   * Take up again what was kept, as far as it is still true.
   *
   * @param {{colour: string, draft: Placement, didFit: boolean}} kept
   */
  restore({ colour, draft, didFit }) {
    if (!this.data?.colours[colour] || !this.shapes.pieces[draft.piece]?.forms[draft.form]) return;
    this.look(colour);
    this.draft = this.lookup && keep(this.lookup, draft);
    if (!this.draft) this.tell("gone", draft.piece);
    else if (didFit && !this.fits) this.tell("lost", draft.piece);
    this.changed();
  }

  /**
   * @param {News} news
   * @param {string} piece
   */
  tell(news, piece) {
    this.news = news;
    this.about = piece;
  }

  /**
   * Look at one of my colours.
   *
   * @param {string} colour
   */
  look(colour) {
    const data = this.data?.colours[colour];
    this.colour = colour;
    this.lookup = data ? new Lookup(this.shapes, data) : null;
  }

  /** Whether what is held fits where it is. */
  get fits() {
    return Boolean(this.draft && this.lookup?.fits(this.draft));
  }

  /** Whether it is this colour's turn. */
  get isToPlay() {
    return this.data?.toPlay === this.colour;
  }

  /** The placement in the hand as the server reads it, empty if it fits nowhere or is not to play. */
  get text() {
    return this.isToPlay ? this.later : "";
  }

  /** The same, whoever is to play. */
  get later() {
    return this.fits ? /** @type {Lookup} */ (this.lookup).text(/** @type {Placement} */ (this.draft)) : "";
  }

  /**
   * Hold this, here, from now on.
   *
   * @param {Placement | null} draft
   */
  hold(draft) {
    if (this.isFixed) return;
    this.news = "";
    this.draft = draft;
    this.changed();
  }

  /** @param {string} piece */
  choose(piece) {
    if (!this.lookup || this.isFixed) return;
    const draft = take(this.lookup, piece, this.tapped ?? this.middle);
    if (draft) this.hold(draft);
    else {
      this.draft = null;
      this.tell("nowhere", piece);
      this.changed();
    }
  }

  /**
   * Hold a placement of the colour to play where the server has named it, if it still fits there.
   *
   * @param {string} text as the server writes it
   */
  holdText(text) {
    const colour = this.data?.toPlay ?? "";
    if (!this.data?.colours[colour]) return;
    if (colour !== this.colour) this.look(colour);
    const { lookup } = this;
    const draft = lookup?.placements(text.split(":")[0] ?? "").find((placement) => lookup.text(placement) === text);
    if (draft) this.hold(draft);
  }

  /** Take a piece from the tray, or put the one that is held back. @param {string} piece */
  toggle(piece) {
    if (this.draft?.piece === piece) this.hold(null);
    else this.choose(piece);
  }

  /** The middle of the board. */
  get middle() {
    const { column, row, width, height } = this.shapes;
    return /** @type {Point} */ ([(column * width) / 20, (row * height) / 20]);
  }

  /**
   * Let go of the piece that is on the board now: a stock may hold another one like it.
   *
   * @param {string} placed as the server reads it
   */
  drop(placed) {
    this.isFixed = false;
    if (this.draft && this.lookup?.text(this.draft) === placed) this.hold(null);
  }

  /** @param {string} colour */
  switchTo(colour) {
    if (this.isFixed) return;
    this.look(colour);
    this.hold(null);
  }

  /** @param {"cancel" | "left" | "right" | "flip" | "next" | "previous"} act */
  act(act) {
    if (!this.draft || !this.lookup) return;
    if (act === "cancel") this.hold(null);
    else if (act === "next" || act === "previous") this.hold(next(this.lookup, this.draft, act === "next" ? 1 : -1));
    else this.hold(turn(this.lookup, this.draft, act));
  }

  /** @param {number} form */
  reform(form) {
    if (this.draft && this.lookup) this.hold(reform(this.lookup, this.draft, form));
  }

  /**
   * Move by a number of cells, as far as the board goes.
   *
   * @param {Point} step columns to the right and rows up
   * @param {number} count
   */
  nudge(step, count = 1) {
    if (!this.draft || !this.lookup) return;
    let [before, moved] = [this.draft, nudge(this.lookup, this.draft, step)];
    for (let left = count - 1; left > 0 && moved !== before; left -= 1)
      [before, moved] = [moved, nudge(this.lookup, moved, step)];
    this.hold(moved);
  }

  /**
   * Answer a tap on the board: move there; at the same place as before, to the next placement there; on the piece
   * itself turn it.
   *
   * @param {Point} to
   * @param {number} cell
   */
  tap(to, cell) {
    if (!this.lookup || this.lookup.off.has(cell)) return;
    const isSamePlace = this.tapped !== null && distance(this.tapped, to) < SAME;
    this.tapped = isSamePlace ? this.tapped : to;
    if (!this.draft) return;
    const isOnIt = this.lookup.cells(this.draft).includes(cell);
    if (isSamePlace && this.fits) this.hold(again(this.lookup, this.draft, to, cell));
    else if (isOnIt) this.act("right");
    else this.hold(moveTo(this.lookup, this.draft, to, cell));
  }

  /**
   * Hold again what was held before a drag, as far as a live update has left it a place.
   *
   * @param {Placement | null} draft
   */
  putBack(draft) {
    this.hold(draft && this.lookup && keep(this.lookup, draft));
  }

  /**
   * Follow a drag: so far from where it began. A piece that a live update has taken away stays away.
   *
   * @param {Placement} from
   * @param {Point} by in tens of units, y upward
   */
  drag(from, by) {
    if (!this.lookup || !this.draft) return;
    const moved = drag(this.lookup, from, by);
    if (!isSame(moved, this.draft)) this.hold(moved);
  }

  /**
   * Follow a piece dragged from the tray: its middle to a point.
   *
   * @param {Point} to in tens of units, y upward
   */
  hover(to) {
    if (!this.draft || !this.lookup) return;
    this.drag(
      this.draft,
      /** @type {Point} */ (this.lookup.middle(this.draft).map((place, axis) => (to[axis] ?? 0) - place)),
    );
  }

  /** Come to rest after a drag. */
  rest() {
    if (this.draft && this.lookup) this.hold(rest(this.lookup, this.draft));
  }
}
