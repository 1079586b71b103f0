/**
 * What every page has on which pieces lie in a hand: from the tray to the board by finger, mouse or key, turned and
 * explained. What becomes of a placement is the page's own: `Play` sends it as a move, `Analysis` tries it.
 */

import { cellAt } from "../board/ghost.js";
import { boardLikes, keepBoardLikes } from "../board/likes.js";
import { View } from "../board/view.js";
import { Drag, spot } from "./drag.js";
import { Hand } from "./hand.js";
import { Keyboard } from "./keyboard.js";
import { Shown } from "./shown.js";
import { canVibrate } from "./signals.js";

/** @typedef {"corners" | "heat" | "counts" | "keys" | "sound" | "vibrate" | "dot" | "onward" | "wood"} Switched */

export class Desk {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.likes = boardLikes();
    const shapes = JSON.parse(document.getElementById("shapes")?.textContent ?? "null");
    this.hand = new Hand(shapes, () => this.changed());
    this.view = new View(root, shapes);
    this.shown = new Shown(root, this.hand, this.view, this.likes);
    this.drag = new Drag(root, this.hand, this.view);
    this.keyboard = new Keyboard(this);
    this.variant = root.dataset.variant ?? "";
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    this.drag.listen(signal);
    this.keyboard.listen(signal);
    this.root.addEventListener("click", (event) => this.onClick(event), { signal });
    this.root.addEventListener("change", (event) => this.onChange(event), { signal });
    addEventListener("resize", () => this.view.apply(), { signal });
  }

  /** Read the position that the page shows now. */
  read() {
    const text = this.shown.find("#position")?.textContent;
    const usual = Number(this.shown.find("#board")?.dataset.near ?? 0);
    const further = (this.likes.turns[this.variant] ?? 0) % 4;
    this.view.turn = (usual + further) % 4;
    this.view.apply();
    // The site draws pictures as the board usually lies; their style turns them as far as the board was turned.
    document.documentElement.dataset.turned = String(further);
    this.hand.read(text ? JSON.parse(text) : null, this.shown.find(".tray:not([hidden])")?.dataset.tray ?? "");
    this.shown.showHints();
    this.showLikes();
  }

  /** The hand holds something else, or elsewhere. */
  changed() {
    this.shown.show();
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
   * @param {import("../board/lookup.js").Point} at
   */
  tap(event, at) {
    event.preventDefault();
    const cell = cellAt(at[0], at[1], this.hand.shapes);
    if (cell === null) return;
    const { draft, lookup } = this.hand;
    if (this.shown.isDirect && draft && lookup?.cells(draft).includes(cell)) {
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
    else if (nudge) this.step(/** @type {import("../board/lookup.js").Point} */ (nudge.split(",").map(Number)));
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
   * @param {import("../board/lookup.js").Point} seen
   */
  step(seen) {
    const [dx, dy] = this.view.stepOnBoard(seen);
    for (const [axis, far] of [dx, dy].entries()) {
      const one = /** @type {import("../board/lookup.js").Point} */ (axis ? [0, Math.sign(far)] : [Math.sign(far), 0]);
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
      keepBoardLikes(this.likes);
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
      const like = /** @type {Switched} */ (box.dataset.like);
      /** @type {HTMLInputElement} */ (box).checked = Boolean(this.likes[like]);
    }
    for (const choice of this.shown.all("[data-needs=vibration]")) choice.hidden = !canVibrate();
    for (const button of this.shown.all("[data-view=large]"))
      button.setAttribute("aria-pressed", String(this.view.isLarge));
  }

  /** @param {Event} event */
  onChange(event) {
    const box = /** @type {HTMLInputElement} */ (event.target);
    const like = /** @type {Switched | undefined} */ (box.dataset.like);
    if (!like) return;
    this.likes[like] = box.checked;
    keepBoardLikes(this.likes);
    this.shown.showHints();
    this.switched(like);
  }

  /** @param {Switched} _like what the reader of this device has just begun or ceased to like */
  switched(_like) {}
}
