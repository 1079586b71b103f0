/**
 * `data-behaviour="spoken"`: the game in words. Everything on it is a form, a link or a table and works without this; here
 * answers of the server replace the game, what is typed stays, and a lost connection is told.
 */

import "../realtime/live.js";
import { register } from "../site/behaviours.js";
import { mount as countDown } from "../site/countdown.js";
import { mayReplace, versionIn } from "./guard.js";
import { mount as walk } from "./textboard.js";

/** @typedef {CustomEvent<{ctx: {sourceElement: Element, text?: string, response?: {status: number}}}>} HtmxEvent */

class Spoken {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Element | null} */
    this.focused = null;
  }

  get shown() {
    return Number(this.root.querySelector("#game")?.getAttribute("data-version"));
  }

  /**
   * Say that something sent did not get through, or take it back.
   *
   * @param {boolean} isLost
   */
  tell(isLost) {
    const place = /** @type {HTMLElement | null} */ (this.root.querySelector("[data-lost]"));
    if (place) place.textContent = (isLost && place.dataset.lost) || "";
  }

  /** @param {HtmxEvent} event */
  judge(event) {
    const { text = "", response, sourceElement } = event.detail.ctx;
    const isLook = sourceElement.id === "game";
    const isReading = this.root.querySelector("#notice, #draft") !== null;
    if (!isLook) this.tell((response?.status ?? 500) >= 500);
    const version = versionIn(text);
    if (!mayReplace({ version, isLook }, this.shown, isReading)) {
      event.preventDefault();
      return;
    }
    setTimeout(() => this.find(), 0);
    // What has been placed is no longer to be typed.
    if (sourceElement.matches("form[method=post]") && Number(version) > this.shown && response?.status === 200) {
      this.clear();
    }
  }

  /** Go where play goes on, if what had the focus is gone. */
  find() {
    if (document.activeElement !== document.body || !this.hadFocus) return;
    /** @type {HTMLElement | null} */ (this.root.querySelector("#text, #turn button"))?.focus();
  }

  get hadFocus() {
    return this.focused !== null && !this.focused.isConnected;
  }

  clear() {
    const typed = /** @type {HTMLInputElement | null} */ (this.root.querySelector("#text"));
    if (typed) typed.value = "";
  }
}

/**
 * @param {HTMLElement} root
 * @returns {() => void}
 */
export function mount(root) {
  const spoken = new Spoken(root);
  const leaving = new AbortController();
  const on = (/** @type {string} */ name, /** @type {(event: any) => void} */ hear) =>
    root.addEventListener(name, hear, { signal: leaving.signal });
  on("focusin", (event) => (spoken.focused = event.target));
  on("htmx:before:swap", (event) => spoken.judge(event));
  on("htmx:error", (event) => event.detail.ctx?.sourceElement?.id !== "game" && spoken.tell(true));
  return () => leaving.abort();
}

register("spoken", mount);
register("text-board", walk);
register("countdown", countDown);
