/** Fetching until the page shows what it has heard of. */

/** Milliseconds before a fetch that changed nothing is repeated; doubled each time. */
export const AGAIN = 2_000;
const LONGEST = 30_000;

/** Milliseconds after which a version is fetched that is heard of again: messages come twice, too. */
export const SOON = 250;

/** Milliseconds for which a request that brings the page's part itself is waited for: it may never be answered. */
export const HELD = 5_000;

export class CatchUp {
  /**
   * @param {() => number} shown the version that the page shows
   * @param {() => void} fetch asks for the page's part
   * @param {Pick<import("./link.js").World, "after" | "cancel">} world
   */
  constructor(shown, fetch, world) {
    this.shown = shown;
    this.fetch = fetch;
    this.world = world;
    this.wanted = 0;
    this.delay = AGAIN;
    /** Whether the next try is due soon. */
    this.isSoon = false;
    /** @type {any} */
    this.timer = null;
    /** The requests that are waited for, each with the timer that ends the wait. @type {Map<object, any>} */
    this.held = new Map();
  }

  /**
   * Take note that there is a version; fetch if it is newer than what is shown and not on its way. One that is heard of
   * again after its fetch was lost is fetched soon: the site can be reached, and the next try may be half a minute off.
   *
   * @param {number} version
   */
  hear(version) {
    if (!(version > this.shown())) return;
    if (version > this.wanted) {
      this.wanted = version;
      this.delay = AGAIN;
      this.try();
    } else if (version === this.wanted && this.delay > 2 * AGAIN && !this.isSoon && !this.held.size) {
      this.isSoon = true;
      this.world.cancel(this.timer);
      this.timer = this.world.after(() => this.try(), SOON);
    }
  }

  /**
   * Fetch nothing as long as a request is under way whose answer is the page's part: a move is announced before it
   * is answered.
   *
   * @param {object} request
   */
  hold(request) {
    this.world.cancel(this.held.get(request));
    this.held.set(
      request,
      this.world.after(() => this.release(request), HELD),
    );
  }

  /**
   * Go on when a request has been answered, has failed, or was waited for too long: fetch what it has not brought.
   *
   * @param {object} request
   */
  release(request) {
    if (!this.held.has(request)) return;
    this.world.cancel(this.held.get(request));
    this.held.delete(request);
    this.try();
  }

  /** Fetch what is wanted, and again later if that brought nothing: requests get lost too. */
  try() {
    this.isSoon = false;
    this.world.cancel(this.timer);
    if (this.held.size || this.shown() >= this.wanted) return;
    this.fetch();
    this.timer = this.world.after(() => this.try(), this.delay);
    this.delay = Math.min(LONGEST, this.delay * 2);
  }

  stop() {
    this.world.cancel(this.timer);
    for (const timer of this.held.values()) this.world.cancel(timer);
    this.held.clear();
  }
}
