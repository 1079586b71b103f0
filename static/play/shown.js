/**
 * Everything on a play page that shows what is in the hand: the ghost, the tray, the buttons, the strip, the sentence.
 */

import { clear, draw } from "../board/ghost.js";
import { counts, drawHints } from "./hints.js";
import { showStrip } from "./strip.js";

/** @typedef {import("./hand.js").Hand} Hand */
/** @typedef {import("../board/view.js").View} View */
/** @typedef {import("../board/likes.js").Likes} Likes */

/** Milliseconds after which a drag has paused. */
const PAUSE = 120;

export class Shown {
  /**
   * @param {HTMLElement} root `data-fits`, `data-waits`, `data-later`, `data-nowhere`, `data-gone`, `data-lost`,
   *   `data-holds`, `data-undone` and `data-count` are the sentences, with `{piece}`, `{colour}` and `{count}` in them
   * @param {Hand} hand
   * @param {View} view
   * @param {Likes} likes
   */
  constructor(root, hand, view, likes) {
    this.root = root;
    this.hand = hand;
    this.view = view;
    this.likes = likes;
    /** Colour, piece and form that are shown as held. */
    this.held = "";
    /** What will be said when a drag pauses. @type {ReturnType<typeof setTimeout> | undefined} */
    this.words = undefined;
  }

  /**
   * @param {string} selector
   * @returns {HTMLElement | null}
   */
  find(selector) {
    return this.root.querySelector(selector);
  }

  /**
   * @param {string} selector
   * @returns {HTMLElement[]}
   */
  all(selector) {
    return [...this.root.querySelectorAll(selector)].map((element) => /** @type {HTMLElement} */ (element));
  }

  /** Take away what a refusal said, once its reader goes on. */
  dismiss() {
    for (const said of this.all("[role=alert], .fault")) said.remove();
  }

  /** Whether the next tap on the piece places it, without asking. */
  get isDirect() {
    return this.canPlace && Boolean(this.find("#place[data-direct]"));
  }

  /** Whether Place would be accepted as far as the page knows: my turn, this colour's, and it fits. */
  get canPlace() {
    return Boolean(this.hand.text && this.find("#place[data-my-turn]"));
  }

  /** Bring the page in line with the hand. */
  show() {
    const { draft, colour } = this.hand;
    const held = draft ? `${colour} ${draft.piece} ${draft.form}` : "";
    // Dragged, the same piece is only elsewhere; a frame has no time to spare for the rest.
    if (!held || held !== this.held || !this.root.hasAttribute("data-dragging")) this.showHand();
    this.held = held;
    const place = /** @type {HTMLButtonElement | null} */ (this.find(".actions__place"));
    if (place && place.disabled === this.canPlace) place.disabled = !this.canPlace;
    if (!this.root.hasAttribute("data-dragging")) this.showChoice();
    this.showGhost();
  }

  /**
   * Show a link beside the sentence, with what it asks for, or hide it.
   *
   * @param {string} name
   * @param {string} asked empty to hide it
   */
  lead(name, asked) {
    const link = /** @type {HTMLAnchorElement | null} */ (this.find(`[data-${name}]`));
    if (!link) return;
    link.hidden = !asked;
    link.search = asked;
  }

  /** Mark the good placement that is in the hand, if one is. */
  showChoice() {
    for (const choice of this.all("[data-hold]"))
      choice.setAttribute("aria-pressed", String(choice.dataset.hold === this.hand.text));
  }

  /** Show which piece is held, of which colour, in which form. */
  showHand() {
    const { hand, root } = this;
    root.toggleAttribute("data-held", Boolean(hand.draft));
    for (const tray of this.all(".tray")) tray.hidden = tray.dataset.tray !== hand.colour;
    for (const button of this.all("[data-tray-of]")) {
      button.setAttribute("aria-pressed", String(button.dataset.trayOf === hand.colour));
    }
    this.showSlots();
    for (const button of this.all("[data-act], [data-nudge]")) {
      /** @type {HTMLButtonElement} */ (button).disabled = !hand.draft;
    }
    const strip = this.find(".strip");
    if (strip) showStrip(strip, hand, this.view.turn);
  }

