/**
 * Having the service worker keep what was tried in a game or a study, for times without a network: the page of all
 * branches, each time they have changed and rested for a moment, or the board is left.
 */

import { login, tellWorker } from "../offline/start.js";

/** The board of a game or a study, whose branches have a page; the boards of puzzles have none. */
const BOARD = /^\/(?:games\/[^/]+\/analysis|studies\/[^/]+\/board)\/$/;

/** Milliseconds in which several moves are tried one after the other. */
export const REST = 3000;

/** @typedef {ReturnType<typeof setTimeout>} Timer */
/** @typedef {{set: (call: () => void, wait: number) => Timer, clear: (timer: Timer | undefined) => void}} Timers */

export class KeptBranches {
  /**
   * @param {string} board the path of the analysis board
   * @param {(path: string) => void} tell asks the worker to keep a page
   * @param {Timers} timers
   */
  constructor(
    board,
    tell = (path) => void (login && tellWorker({ keep: path })),
    timers = { set: (call, wait) => setTimeout(call, wait), clear: (timer) => clearTimeout(timer) },
  ) {
    this.board = board;
    this.tell = tell;
    this.timers = timers;
    /** @type {string | undefined} */
    this.edition = undefined;
    /** @type {Timer | undefined} */
    this.resting = undefined;
  }

  /** Take note of which edition the page shows. @param {string} edition */
  see(edition) {
    if (edition === this.edition || !BOARD.test(this.board)) return;
    this.edition = edition;
    this.timers.clear(this.resting);
    this.resting = this.timers.set(() => this.keep(), REST);
  }

  /** Have what has changed kept now, if anything has. */
  keep() {
    if (this.resting === undefined) return;
    this.timers.clear(this.resting);
    this.resting = undefined;
    this.tell(`${this.board}branches/`);
  }
}
