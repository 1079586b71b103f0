/**
 * Sending the move, and what comes back: an answer of the server replaces the game, a lost connection is tried again.
 */

import { keepLatest } from "../offline/latest.js";
import { dueIn, needsPage, versionIn } from "../realtime/answer.js";
import { Kept } from "./kept_move.js";
import { Pending } from "./pending.js";
import { attempt, delay, isOver } from "./send.js";

/** @typedef {CustomEvent<{ctx: {sourceElement: Element, text?: string, response?: {status: number}}}>} HtmxEvent */

/** Milliseconds before a deadline in which a move does not wait to be taken back. */
const LATE = 10_000;

export class Sender {
  /**
   * @param {HTMLElement} root `data-game` is the game
   * @param {() => string} placement what to send now, empty for nothing
   * @param {(placed: string) => void} onPlaced what was sent has been played
   * @param {() => void} onAnswer
   * @param {(held: import("./send.js").Attempt | null) => void} onPending a placement begins to wait for being sent, or
   *   no longer does: it may wait to be taken back, or for the network
   */
  constructor(root, placement, onPlaced, onAnswer, onPending) {
    this.root = root;
    this.placement = placement;
    this.onPlaced = onPlaced;
    this.onAnswer = onAnswer;
    this.onPending = onPending;
    /** @type {import("./send.js").Attempt | null} */
    this.last = null;
    this.failures = 0;
    this.timer = 0;
    this.pending = new Pending(
      root.dataset.game ?? "",
      () => this.wait(),
      () => this.form?.requestSubmit(),
    );
    this.kept = new Kept(root.dataset.game ?? "");
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    const on = (/** @type {string} */ name, /** @type {(event: any) => void} */ hear, capture = false) =>
      this.root.addEventListener(name, hear, { signal, capture });
    // Before htmx, which listens on the form itself, collects its fields.
    on("submit", (event) => this.fill(event), true);
    on("htmx:before:swap", (event) => this.judge(event));
    on("htmx:after:swap", (event) => {
      this.onAnswer();
      this.tell(this.failures > 0);
      void keepLatest(event.detail.ctx.text ?? "").catch(() => {});
    });
    on("htmx:error", (event) => this.failed(event));
    addEventListener("online", () => this.again(), { signal });
    document.addEventListener("visibilitychange", () => document.hidden && this.pending.release(), { signal });
    addEventListener("pagehide", () => this.post(), { signal });
    addEventListener("pageshow", (event) => event.persisted && this.pending.held && this.form?.requestSubmit(), {
      signal,
    });
    signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  /** Take up a placement that an earlier visit could not send. */
  resume() {
    const { form } = this;
    const number = /** @type {HTMLInputElement | undefined} */ (form?.elements.namedItem("number"))?.value;
    const due = form?.hasAttribute("data-my-turn") && number ? number : null;
    this.pending.resume(due);
    this.last = this.pending.held;
    void this.kept.find(due).then((move) => {
      if (!move || this.last) return;
      this.last = move;
      this.failures = 1;
      this.wait();
      this.again();
    });
  }

  /** Whether the placement on the board is no longer the player's to move: it waits, until they take it back. */
  wait() {
    const { kept, pending } = this;
    this.onPending(pending.isWaiting ? pending.held : kept.move);
    this.tell(kept.move !== null);
  }

  /** Take back what has not been sent. */
  withdraw() {
    this.settle();
  }

  /** Have what is still held sent by the service worker, which outlives the page, or by a request that does. */
  post() {
    const { form } = this;
    const { held } = this.pending;
    if (!form || !held) return;
    this.pending.isDue = true;
    if (this.kept.leave(held, form)) return;
    const body = new FormData(form);
    for (const name of /** @type {const} */ (["number", "placement", "key"])) body.set(name, held[name]);
    // What becomes of it is seen on the next visit.
    fetch(form.action, { method: "POST", body, keepalive: true, redirect: "manual" }).catch(() => {});
  }

  /** Whether the next move can be taken back for a while: its player likes that, and has the time. */
  get canWait() {
    const clock = this.root.querySelector(".say__clock")?.getAttribute("datetime");
    const isLate = clock !== null && clock !== undefined && Date.parse(clock) - Date.now() < LATE;
    return Boolean(this.form?.hasAttribute("data-undo")) && !isLate;
  }

  get form() {
    return /** @type {HTMLFormElement | null} */ (this.root.querySelector("#place"));
  }

  /** @param {SubmitEvent} event */
  fill(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.id !== "place") return;
    const { pending } = this;
    const placement = pending.held?.placement ?? this.placement();
    const stop = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (!placement || pending.isWaiting) {
      stop();
      return;
    }
    const number = /** @type {HTMLInputElement} */ (form.elements.namedItem("number")).value;
    this.last = attempt(this.last, number, placement);
    if (!pending.held && !this.failures && this.canWait) {
      stop();
      pending.hold(this.last);
      return;
    }
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
    if (sourceElement.closest("#advise, #advice, .say__why")) {
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
    // A page that merely looked again says nothing about a move that is still due and still to be sent.
    if (sourceElement.id === "place") this.settle();
    else if (isOver(this.last, dueIn(text))) this.settle(false);
  }

  /**
   * The move has been answered, or is no longer wanted.
   *
   * @param {boolean} [isKnown] whether it is known what became of it
   */
  settle(isKnown = true) {
    this.failures = 0;
    clearTimeout(this.timer);
    this.pending.forget();
    if (isKnown) this.kept.drop();
    else this.kept.handOver();
    this.wait();
  }

  /** @param {HtmxEvent} event */
  failed(event) {
    if (event.detail.ctx?.sourceElement?.id !== "place") return;
    this.failures += 1;
    if (this.last) this.kept.keep(this.last, this.form);
    this.wait();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.again(), delay(this.failures));
  }

  /** Send the move that did not get through once more; its key is the same, so it is played once. */
  again() {
    if (this.failures && (this.pending.held || this.placement())) this.form?.requestSubmit();
  }

  /** @param {boolean} isGone */
  tell(isGone) {
    const notice = /** @type {HTMLElement | null} */ (this.root.querySelector("[data-connection]"));
    if (notice) notice.hidden = !isGone;
  }
}

/**
 * Let advice, or why a bot moved so, into its place: it is no game. A whole page says that the login has
 * ended. Where the server broke down when it was asked, there is a page to ask on, which says so if it does again.
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