  /** Mark the piece that is held; of the tray's pieces the held one, or the first, is where the Tab key leads. */
  showSlots() {
    const slots = this.all(".tray:not([hidden]) button.slot").map((slot) => /** @type {HTMLButtonElement} */ (slot));
    const held = slots.find((slot) => slot.value === this.hand.draft?.piece);
    const entry = held ?? slots.find((slot) => slot === document.activeElement) ?? slots[0];
    for (const slot of slots) {
      slot.setAttribute("aria-pressed", String(slot === held));
      slot.tabIndex = slot === entry ? 0 : -1;
    }
  }

  /** Draw the piece in the hand and say whether it fits. */
  showGhost() {
    const group = /** @type {SVGGElement | null} */ (this.root.querySelector("#ghost"));
    if (!group) return;
    const { draft, lookup, colour } = this.hand;
    if (!draft || !lookup) {
      clearTimeout(this.words);
      clear(group);
      this.say(this.news, "bad");
      return;
    }
    const [fault] = lookup.faults(draft);
    draw(group, lookup, draft, colour, fault?.cells ?? [], this.view.turn);
    if (!this.root.hasAttribute("data-dragging")) this.view.lookAt(this.middle);
    clearTimeout(this.words);
    // Words would be written again with every frame of a drag, too fast to read: they come when it pauses.
    if (this.root.hasAttribute("data-dragging")) this.words = setTimeout(() => this.sayFault(draft, fault), PAUSE);
    else this.sayFault(draft, fault);
  }

  /**
   * Say whether the piece in the hand fits, and if not, why.
   *
   * @param {import("../board/lookup.js").Placement} draft
   * @param {import("../board/lookup.js").Fault | undefined} fault
   */
  sayFault(draft, fault) {
    // On my turn another of my colours is to play first.
    const later = this.find(".say[data-mine]") ? "later" : "waits";
    const canBe = this.canPlace ? "fits" : later;
    const isHeld = this.root.hasAttribute("data-pending");
    const sentence = fault?.sentence ?? this.word(isHeld ? "holds" : canBe, draft.piece);
    this.say([this.news, sentence].filter(Boolean).join(" "), fault ? "bad" : "good", fault?.lesson);
  }

  /** The middle of the piece in the hand, in units, y downward. @returns {import("../board/lookup.js").Point} */
  get middle() {
    const { draft, lookup } = this.hand;
    if (!draft || !lookup) return this.view.centre;
    return this.view.unspot(lookup.middle(draft));
  }

  /** What has happened to the piece, in words. */
  get news() {
    return this.hand.news ? this.word(this.hand.news, this.hand.about) : "";
  }

  /** Draw the hints that this player likes and this table allows. */
  showHints() {
    const { hand, likes } = this;
    const isAllowed = !this.find("#board[data-no-hints]");
    const group = /** @type {SVGGElement | null} */ (this.root.querySelector("#hints"));
    if (group) drawHints(group, isAllowed ? hand.lookup : null, hand.colour, likes);
    const found = hand.lookup && isAllowed && likes.counts ? counts(hand.lookup) : new Map();
    for (const slot of this.all(".tray:not([hidden]) button.slot")) {
      const count = found.get(/** @type {HTMLButtonElement} */ (slot).value);
      if (count) slot.dataset.count = String(count);
      else delete slot.dataset.count;
      slot.title = [slot.getAttribute("aria-label"), count && this.word("count", "").replace("{count}", String(count))]
        .filter(Boolean)
        .join(", ");
    }
  }

  /**
   * Say something in the sentence under the board; nothing brings the server's own words back.
   *
   * @param {string} sentence
   * @param {string} tone
   * @param {string} lesson the lesson that shows why, if there is one
   */
  say(sentence, tone, lesson = "") {
    const { colour, later } = this.hand;
    this.lead("why", lesson && `lesson=${lesson}`);
    this.lead("plan", this.canPlace ? "" : later && `placement=${later}&colour=${colour}`);
    const place = this.find("[data-say]");
    if (!place) return;
    place.dataset.server ??= place.textContent ?? "";
    const text = sentence || place.dataset.server;
    if (place.textContent !== text) place.textContent = text;
    const shown = sentence ? tone : "";
    if (place.dataset.tone !== shown) place.dataset.tone = shown;
  }

  /**
   * @param {string} name
   * @param {string} piece
   * @returns {string}
   */
  word(name, piece) {
    const colour = this.find(".tray:not([hidden])")?.dataset.label ?? "";
    return (this.root.dataset[name] ?? "").replace("{piece}", piece).replace("{colour}", colour);
  }
}
