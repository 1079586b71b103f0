/** A lesson in the hand: the piece follows fingers, mouse and keys, and is sent to be judged by the server. */

import { drag, isSame, nudge } from "../board/draft.js";
import { cellAt, draw } from "../board/ghost.js";
import { belongsTo, wishOf } from "../board/keys.js";
import { boardLikes } from "../board/likes.js";
import { Lookup } from "../board/lookup.js";
import { register } from "../site/behaviours.js";
import { heldIn, sentenceOf, tapped, turned } from "./attempt.js";

/** @typedef {import("../board/lookup.js").Placement} Placement */
/** @typedef {import("../board/lookup.js").Point} Point */
/** @typedef {{id: number, at: Point, held: Placement, isDrag: boolean}} Press */

/** Units of the board that a finger may tremble before it drags. */
const STILL = 2.5;

/**
 * Go to where the answer would stand by itself, if the server broke down: that page says so, and it can be reloaded.
 *
 * @param {CustomEvent<{ctx: {response?: {status: number, raw: Response}}}>} event
 */
function judge(event) {
  const { response } = event.detail.ctx;
  if (!response || response.status < 500) return;
  event.preventDefault();
  location.assign(response.raw.url);
}

class Lesson {
  /** @param {HTMLElement} root `data-fits` and `data-lies` are sentences, with `{piece}` and `{cells}` in the latter */
  constructor(root) {
    this.root = root;
    /** @type {Lookup | null} */
    this.lookup = null;
    /** @type {Placement | null} */
    this.held = null;
    /** @type {Placement | null} */
    this.first = null;
    /** @type {Press | null} */
    this.press = null;
    this.colour = "";
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    const on = (/** @type {string} */ name, /** @type {(event: any) => void} */ hear, capture = false) =>
      this.root.addEventListener(name, hear, { signal, capture });
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.move(event));
    on("pointerup", (event) => this.up(event));
    on("pointercancel", () => this.cancel());
    on("click", (event) => this.click(event));
    // Before htmx, which listens on the form itself, collects its fields.
    on("submit", (event) => this.fill(event), true);
    on("htmx:before:swap", (event) => judge(event));
    on("htmx:after:swap", () => this.answered());
    document.addEventListener("keydown", (event) => this.key(event), { signal });
    this.read();
  }

  /**
   * @param {string} selector
   * @returns {any}
   */
  find(selector) {
    return this.root.querySelector(selector);
  }

  /** Read the lesson that the page shows now, with the piece where the server has drawn it. */
  read() {
    const ghost = this.find("#ghost");
    this.held = ghost && heldIn(ghost.dataset);
    this.first = this.held;
    this.colour = ghost?.dataset.colour ?? "";
    this.root.toggleAttribute("data-held", Boolean(this.held));
    this.lookup = null;
    if (!this.held) return;
    const data = JSON.parse(this.find("#position").textContent);
    this.lookup = new Lookup(JSON.parse(this.find("#shapes").textContent), data.colours[this.colour]);
  }

  /** Go on with what the server has answered; after a right attempt the next step is at hand. */
  answered() {
    this.read();
    this.find("[data-next]")?.focus();
  }

  /**
   * Hold the piece like this, and say how it lies.
   *
   * @param {Placement} held
   */
  hold(held) {
    if (!this.lookup || !this.held || isSame(held, this.held)) return;
    this.held = held;
    draw(this.find("#ghost"), this.lookup, held, this.colour, this.lookup.faults(held)[0]?.cells ?? [], 0);
    const cells = this.lookup
      .cells(held)
      .map((cell) => this.lookup?.name(cell))
      .join(", ");
    const where = (this.root.dataset.lies ?? "").replace("{piece}", held.piece).replace("{cells}", cells);
    this.say(where, sentenceOf(this.lookup, held, this.root.dataset.fits ?? ""));
  }

  /**
   * Say something of the piece in place of what was said before.
   *
   * @param {string} where
   * @param {string} sentence
   */
  say(where, sentence) {
    for (const old of this.root.querySelectorAll("[data-answer], .lesson__how")) old.remove();
    const live = this.find("[data-live]");
    live.hidden = false;
    live.dataset.tone = this.lookup && this.held && this.lookup.fits(this.held) ? "good" : "bad";
    this.find("[data-where]").textContent = where;
    this.find("[data-say]").textContent = sentence;
  }

  /**
   * @param {PointerEvent} event
   * @returns {Point | null} the point of the board there, in units, y downward
   */
  pointOf(event) {
    const matrix = this.find("#board")?.getScreenCTM();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [x, y];
  }

  /** @param {PointerEvent} event */
  down(event) {
    const at = this.pointOf(event);
    const isOnBoard = /** @type {Element} */ (event.target).closest("#board");
    if (!this.held || !at || !isOnBoard || !event.isPrimary || event.button > 0) return;
    this.press = { id: event.pointerId, at, held: this.held, isDrag: false };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const at = this.pointOf(event);
    if (!this.press || !this.lookup || !at || event.pointerId !== this.press.id) return;
    const [x, y] = [at[0] - this.press.at[0], at[1] - this.press.at[1]];
    if (!this.press.isDrag && Math.hypot(x, y) < STILL) return;
    if (!this.press.isDrag) this.find("#board").setPointerCapture(event.pointerId);
    this.press.isDrag = true;
    this.hold(drag(this.lookup, this.press.held, [x / 10, -y / 10]));
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { press, lookup, held } = this;
    this.press = null;
    if (!press || press.isDrag || !lookup || !held || event.pointerId !== press.id) return;
    const cell = cellAt(press.at[0], press.at[1], lookup.shapes);
    if (cell !== null) this.hold(tapped(lookup, held, cell));
  }

  /** What the browser takes over was no drag: the piece goes back. */
  cancel() {
    if (this.press) this.hold(this.press.held);
    this.press = null;
  }

  /** @param {MouseEvent} event */
  click(event) {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-act]"));
    if (button) this.act(button.dataset.act ?? "");
  }

  /**
   * @param {string} act
   * @returns {boolean} whether there was anything to do
   */
  act(act) {
    if (!this.lookup || !this.held) return false;
    if (act === "right" || act === "left" || act === "flip") this.hold(turned(this.lookup, this.held, act));
    else if (act === "cancel" && this.first) this.hold(this.first);
    else if (act === "place") this.find("#attempt").requestSubmit();
    else return false;
    return true;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const focused = document.activeElement;
    const isHere = !focused || focused === document.body || this.root.contains(focused);
    if (!isHere || !this.lookup || !this.held || event.defaultPrevented || belongsTo(focused, event)) return;
    const wish = wishOf(event, boardLikes().keys);
    if (!wish) return;
    if ("name" in wish ? !this.act(wish.name) : !this.step(wish.step)) return;
    event.preventDefault();
  }

  /**
   * @param {Point} step
   * @returns {boolean} whether that is a step of one cell
   */
  step([dx, dy]) {
    if (!this.lookup || !this.held || Math.abs(dx) + Math.abs(dy) !== 1) return false;
    this.hold(nudge(this.lookup, this.held, [dx, dy]));
    return true;
  }

  /** @param {SubmitEvent} event */
  fill(event) {
    if (event.submitter?.hasAttribute("value") || !this.lookup || !this.held) return;
    this.find("#attempt input[name=placement]").value = this.lookup.text(this.held);
    // The same answer as before is news too.
    this.say("", "");
  }
}

register("learn", (element) => {
  const leaving = new AbortController();
  new Lesson(element).listen(leaving.signal);
  return () => leaving.abort();
});
