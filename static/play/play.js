/**
 * The play page's hands: a piece from the tray to the board by finger, mouse or key, turned, explained and sent. What
 * the server answers replaces the page's part, and the hand reads it again.
 */

import { cellAt } from "../board/ghost.js";
import { boardLikes, keepBoardLikes } from "../board/likes.js";
import { View } from "../board/view.js";
import { register } from "../site/behaviours.js";
import { mount as countDown } from "../site/countdown.js";
import { mount as zone } from "../site/zone.js";
import { Arrivals } from "./arrivals.js";
import { Drag, spot } from "./drag.js";
import { Hand } from "./hand.js";
import { keepDraft, keptDraft } from "./kept_draft.js";
import { Keyboard } from "./keyboard.js";
import { Onward } from "./onward.js";
import { Sender } from "./sender.js";
import { Shown } from "./shown.js";
import { canVibrate, Signals } from "./signals.js";

/** @typedef {"corners" | "heat" | "counts" | "keys" | "sound" | "vibrate" | "dot" | "onward" | "wood"} Switched */

/** One play page, with everything on it that answers to hands. */
class Play {
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
    this.arrivals = new Arrivals(root, (told) => this.shown.say(told, "since"));
    this.signals = new Signals(root, this.likes);
    this.onward = new Onward(root, this.likes, () => this.shown.say(this.shown.word("onward", ""), "info"));
    this.variant = root.dataset.variant ?? "";
    this.game = root.dataset.game ?? "";
    /** Whether the page is about to show a placement of the viewer's for the first time. */
    this.hasPlaced = false;
    /** @type {Sender | undefined} */
    this.sender = undefined;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    this.drag.listen(signal);
    this.keyboard.listen(signal);
    this.arrivals.listen(signal);
    this.signals.listen(signal);
    this.onward.listen(signal);
    this.root.addEventListener("click", (event) => this.onClick(event), { signal });
    this.root.addEventListener("change", (event) => this.onChange(event), { signal });
    this.root.addEventListener("submit", (event) => this.sent(event), { signal });
    addEventListener("resize", () => this.view.apply(), { signal });
    this.sender = new Sender(
      this.root,
      () => (this.shown.canPlace ? this.hand.text : ""),
      (placed) => {
        if (!this.sender?.pending.held) this.signals.land();
        this.hasPlaced = true;
        this.hand.drop(placed);
        this.onward.moved();
      },
      () => this.read(),
      (held) => this.waits(held),
    );
    this.sender.listen(signal);
    // Before the first reading, which finds nothing in the hand and would keep that.
    const kept = keptDraft(this.game);
    this.read();
    if (kept) this.hand.restore(kept);
    this.sender.resume();
  }

  /**
   * Show that a placement can still be taken back, or no longer.
   *
   * @param {import("./send.js").Attempt | null} held
   */
  waits(held) {
    const { hand, root, shown, view } = this;
    const isWaiting = this.sender?.pending.isWaiting ?? false;
    if (isWaiting && !root.hasAttribute("data-pending")) this.signals.land();
    if (held && hand.text !== held.placement) {
      hand.isFixed = false;
      hand.holdText(held.placement);
    }
    hand.isFixed = held !== null;
    // What is pressed is about to leave the page.
    if (
      isWaiting !== root.hasAttribute("data-pending") &&
      document.activeElement?.matches(":is(#place, .undo) :focus-visible")
    )
      view.board?.focus({ preventScroll: true });
    root.toggleAttribute("data-pending", isWaiting);
    shown.show();
  }

  /** Take back what was placed and not yet sent. */
  undo() {
    const piece = this.hand.draft?.piece ?? "";
    this.sender?.withdraw();
    this.shown.say(this.shown.word("undone", piece), "info");
  }

  /** Read the position that the page shows now. */
  read() {
    this.root.toggleAttribute("data-placed", this.hasPlaced);
    this.hasPlaced = false;
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
    this.arrivals.read();
    this.signals.read();
    this.onward.read();
  }

  /** The hand holds something else, or elsewhere. */
  changed() {
    const { hand } = this;
    this.shown.show();
    // What is dragged is kept where it comes to rest.
    if (this.game && !this.root.hasAttribute("data-dragging"))
      keepDraft(this.game, hand.draft && { colour: hand.colour, draft: hand.draft, didFit: hand.fits });
  }

  /**
   * Return the focus to the board for keyboard users: the button that was pressed will be disabled by the
   * answer, or by a live update that overtakes it, and the focus would be lost.
   *
   * @param {SubmitEvent} event
   */
  sent(event) {
    const form = /** @type {Element} */ (event.target).id;
    const isMove = form === "place";
    if (form === "advise") /** @type {HTMLElement | null} */ (this.shown.find("#menu:popover-open"))?.hidePopover();
    if (isMove && document.activeElement?.matches(".actions :focus-visible"))
      this.view.board?.focus({ preventScroll: true });
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
    if (button.matches(".undo__button, [data-withdraw]")) {
      this.undo();
      return;
    }
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
    if (act === "cancel" && this.hand.isFixed) {
      this.undo();
      return;
    }
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
    this.signals.tryOut(like);
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
register("zone", zone);
