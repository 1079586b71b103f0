/**
 * Sending the move, and what comes back: an answer of the server replaces the game, a lost connection is tried again.
 */

import { needsPage, versionIn } from "../realtime/answer.js";
import { attempt, delay } from "./send.js";

/** @typedef {CustomEvent<{ctx: {sourceElement: Element, text?: string, response?: {status: number}}}>} HtmxEvent */

export class Sender {
  /**
   * @param {HTMLElement} root
   * @param {() => string} placement what to send now, empty for nothing
   * @param {(placed: string) => void} onPlaced what was sent has been played
   * @param {() => void} onAnswer
   */
  constructor(root, placement, onPlaced, onAnswer) {
    this.root = root;
    this.placement = placement;
    this.onPlaced = onPlaced;
    this.onAnswer = onAnswer;
    /** @type {import("./send.js").Attempt | null} */
    this.last = null;
    this.failures = 0;
    this.timer = 0;
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    const on = (/** @type {string} */ name, /** @type {(event: any) => void} */ hear, capture = false) =>
      this.root.addEventListener(name, hear, { signal, capture });
    // Before htmx, which listens on the form itself, collects its fields.
    on("submit", (event) => this.fill(event), true);
    on("htmx:before:swap", (event) => this.judge(event));
    on("htmx:after:swap", () => {
      this.onAnswer();
      this.tell(this.failures > 0);
    });
    on("htmx:error", (event) => this.failed(event));
    addEventListener("online", () => this.again(), { signal });
    signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  get form() {
    return /** @type {HTMLFormElement | null} */ (this.root.querySelector("#place"));
  }

  /** @param {SubmitEvent} event */
  fill(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.id !== "place") return;
    const placement = this.placement();
    if (!placement) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const version = /** @type {HTMLInputElement} */ (form.elements.namedItem("version")).value;
    this.last = attempt(this.last, version, placement);
    for (const name of /** @type {const} */ (["placement", "key"])) {
      /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = this.last[name];
    }
  }

  /**
   * Let only a game replace the game: neither an older one than is shown, nor a page about something else.
   *
   * @param {HtmxEvent} event
   */
  judge(event) {
    const { text = "", response, sourceElement } = event.detail.ctx;
    const status = response?.status ?? 500;
    if (sourceElement.closest("#advise, #advice")) {
      judgeAdvice(event, text, status, sourceElement);
      return;
    }
    const version = versionIn(text);
    const game = /** @type {HTMLElement | null} */ (this.root.querySelector("#game"));
    const shown = game?.dataset.version;
    if (version !== null && sourceElement.id === "place" && status < 300) this.onPlaced(this.last?.placement ?? "");
    if (needsPage({ text, status, isLook: sourceElement.id === "game" }, game?.dataset.mode)) {
      event.preventDefault();
      location.reload();
      return;
    }
    if (version === null) {
      event.preventDefault();
      if (status >= 500) this.failed(event);
      return;
    }
    // Nor one that says nothing new, while there is a refusal to read.
    const isSameLook = sourceElement.id === "game" && version === shown && this.root.querySelector("[role=alert]");
    if (Number(version) < Number(shown) || isSameLook) event.preventDefault();
    // A page that merely looked again says nothing about the move that is still to be sent.
    if (sourceElement.id === "place" || Number(version) > Number(this.last?.version)) this.settle();
  }

  /** The move has been answered, or is no longer wanted. */
  settle() {
    this.failures = 0;
    clearTimeout(this.timer);
  }

  /** @param {HtmxEvent} event */
  failed(event) {
    if (event.detail.ctx?.sourceElement?.id !== "place") return;
    this.failures += 1;
    this.tell(true);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.again(), delay(this.failures));
  }

  /** Send the move that did not get through once more; its key is the same, so it is played once. */
  again() {
    if (this.failures && this.placement()) this.form?.requestSubmit();
  }

  /** @param {boolean} isGone */
  tell(isGone) {
    const notice = /** @type {HTMLElement | null} */ (this.root.querySelector("[data-connection]"));
    if (notice) notice.hidden = !isGone;
  }
}

/**
 * Let advice, or what there is to say about it, into its place: it is no game. A whole page says that the login has ended.
 * Where the server broke down when it was asked, there is a page to ask on, which says so if it does again.
 *
 * @param {HtmxEvent} event
 * @param {string} text
 * @param {number} status
 * @param {Element} source
 */
function judgeAdvice(event, text, status, source) {
  const isPage = text.includes("<html");
  if (isPage || status >= 500) event.preventDefault();
  if (isPage && status < 500) location.reload();
  if (status >= 500 && source instanceof HTMLFormElement) location.assign(source.action);
}
