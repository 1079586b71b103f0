/** The move of this game that could not be sent, kept on the device until it is, or until its player takes it back. */

import { dropMove, keepMove, keptMoves } from "../offline/moves.js";
import { login, tellWorker } from "../offline/start.js";

/** @typedef {import("./send.js").Attempt} Attempt */

export class Kept {
  /** @param {string} game */
  constructor(game) {
    this.game = game;
    /** @type {Attempt | null} */
    this.move = null;
  }

  /**
   * Return the move that an earlier visit could not send.
   *
   * @param {string | null} due the number of the viewer's move that is due, null when it is not their turn
   * @returns {Promise<Attempt | null>} null for none, and for one that came too late: the service worker sends it, and
   *   the answer says so
   */
  async find(due) {
    if (!login) return null;
    const moves = await keptMoves().catch(() => []);
    const found = moves.find(({ game, number, refused, login: whose }) => {
      return game === this.game && number === due && !refused && whose === login;
    });
    if (found && !this.move) this.move = found;
    return found ?? null;
  }

  /**
   * @param {Attempt} move
   * @param {HTMLFormElement | null} form which sends it
   */
  keep(move, form) {
    this.move = move;
    if (!login || !form) return;
    const sync = async () => {
      await keepMove(this.described(move, form));
      const registration = /** @type {any} */ (await navigator.serviceWorker.ready);
      // Where the browser can, it has the move sent as soon as there is a network, without a page.
      await registration.sync?.register("moves");
    };
    // A browser may refuse to keep it: then it waits as long as the page is open.
    sync().catch(() => {});
  }

  /**
   * Hand the move to the service worker, for the page is left. A request of the page's own would have to pass through
   * the worker, and is lost now and then where the page is gone before it has.
   *
   * @param {Attempt} move
   * @param {HTMLFormElement} form which would send it
   * @returns {boolean} whether there is a worker to hand it to
   */
  leave(move, form) {
    const worker = login ? navigator.serviceWorker.controller : null;
    worker?.postMessage({ left: this.described(move, form) });
    return worker !== null;
  }

  /**
   * @param {Attempt} move
   * @param {HTMLFormElement} form
   * @returns {import("../offline/moves.js").KeptMove}
   */
  described({ number, placement, key }, form) {
    const address = new URL(form.action).pathname;
    const name = document.getElementById("game")?.getAttribute("aria-label") ?? "";
    return { number, placement, key, address, game: this.game, login, name };
  }

  /** The game has gone on: have it asked whether with this move, and said if it was not. */
  handOver() {
    if (this.move) void tellWorker({ deliver: true }).catch(() => {});
    this.move = null;
  }

  /** It has been answered, or is no longer wanted. */
  drop() {
    const { game, move } = this;
    this.move = null;
    if (move && login) void dropMove({ game, key: move.key }).catch(() => {});
  }
}
