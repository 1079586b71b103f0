/** Fetching until the page shows what it has heard of. */

/** Milliseconds before a fetch that changed nothing is repeated; doubled each time. */
export const AGAIN = 2_000;
const LONGEST = 30_000;

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
    /** @type {any} */
    this.timer = null;
  }

  /**
   * Take note that there is a version; fetch if it is newer than what is shown and not on its way.
   *
   * @param {number} version
   */
  hear(version) {
    if (!(version > Math.max(this.shown(), this.wanted))) return;
    this.wanted = version;
    this.delay = AGAIN;
    this.try();
  }

  /** Fetch what is wanted, and again later if that brought nothing: requests get lost too. */
  try() {
    this.world.cancel(this.timer);
    if (this.shown() >= this.wanted) return;
    this.fetch();
    this.timer = this.world.after(() => this.try(), this.delay);
    this.delay = Math.min(LONGEST, this.delay * 2);
  }

  stop() {
    this.world.cancel(this.timer);
  }
}
