/** Which version a list has now: asked for after a nudge, but not for every one of many. */

/** Milliseconds between two questions at least: one game among bots can nudge many times a second. */
export const APART = 2_000;

export class ListWatch {
  /**
   * @param {() => void} ask
   * @param {(version: string) => void} told called with every answer
   * @param {Pick<import("./link.js").World, "after" | "cancel">} world
   */
  constructor(ask, told, world) {
    this.ask = ask;
    this.told = told;
    this.world = world;
    this.version = "";
    this.isResting = false;
    this.isDue = false;
  }

  /** @param {import("./link.js").Frame} frame */
  hear(frame) {
    if (frame.type !== "list") return;
    if (frame.version === undefined) this.nudge();
    else {
      this.version = String(frame.version);
      this.told(this.version);
    }
  }

  nudge() {
    this.isDue = true;
    if (!this.isResting) this.askNow();
  }

  askNow() {
    if (!this.isDue) {
      this.isResting = false;
      return;
    }
    this.isDue = false;
    this.isResting = true;
    this.world.after(() => this.askNow(), APART);
    this.ask();
  }
}
