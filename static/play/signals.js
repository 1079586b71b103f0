/**
 * Signals of my turn, as the reader of this device likes them: a sound, a short vibration, a dot on the tab's icon.
 *
 * They are kept on the device, not with the account: a phone in a pocket and a desk at work want different ones.
 */

/** Hertz of the two notes, and how many seconds each is heard. */
const NOTES = [523, 784];
const NOTE = 0.16;
const LOUD = 0.12;
/** Milliseconds of vibration, pause and vibration. */
const PULSES = [40, 60, 40];

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
    /** @type {AudioContext | null} */
    this.audio = null;
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    for (const name of ["pointerdown", "keydown"])
      document.addEventListener(name, () => this.touch(), { signal, passive: true });
  }

  /** Note that the reader is here. Browsers let a page sound only after that. */
  touch() {
    this.touched = Date.now();
    if (this.likes.sound && !this.audio) this.audio = new AudioContext();
    if (this.audio?.state === "suspended") void this.audio.resume();
  }

  /** Look whose turn it is now, and give the signals if it has become mine. */
  read() {
    const isMine = this.root.querySelector(".say[data-mine]") !== null;
    const hasCome = isMine && this.isMine === false;
    this.isMine = isMine;
    this.showDot();
    if (!hasCome || (Date.now() - this.touched < SOON && !document.hidden)) return;
    if (this.likes.sound) this.sound();
    if (this.likes.vibrate) this.vibrate();
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
    if (like === "sound" && this.likes.sound) this.sound();
    if (like === "vibrate" && this.likes.vibrate) this.vibrate();
  }

  /** Sound two soft notes. */
  sound() {
    const { audio } = this;
    if (!audio) return;
    for (const [number, pitch] of NOTES.entries()) {
      const at = audio.currentTime + number * NOTE;
      const [tone, volume] = [audio.createOscillator(), audio.createGain()];
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0, at);
      volume.gain.linearRampToValueAtTime(LOUD, at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.001, at + NOTE);
      tone.connect(volume).connect(audio.destination);
      tone.start(at);
      tone.stop(at + NOTE);
    }
  }

  /** Vibrate, where that is possible and its reader has not asked for less motion. */
  vibrate() {
    if (!navigator.userActivation?.hasBeenActive || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    if (canVibrate()) navigator.vibrate(PULSES);
  }
}
