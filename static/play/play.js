/**
 * The play page's hands: a piece from the tray to the board by finger, mouse or key, turned, explained and sent. What
 * the server answers replaces the page's part, and the hand reads it anew.
 */

import { register } from "../site/behaviours.js";
import { mount as countDown } from "../site/countdown.js";
import { Drag, spot } from "./drag.js";
import { cellAt } from "./ghost.js";
import { Hand } from "./hand.js";
import { keepDraft, keepLikes, keptDraft, likes } from "./kept.js";
import { Keyboard } from "./keyboard.js";
import { Sender } from "./sender.js";
import { Shown } from "./shown.js";
import { View } from "./view.js";

/** One play page, with everything on it that answers to hands. */
class Play {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.likes = likes();
    const shapes = JSON.parse(document.getElementById("shapes")?.textContent ?? "null");
    this.hand = new Hand(shapes, () => this.changed());
    this.view = new View(root, shapes);
    this.shown = new Shown(root, this.hand, this.view, this.likes);
    this.drag = new Drag(root, this.hand, this.view);
    this.keyboard = new Keyboard(this);
    this.variant = root.dataset.variant ?? "";
    this.game = root.dataset.game ?? "";
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    this.drag.listen(signal);
    this.keyboard.listen(signal);
    this.root.addEventListener("click", (event) => this.onClick(event), { signal });
    this.root.addEventListener("change", (event) => this.onChange(event), { signal });
    this.root.addEventListener("submit", (event) => this.sent(event), { signal });
    addEventListener("resize", () => this.view.apply(), { signal });
    const sender = new Sender(this.root, () => (this.shown.canPlace ? this.hand.text : ""), (placed) => this.hand.drop(placed), () => this.read());
    sender.listen(signal);
    // Before the first reading, which finds nothing in the hand and would keep that.
    const kept = keptDraft(this.game);
    this.read();
    if (kept) this.hand.restore(kept);
  }

  /** Read the position that the page shows now. */
  read() {
    const text = this.shown.find("#position")?.textContent;
    const usual = Number(this.shown.find("#board")?.dataset.near ?? 0);
    this.view.turn = (usual + (this.likes.turns[this.variant] ?? 0)) % 4;
    this.view.apply();
    this.hand.read(text ? JSON.parse(text) : null, this.shown.find(".tray:not([hidden])")?.dataset.tray ?? "");
    this.shown.showHints();
    this.showLikes();
  }

  /** The hand holds something else, or elsewhere. */
  changed() {
    const { hand } = this;
    this.shown.show();
    // What is dragged is kept where it comes to rest.
    if (this.game && !this.root.hasAttribute("data-dragging")) keepDraft(this.game, hand.draft && { colour: hand.colour, draft: hand.draft, didFit: hand.fits });
  }

  /**
   * Go on at the board, whoever uses keys: the button that was pressed will be disabled by the answer, or by a live update
   * that overtakes it, and the focus would be lost.
   *
   * @param {SubmitEvent} event
   */
  sent(event) {
    const form = /** @type {Element} */ (event.target).id;
    const isMove = form === "place";
    if (form === "advise") /** @type {HTMLElement | null} */ (this.shown.find("#menu:popover-open"))?.hidePopover();
    if (isMove && document.activeElement?.matches(".actions :focus-visible")) this.view.board?.focus({ preventScroll: true });
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    const press = this.drag.pressed(event);
    if (press?.isDrag) event.preventDefault();
    else if (press?.at) this.tap(event, press.at);
    else this.press(event, /** @type {HTMLElement} */ (event.target));
  }

  /**
   * @param {MouseEvent} event
   * @param {import("./lookup.js").Point} at
   */
  tap(event, at) {
    event.preventDefault();
    const cell = cellAt(at[0], at[1], this.hand.shapes);
    if (cell === null) return;
    const { draft, lookup } = this.hand;
    if (this.shown.isDirect && this.shown.canPlace && draft && lookup?.cells(draft).includes(cell)) {
      this.submit();
      return;
    }
    this.shown.dismiss();
    this.hand.tap(spot(at, this.view), cell);
  }

  /**
   * @param {MouseEvent} event
   * @param {HTMLElement} target
   */
  press(event, target) {
    const button = /** @type {HTMLButtonElement | null} */ (target.closest("button"));
    if (!button) return;
    const { act, nudge, trayOf, form, view, hold } = button.dataset;
    if (button.matches(".slot")) {
      event.preventDefault();
      this.shown.dismiss();
      this.hand.toggle(button.value);
    } else if (act) this.act(act);
    else if (nudge) this.step(/** @type {import("./lookup.js").Point} */ (nudge.split(",").map(Number)));
    else if (trayOf) this.switchTo(trayOf);
    else if (form && button.matches(".strip__form")) this.hand.reform(Number(form));
    else if (view) this.see(view);
    else if (hold) this.hold(hold);
  }

  /**
   * Show a placement on the board, as if it had been taken there.
   *
   * @param {string} text as the server writes it
   */
  hold(text) {
    this.shown.dismiss();
    this.hand.holdText(text);
    this.view.board?.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} act */
  act(act) {
    this.shown.dismiss();
    this.hand.act(/** @type {"cancel" | "left" | "right" | "flip" | "next" | "previous"} */ (act));
  }

  /**
   * Move the piece as it is seen on the board.
   *
   * @param {import("./lookup.js").Point} seen
   */
  step(seen) {
    const [dx, dy] = this.view.stepOnBoard(seen);
    for (const [axis, far] of [dx, dy].entries()) {
      const one = /** @type {import("./lookup.js").Point} */ (axis ? [0, Math.sign(far)] : [Math.sign(far), 0]);
      if (far) this.hand.nudge(one, Math.abs(far));
    }
  }

  /** @param {string} colour */
  switchTo(colour) {
    this.hand.switchTo(colour);
    this.shown.showHints();
  }

  /** Send the piece in the hand. */
  submit() {
    /** @type {HTMLFormElement | null} */ (this.shown.find("#place"))?.requestSubmit();
  }

  /**
   * Change how the board is seen.
   *
   * @param {string} view "turn" or "large"
   */
  see(view) {
    if (view === "turn") {
      const turns = ((this.likes.turns[this.variant] ?? 0) + this.view.quarters) % 4;
      this.likes.turns = { ...this.likes.turns, [this.variant]: turns };
      keepLikes(this.likes);
    } else if (view === "moves") {
      const isOn = this.root.toggleAttribute("data-moves");
      for (const button of this.shown.all("[data-view=moves]")) button.setAttribute("aria-pressed", String(isOn));
      return;
    } else {
      this.view.isLarge = !this.view.isLarge;
      const { draft, lookup, tapped } = this.hand;
      this.view.centre = draft && lookup ? this.shown.middle : this.view.unspot(tapped ?? this.hand.middle);
    }
    this.read();
  }

  /** Show which views and hints are on, wherever they are switched. */
  showLikes() {
    for (const box of this.shown.all("input[data-like]")) {
      const like = /** @type {"corners" | "heat" | "counts" | "keys"} */ (box.dataset.like);
      /** @type {HTMLInputElement} */ (box).checked = this.likes[like];
    }
    for (const button of this.shown.all("[data-view=large]")) button.setAttribute("aria-pressed", String(this.view.isLarge));
  }

  /** @param {Event} event */
  onChange(event) {
    const box = /** @type {HTMLInputElement} */ (event.target);
    const like = /** @type {"corners" | "heat" | "counts" | "keys" | undefined} */ (box.dataset.like);
    if (!like) return;
    this.likes[like] = box.checked;
    keepLikes(this.likes);
    this.shown.showHints();
  }
}

/**
 * @param {HTMLElement} element
 * @returns {() => void}
 */
export function mount(element) {
  const leaving = new AbortController();
  new Play(element).start(leaving.signal);
  return () => leaving.abort();
}

register("play", mount);
register("countdown", countDown);
