/** Hearing the keys on a play page, and doing what they ask for. What each key means stands in keys.js. */

import { belongsTo, pieceNamed, walked, wishOf } from "../board/keys.js";

/**
 * @typedef {object} Page
 * @property {HTMLElement} root
 * @property {import("./hand.js").Hand} hand
 * @property {import("./shown.js").Shown} shown
 * @property {import("../board/view.js").View} view
 * @property {import("../board/likes.js").Likes} likes
 * @property {(act: string) => void} act
 * @property {(step: import("../board/lookup.js").Point) => void} step
 * @property {(view: string) => void} see
 * @property {() => void} submit
 */

const ACTS = ["cancel", "right", "left", "flip", "next", "previous"];

export class Keyboard {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    document.addEventListener("keydown", (event) => this.hear(event), { signal });
    this.page.root.addEventListener("submit", (event) => this.pick(event), { signal });
  }

  /** @param {KeyboardEvent} event */
  hear(event) {
    const focused = document.activeElement;
    if (event.defaultPrevented || event.isComposing || this.isCovered || belongsTo(focused, event)) return;
    const wish = wishOf(event, this.page.likes.keys);
    if (!wish || !("step" in wish ? this.walk(focused, wish.step) : this.grant(wish.name))) return;
    event.preventDefault();
  }

  /** Whether a menu or dialog lies over the page, wherever the focus is: keys are for closing it. */
  get isCovered() {
    // Within `:is` a browser passes over what it does not know.
    return document.querySelector(":is(dialog[open], :popover-open)") !== null;
  }

  /**
   * Move along the tray, or else the piece in the hand.
   *
   * @param {Element | null} focused
   * @param {import("../board/lookup.js").Point} step
   * @returns {boolean} whether anything could move
   */
  walk(focused, step) {
    const { hand, shown } = this.page;
    if (focused?.matches("button.slot")) {
      const slots = shown.all(".tray:not([hidden]) .slot");
      const columns = new Set(slots.map((slot) => slot.offsetLeft)).size;
      let at = slots.indexOf(/** @type {HTMLElement} */ (focused));
      // Places of spent pieces are passed over.
      do at = walked(at, step, slots.length, columns);
      while (!slots[at]?.matches("button") && walked(at, step, slots.length, columns) !== at);
      if (slots[at]?.matches("button")) this.enter(slots, at);
      return true;
    }
    if (!hand.draft) return false;
    this.page.step(step);
    return true;
  }

  /**
   * @param {HTMLElement[]} slots
   * @param {number} at
   */
  enter(slots, at) {
    for (const [number, slot] of slots.entries()) slot.tabIndex = number === at ? 0 : -1;
    slots[at]?.focus();
  }

  /**
   * @param {string} name
   * @returns {boolean} whether there was anything to do
   */
  grant(name) {
    const { hand, shown } = this.page;
    if (ACTS.includes(name)) {
      if (!hand.draft) return false;
      this.page.act(name);
      return true;
    }
    if (name === "place") return this.place();
    if (name === "large" || name === "turn") this.page.see(name);
    else if (name === "list") /** @type {HTMLAnchorElement | null} */ (shown.find("a[data-list]"))?.click();
    else if (name === "since") /** @type {HTMLAnchorElement | null} */ (shown.find("a[data-since]"))?.click();
    else if (name === "scores" || name === "board") shown.say(this.summary(name), "info");
    else this.open(name);
    return true;
  }

  /**
   * @param {string} name
   * @returns {string} what the page shows, in words
   */
  summary(name) {
    const { shown } = this.page;
    if (name === "board") return shown.find("#board")?.getAttribute("aria-label") ?? "";
    const line = (/** @type {HTMLElement} */ player) =>
      [".player__name", ".player__score"].map((part) => player.querySelector(part)?.textContent?.trim()).join(" ");
    return shown.all(".player").map(line).join(", ");
  }

  /**
   * Place what is held: at once where that is liked, else by a second press of the key. Where it is not to be placed
   * yet, a second press leads to the player's plan.
   *
   * @returns {boolean}
   */
  place() {
    const { shown } = this.page;
    const button = shown.find(".actions__place:enabled, [data-plan]:not([hidden])");
    if (!button) return false;
    if (shown.isDirect) this.page.submit();
    else {
      button.focus();
      shown.say(button.dataset.confirm?.replace("{piece}", this.page.hand.draft?.piece ?? "") ?? "", "good");
    }
    return true;
  }

  /** @param {string} name of a popover: "keys" or "pick" */
  open(name) {
    const popover = this.page.shown.find(`#${name}`);
    popover?.showPopover?.();
    popover?.querySelector("input")?.focus();
  }

  /**
   * Take the piece whose name was typed.
   *
   * @param {Event} event
   */
  pick(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.hasAttribute("data-pick")) return;
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (form.elements.namedItem("piece"));
    const slots = this.page.shown
      .all(".tray:not([hidden]) button.slot")
      .map((slot) => /** @type {HTMLButtonElement} */ (slot).value);
    const piece = pieceNamed(input.value, [...new Set(slots)]);
    const fault = /** @type {HTMLElement | null} */ (form.querySelector("[data-fault]"));
    if (fault) fault.hidden = piece !== null;
    input.setAttribute("aria-invalid", String(piece === null));
    if (piece === null) return;
    input.value = "";
    /** @type {HTMLElement | null} */ (form.closest("[popover]"))?.hidePopover();
    this.page.shown.dismiss();
    this.page.hand.choose(piece);
    this.page.view.board?.focus({ preventScroll: true });
  }
}
