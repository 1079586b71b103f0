/**
 * A page whose link stays away looks by itself, now and then: its network may let no socket through. It never looks
 * because an attempt has failed: where the site is away all pages would, together, and be in the way of those that come
 * back. A link that is back says by its version whether anything is to be fetched.
 */

/** Milliseconds between two looks, spread by chance. */
export const ALONE = 60_000;

export class Lookout {
  /**
   * @param {() => void} look
   * @param {Pick<import("./link.js").World, "after" | "cancel" | "chance" | "isLooking">} world
   */
  constructor(look, world) {
    this.look = look;
    this.world = world;
    this.isDue = false;
    /** @type {any} */
    this.timer = null;
  }

  /** @param {import("./link.js").State} state */
  tell(state) {
    if (state === "open" || state === "ended") this.stop();
    else if (!this.timer) this.wait();
  }

  wait() {
    this.timer = this.world.after(() => this.pass(), ALONE * (0.5 + this.world.chance()));
  }

  pass() {
    this.wait();
    this.isDue = true;
    this.wake();
  }

  /** Look now, if that is due and there is somebody to see it. */
  wake() {
    if (!this.isDue || !this.world.isLooking()) return;
    this.isDue = false;
    this.look();
  }

  stop() {
    this.world.cancel(this.timer);
    this.timer = null;
    this.isDue = false;
  }
}
