/**
 * What a page says about its connection: nothing while it is there, a sentence when it is gone, one when it is back.
 */

/** Milliseconds for which a lost connection is not worth a sentence, and for which its return is. */
export const UNSAID = 3_000;
export const SAID = 4_000;

export class Sentence {
  /**
   * @param {(name: "gone" | "back" | "ended" | "crowded" | "") => void} show
   * @param {Pick<import("./link.js").World, "after" | "cancel">} world
   */
  constructor(show, world) {
    this.show = show;
    this.world = world;
    this.shown = "";
    this.isGone = false;
    /** @type {any} */
    this.timer = null;
  }

  /**
   * @param {import("./link.js").State} state
   * @param {boolean} [isSure] the device itself knows that it is offline: that is worth a sentence at once
   */
  tell(state, isSure = false) {
    // Its turn comes within seconds, and until then the page is no older than between two heartbeats.
    if (state === "waits") return;
    const wasGone = this.isGone;
    this.isGone = state === "gone";
    if (this.isGone && wasGone && !isSure) return;
    this.world.cancel(this.timer);
    if (state === "ended" || state === "crowded") this.say(state);
    else if (this.isGone && isSure) this.say("gone");
    else if (this.isGone) this.timer = this.world.after(() => this.say("gone"), UNSAID);
    else {
      if (["gone", "crowded"].includes(this.shown)) this.say("back");
      if (this.shown) this.timer = this.world.after(() => this.say(""), SAID);
    }
  }

  /** @param {"gone" | "back" | "ended" | "crowded" | ""} name */
  say(name) {
    this.shown = name;
    this.show(name);
  }
}
