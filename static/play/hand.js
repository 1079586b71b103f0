/**
 * The piece in the hand of whoever looks at a play page, and the elements that show it. What is where, what fits and why
 * not comes with the page (lookup.js).
 */

import { keep, moveTo, take, turn } from "./draft.js";
import { clear, draw } from "./ghost.js";
import { Lookup } from "./lookup.js";

/** @typedef {import("./lookup.js").Placement} Placement */
/** @typedef {import("./lookup.js").PositionData} PositionData */

/** One play page: the draft of whoever looks at it, and the elements that show it. */
export class Hand {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.shapes = JSON.parse(document.getElementById("shapes")?.textContent ?? "null");
    /** @type {Placement | null} */
    this.draft = null;
    /** @type {import("./lookup.js").Point | null} */
    this.tapped = null;
    /** @type {number | null} */
    this.pressed = null;
    this.colour = "";
    this.said = "";
    this.read();
  }

  /** Read the position that the page shows now, and keep the piece in the hand if it can still be placed. */
  read() {
    const text = this.find("#position")?.textContent;
    /** @type {PositionData | null} */
    this.data = text ? JSON.parse(text) : null;
    this.said = "";
    const shown = this.find(".tray:not([hidden])")?.dataset.tray ?? "";
    if (!this.draft || !this.data?.colours[this.colour]) this.colour = shown;
    this.look(this.colour);
    this.draft = this.draft && this.lookup ? keep(this.lookup, this.draft) : null;
    this.show();
  }

  /**
   * Look at one of my colours.
   *
   * @param {string} colour
   */
  look(colour) {
    const data = this.data?.colours[colour];
    this.colour = colour;
    this.lookup = data && this.shapes ? new Lookup(this.shapes, data) : null;
  }

  /**
   * @param {string} selector
   * @returns {HTMLElement | null}
   */
  find(selector) {
    return this.root.querySelector(selector);
  }

  /** Take away what a refusal said, once its reader goes on. */
  dismiss() {
    for (const said of this.all("[role=alert], .fault")) said.remove();
  }

  /** @param {string} piece */
  choose(piece) {
    if (!this.lookup) return;
    this.dismiss();
    const again = this.draft?.piece === piece;
    const middle = /** @type {import("./lookup.js").Point} */ ([
      (this.shapes.column * this.shapes.width) / 20,
      (this.shapes.row * this.shapes.height) / 20,
    ]);
    this.draft = again ? null : take(this.lookup, piece, this.tapped ?? middle);
    this.said = again || this.draft ? "" : this.word("nowhere", piece);
    this.show();
  }

  /**
   * Let go of the piece that is on the board now: a stock may hold another one like it.
   *
   * @param {string} placed as the server reads it
   */
  drop(placed) {
    if (!this.draft || this.lookup?.text(this.draft) !== placed) return;
    this.draft = null;
    this.show();
  }

  /** @param {string} colour */
  switchTo(colour) {
    this.draft = null;
    this.said = "";
    this.look(colour);
    this.show();
  }

  /** @param {string} act */
  act(act) {
    if (!this.draft || !this.lookup) return;
    this.dismiss();
    this.draft = act === "cancel" ? null : turn(this.lookup, this.draft, /** @type {"left" | "right" | "flip"} */ (act));
    this.show();
  }

  /** @param {number} cell */
  tap(cell) {
    if (!this.lookup || this.lookup.off.has(cell)) return;
    this.tapped = this.lookup.spot(cell);
    if (!this.draft) return;
    if (this.isDirect && this.canPlace && this.lookup.cells(this.draft).includes(cell)) {
      /** @type {HTMLFormElement} */ (this.find("#place")).requestSubmit();
      return;
    }
    this.dismiss();
    this.draft = moveTo(this.lookup, this.draft, cell);
    this.show();
  }

  get isDirect() {
    return this.find("#place")?.hasAttribute("data-direct") ?? false;
  }

  /** Whether Place would be accepted as far as the page knows: my turn, this colour's, and it fits. */
  get canPlace() {
    const isTurn = this.find("#place")?.hasAttribute("data-my-turn") && this.data?.toPlay === this.colour;
    return Boolean(isTurn && this.draft && this.lookup?.fits(this.draft));
  }

  /** The placement in the hand as the server reads it, empty if it may not be sent. */
  get text() {
    return this.canPlace && this.draft && this.lookup ? this.lookup.text(this.draft) : "";
  }

  /** Bring the page in line with the draft. */
  show() {
    for (const tray of this.all(".tray")) tray.hidden = tray.dataset.tray !== this.colour;
    for (const button of this.all("[data-tray-of]")) {
      button.setAttribute("aria-pressed", String(button.dataset.trayOf === this.colour));
    }
    const held = this.all("button.slot").find(
      (slot) => /** @type {HTMLButtonElement} */ (slot).value === this.draft?.piece && !slot.closest("[hidden]"),
    );
    for (const slot of this.all("button.slot")) slot.setAttribute("aria-pressed", String(slot === held));
    for (const button of this.all("[data-act]")) /** @type {HTMLButtonElement} */ (button).disabled = !this.draft;
    const place = /** @type {HTMLButtonElement | null} */ (this.find(".actions__place"));
    if (place) place.disabled = !this.canPlace;
    this.showGhost();
  }

  /** Draw the piece in the hand and say whether it fits. */
  showGhost() {
    const group = /** @type {SVGGElement | null} */ (this.root.querySelector("#ghost"));
    if (!group) return;
    const { draft, lookup } = this;
    if (!draft || !lookup) {
      clear(group);
      this.say(this.said, "bad");
      return;
    }
    const faults = lookup.faults(draft);
    draw(group, lookup, draft, this.colour, faults[0]?.cells ?? []);
    this.say(faults[0]?.sentence ?? this.word("fits", draft.piece), faults.length ? "bad" : "good");
  }

  /**
   * Say something in the sentence under the board; nothing brings the server's own words back.
   *
   * @param {string} sentence
   * @param {string} tone
   */
  say(sentence, tone) {
    const place = this.find("[data-say]");
    if (!place) return;
    place.dataset.server ??= place.textContent ?? "";
    const text = sentence || place.dataset.server;
    if (place.textContent !== text) place.textContent = text;
    place.dataset.tone = sentence ? tone : "";
  }

  /**
   * @param {"fits" | "nowhere"} name
   * @param {string} piece
   * @returns {string}
   */
  word(name, piece) {
    return (this.root.dataset[name] ?? "").replace("{piece}", piece);
  }

  /**
   * @param {string} selector
   * @returns {HTMLElement[]}
   */
  all(selector) {
    return [...this.root.querySelectorAll(selector)].map((element) => /** @type {HTMLElement} */ (element));
  }
}
