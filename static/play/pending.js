/**
 * A placement that is not sent for three seconds, so that it can be taken back. It is kept on the device meanwhile: a
 * page that is left sends it at once, and one that has crashed when the game is opened again. Its key stays the same,
 * so it is played once however often it is sent.
 */

import { store, stored } from "../site/storage.js";

/** Milliseconds in which a placement can be taken back. */
export const WAIT = 3_000;

/** @typedef {import("./send.js").Attempt} Attempt */
/** @typedef {Attempt & {at: number}} Held `at` is when it was made, in milliseconds */

export class Pending {
  /**
   * @param {string} game
   * @param {() => void} changed called when it begins and when it ends
   * @param {() => void} send sends what is held
   */
  constructor(game, changed, send) {
    this.name = `held:${game}`;
    this.changed = changed;
    this.send = send;
    /** @type {Held | null} */
    this.held = null;
    /** Whether it is to be sent: from then on it cannot be taken back. */
    this.isDue = false;
    /** Whether this device keeps it, and another page may take it back. */
    this.isKept = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** Whether it can still be taken back. */
  get isWaiting() {
    return this.held !== null && !this.isDue;
  }

  /** @param {Attempt} attempt */
  hold(attempt) {
    const held = { ...attempt, at: Date.now() };
    store(() => localStorage, this.name, held);
    this.isKept = this.kept?.key === held.key;
    this.wait(held, WAIT);
  }

  /**
   * @param {Held} held
   * @param {number} wait milliseconds until it is sent
   */
  wait(held, wait) {
    this.held = held;
    this.isDue = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.release(), wait);
    this.changed();
  }

  /** What another visit has left to be sent, or another page still holds. @returns {Held | null} */
  get kept() {
    const kept = stored(() => localStorage, this.name);
    return [kept?.number, kept?.placement, kept?.key].every((part) => typeof part === "string") ? kept : null;
  }

  /**
   * Take up what is kept, if it is for the move that is due now; forget it otherwise.
   *
   * @param {string | null} due the number of the viewer's move that is due, null when it is not their turn
   */
  resume(due) {
    const { kept } = this;
    if (!kept) return;
    this.isKept = true;
    if (kept.number === due) this.wait(kept, Math.min(WAIT, Math.max(0, kept.at + WAIT - Date.now())));
    else store(() => localStorage, this.name, null);
  }

  /** Send it now, unless another page of this device has taken it back. */
  release() {
    if (!this.isWaiting) return;
    if (this.isKept && this.kept?.key !== this.held?.key) {
      this.forget();
      return;
    }
    clearTimeout(this.timer);
    this.isDue = true;
    this.changed();
    this.send();
  }

  /** It is taken back, has been answered, or is no longer wanted. */
  forget() {
    clearTimeout(this.timer);
    if (!this.held) return;
    if (this.kept?.key === this.held.key) store(() => localStorage, this.name, null);
    this.held = null;
    this.isDue = false;
    this.changed();
  }
}
