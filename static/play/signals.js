/**
 * Signals as the reader of this device likes them: of my turn a sound, a short vibration, a dot on the tab's icon; of a
 * piece that lands a knock on wood. The knock is offered once, in a line of the page; nothing sounds before a yes.
 *
 * They are kept on the device, not with the account: a phone in a pocket and a desk at work want different ones.
 */

import { keepBoardLikes } from "../board/likes.js";

/** Notes: hertz, when it begins and for how long it is heard in seconds, how loud, and how soon it is so. */
const TURN = [
  [523, 0, 0.16, 0.12, 0.02],
  [784, 0.16, 0.16, 0.12, 0.02],
];
/** Wood on wood: a dull body and a short click. */
const WOOD = [
  [196, 0, 0.09, 0.3, 0.002],
  [740, 0, 0.03, 0.12, 0.001],
];
/** Milliseconds of vibration, pause and vibration; and of a piece that lands. */
const PULSES = [40, 60, 40];
const THUD = [18];

/** A turn that comes back sooner than this after my last touch is seen anyway: quick bots are not announced. */
export const SOON = 3_000;

/** @typedef {import("../board/likes.js").Likes} Likes */

/** Whether this device can vibrate. */
export const canVibrate = () => typeof navigator.vibrate === "function";

export class Signals {
  /**
   * @param {HTMLElement} root `data-turn-icon` is the address of the icon with a dot
   * @param {Likes} likes
   */
  constructor(root, likes) {
    this.root = root;
    this.likes = likes;
    this.icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
    this.usual = this.icon?.href ?? "";
    /** @type {boolean | null} null until the page has been read once */
    this.isMine = null;
    this.touched = 0;
    /** Whether a piece has landed on this page. */
    this.hasLanded = false;
    /** @type {AudioContext | null} */
    this.audio = null;
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    for (const name of ["pointerdown", "keydown"])
      document.addEventListener(name, () => this.touch(), { signal, passive: true });
    this.root.addEventListener("click", (event) => this.answer(/** @type {Element} */ (event.target)), { signal });
  }

  /** Note that the reader is here. Browsers let a page sound only after that. */
  touch() {
    this.touched = Date.now();
    if ((this.likes.sound || this.likes.wood) && !this.audio) this.audio = new AudioContext();
    if (this.audio?.state === "suspended") void this.audio.resume();
  }

  /** Look whose turn it is now, and give the signals if it has become mine. */
  read() {
    const isMine = this.root.querySelector(".say[data-mine]") !== null;
    const hasCome = isMine && this.isMine === false;
    this.isMine = isMine;
    this.showDot();
    this.offer();
    if (!hasCome || (Date.now() - this.touched < SOON && !document.hidden)) return;
    if (this.likes.sound) this.sound(TURN);
    if (this.likes.vibrate) this.vibrate(PULSES);
  }

  /** A piece of mine comes to lie on the board. */
  land() {
    this.hasLanded = true;
    if (!this.likes.wood) return;
    this.sound(WOOD);
    this.vibrate(THUD);
  }

  /** Show the question whether pieces are to be heard: once one has landed, until it is answered, and one at a time. */
  offer() {
    const line = /** @type {HTMLElement | null} */ (this.root.querySelector("[data-wood]"));
    const isAsked = this.root.querySelector(".offer:not([hidden])") !== null;
    if (line) line.hidden = !this.hasLanded || this.likes.wood !== null || isAsked;
  }

  /** @param {Element} target what was pressed */
  answer(target) {
    const said = /** @type {HTMLButtonElement | null} */ (target.closest("[data-wood] button"))?.value;
    if (!said) return;
    this.likes.wood = said === "yes";
    keepBoardLikes(this.likes);
    this.tryOut("wood");
    this.offer();
  }

  /** Show on the tab's icon whether it is my turn. */
  showDot() {
    const wanted = this.isMine && this.likes.dot ? this.root.dataset.turnIcon : this.usual;
    if (this.icon && wanted && this.icon.getAttribute("href") !== wanted) this.icon.href = wanted;
  }

  /**
   * Let a signal that has just been switched on be noticed at once.
   *
   * @param {string | undefined} like
   */
  tryOut(like) {
    this.touch();
    this.showDot();
    if (like === "sound" && this.likes.sound) this.sound(TURN);
    if (like === "vibrate" && this.likes.vibrate) this.vibrate(PULSES);
    if (like === "wood") this.land();
  }

  /**
   * @param {number[][]} notes
   */
  sound(notes) {
    const { audio } = this;
    if (!audio) return;
    for (const [pitch = 0, start = 0, length = 0, loud = 0, rise = 0] of notes) {
      const at = audio.currentTime + start;
      const [tone, volume] = [audio.createOscillator(), audio.createGain()];
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0, at);
      volume.gain.linearRampToValueAtTime(loud, at + rise);
      volume.gain.exponentialRampToValueAtTime(0.001, at + length);
      tone.connect(volume).connect(audio.destination);
      tone.start(at);
      tone.stop(at + length);
    }
  }

  /**
   * Vibrate, where that is possible and its reader has not asked for less motion.
   *
   * @param {number[]} pulses
   */
  vibrate(pulses) {
    if (!navigator.userActivation?.hasBeenActive || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    if (canVibrate()) navigator.vibrate(pulses);
  }
}
