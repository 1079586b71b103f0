/**
 * `data-behaviour="spoken"`: the game in words. Everything on it is a form, a link or a table and works without this;
 * here answers of the server replace the game, what is typed stays, and a lost connection is announced.
 */

import { dueIn, needsPage, versionIn } from "../realtime/answer.js";
import "../realtime/live.js";
import { register } from "../site/behaviours.js";
import { mount as countDown } from "../site/countdown.js";
import { mayReplace } from "./guard.js";
import { mount as walk } from "./textboard.js";
import { inWords } from "./time_left.js";

/** @typedef {CustomEvent<{ctx: {sourceElement: Element, text?: string, response?: {status: number}}}>} HtmxEvent */

class Spoken {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Element | null} */
    this.focused = null;
  }

  get game() {
    return /** @type {HTMLElement | null} */ (this.root.querySelector("#game"));
  }

  get shown() {
    return Number(this.game?.dataset.version);
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
    const status = response?.status ?? 500;
    const isLook = sourceElement.id === "game";
    if (!isLook) this.tell(status >= 500);
    if (needsPage({ text, status, isLook }, this.game?.dataset.mode)) {
      event.preventDefault();
      location.reload();
      return;
    }
    const isReading = this.root.querySelector("#notice, #draft") !== null;
    const version = versionIn(text);
    if (!mayReplace({ version, isLook }, this.shown, isReading)) {
      event.preventDefault();
      return;
    }
    setTimeout(() => this.find(), 0);
    // What has been placed is no longer to be typed.
    const isPlayed = Number(dueIn(text)) > Number(this.game?.dataset.due);
    if (sourceElement.matches("form[method=post]") && isPlayed && status === 200) {
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
register("time-left", (element) => countDown(element, (seconds) => inWords(seconds, document.documentElement.lang)));
