/**
 * The analysis board: the hand of the play page, whose placements are tried and never sent as moves. Each step asks the
 * server, and what it answers replaces the board.
 */

import { belongsTo } from "../board/keys.js";
import { mountSwipe } from "../board/swipe.js";
import { Desk } from "../play/desk.js";
import { KeptBranches } from "./kept.js";
import { wayOf } from "./ways.js";

export class Analysis extends Desk {
  /** @param {AbortSignal} signal */
  start(signal) {
    this.listen(signal);
    // Before htmx, which listens on the form itself, collects its fields.
    this.root.addEventListener("submit", (event) => this.fill(event), { signal, capture: true });
    const sayUnsent = () => this.shown.say(this.root.dataset.offline ?? "", "bad");
    this.root.addEventListener("htmx:error", sayUnsent, { signal });
    this.root.addEventListener("htmx:after:swap", () => this.arrive(), { signal });
    // After the keys of the hand, which take what they need.
    document.addEventListener("keydown", (event) => this.walk(event), { signal });
    const go = (/** @type {string} */ way) => this.shown.find(`[data-go=${way}][href]`)?.click();
    mountSwipe(this.root, go, signal, () => !this.hand.draft && !this.root.querySelector("#board[data-large]"));
    const turn = (/** @type {string} */ way) => go(way === "forward" ? "down" : "up");
    mountSwipe(this.root, turn, signal, () => !this.hand.draft, ".branches__here");
    this.read();
    this.kept = new KeptBranches(location.pathname);
    this.kept.see(this.edition);
    document.addEventListener("visibilitychange", () => document.hidden && this.kept?.keep(), { signal });
    signal.addEventListener("abort", () => this.kept?.keep());
  }

  /** How often the branches were changed, as the page says. */
  get edition() {
    return /** @type {HTMLInputElement | null} */ (this.root.querySelector("input[name=edition]"))?.value ?? "";
  }

  /** Put what is in the hand into the form that tries it. @param {SubmitEvent} event */
  fill(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const field = form.id === "place" ? form.querySelector("input[name=placement]") : null;
    if (!field) return;
    const { text } = this.hand;
    /** @type {HTMLInputElement} */ (field).value = text;
    if (text) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Another position has come: the piece in the hand was for the one before. */
  arrive() {
    this.hand.draft = null;
    this.read();
    this.kept?.see(this.edition);
    // What was pressed may have gone with the place before.
    if (document.activeElement === document.body) this.view.board?.focus({ preventScroll: true });
  }

  /** Go where a key leads that the hand has no use for. @param {KeyboardEvent} event */
  walk(event) {
    if (event.defaultPrevented || this.keyboard.isCovered || belongsTo(document.activeElement, event)) return;
    const selector = wayOf(event);
    const way = selector ? /** @type {HTMLElement | null} */ (this.shown.find(selector)) : null;
    if (!way) return;
    event.preventDefault();
    way.click();
  }
}

/**
 * @param {HTMLElement} element
 * @returns {() => void}
 */
export function mount(element) {
  const leaving = new AbortController();
  new Analysis(element).start(leaving.signal);
  return () => leaving.abort();
}
