/** Turning the leaves by itself, as long as there are leaves to turn and the page is visible. */

/** How long every move is shown, in milliseconds. */
export const PACES = { slow: 2000, normal: 1000, fast: 400 };

/** @typedef {keyof typeof PACES} Pace */

/** @type {Pace[]} the calmest that is not slow comes first */
const ORDER = ["normal", "fast"];

/**
 * Return the pace of that name; for any other the usual one, which is slow for eyes that like less motion.
 *
 * @param {string | null | undefined} name
 * @param {boolean} likesLessMotion
 * @returns {Pace}
 */
export function paceOf(name, likesLessMotion) {
  if (name && Object.hasOwn(PACES, name)) return /** @type {Pace} */ (name);
  return likesLessMotion ? "slow" : "normal";
}

/**
 * What it turns: `forward` shows the next move, `isAtEnd` says whether there is one, `rewind` goes back to the start.
 *
 * @typedef {{forward: () => void, isAtEnd: () => boolean, rewind: () => void, changed: (isPlaying: boolean) => void}}
 *   Reel
 */

/** @typedef {{set: (call: () => void, wait: number) => number, clear: (timer: number) => void}} Timers */

export class Autoplay {
  /**
   * @param {Reel} reel
   * @param {Timers} timers
   * @param {Pace} pace
   */
  constructor(reel, timers, pace) {
    this.reel = reel;
    this.timers = timers;
    this.pace = pace;
    this.timer = 0;
    /** Milliseconds for each move where no pace is quick enough, else 0. */
    this.every = 0;
  }

  get isPlaying() {
    return this.timer !== 0;
  }

  toggle() {
    if (this.isPlaying) this.stop();
    else this.start();
  }

  /** Go on from the move shown, or from the start where that is the last. */
  start() {
    if (this.isPlaying) return;
    if (this.reel.isAtEnd()) this.reel.rewind();
    if (this.reel.isAtEnd()) return;
    this.wait();
    this.reel.changed(true);
  }

  /**
   * Play so many moves at the slowest pace that shows them within a span of milliseconds, or else as fast as it takes.
   *
   * @param {number} span
   * @param {number} moves
   */
  playWithin(span, moves) {
    const pace = ORDER.find((one) => PACES[one] * moves <= span);
    this.pace = pace ?? "fast";
    this.every = pace ? 0 : Math.floor(span / moves);
    this.start();
  }

  stop() {
    if (!this.isPlaying) return;
    this.timers.clear(this.timer);
    this.timer = 0;
    this.every = 0;
    this.reel.changed(false);
  }

  /** @param {Pace} pace */
  setPace(pace) {
    this.pace = pace;
    this.every = 0;
    if (!this.isPlaying) return;
    this.timers.clear(this.timer);
    this.wait();
  }

  wait() {
    this.timer = this.timers.set(() => this.turn(), this.every || PACES[this.pace]);
  }

  turn() {
    this.reel.forward();
    if (this.reel.isAtEnd()) this.stop();
    else this.wait();
  }
}
