/**
 * A socket that comes back. It says only that something has a new version; the listener fetches what it lacks.
 *
 * The world is handed in, so that tests can be one: sockets, timers, chance, and whether the page is looked at.
 */

/**
 * @typedef {object} Frame
 * @property {string} type
 * @property {number | string} [version]
 */

/**
 * @typedef {object} Socket what of a WebSocket is used
 * @property {((event: any) => void) | null} onopen
 * @property {((event: any) => void) | null} onmessage
 * @property {((event: any) => void) | null} onclose
 * @property {(data: string) => void} send
 * @property {() => void} close
 */

/**
 * @typedef {object} World
 * @property {() => Socket} open
 * @property {(task: () => void, delay: number) => any} after
 * @property {(timer: any) => void} cancel
 * @property {() => number} chance from 0 to 1
 * @property {() => number} turn by chance too, the same for all links of a page that are lost together
 * @property {() => boolean} isLooking
 */

/**
 * `waits` is said of a link whose other end has hung up, until its turn comes; `gone` once an attempt has failed, or
 * where nothing answers any more.
 *
 * @typedef {"open" | "waits" | "gone" | "ended" | "crowded"} State
 */

/** Milliseconds between heartbeats, and how long an answer to one may take. */
export const BEAT = 25_000;
export const PATIENCE = 8_000;

/** Milliseconds that opening may take: a site that has just started is asked by many. */
export const OPENING = 15_000;

/** The site closes with these when the login has ended, or what was shown may no longer be seen. */
const ENDED = [4401, 4403];

/** The site closes with this when too many pages are open. Trying again soon would only keep it busy. */
const CROWDED = 4429;
export const CROWDED_PAUSE = 60_000;

/** Milliseconds over which pages come back that a web process leaves at once: on a busy machine it starts in ten. */
export const SPREAD = 19_500;

/**
 * Return how long a link waits whose other end has hung up: it may be one of thousands.
 *
 * @param {number} chance from 0 to 1
 * @returns {number}
 */
export function turn(chance) {
  return SPREAD * chance;
}

/**
 * Return how long to wait before the next attempt: half a second, doubled up to half a minute, spread by chance.
 *
 * @param {number} attempt counted from 0
 * @param {number} chance from 0 to 1
 * @returns {number}
 */
export function pause(attempt, chance) {
  return Math.min(30_000, 500 * 2 ** attempt) * (0.5 + chance);
}

/**
 * Return the frame in a message, null if there is none.
 *
 * @param {string} data
 * @returns {Frame | null}
 */
export function read(data) {
  try {
    const frame = JSON.parse(data);
    return typeof frame?.type === "string" ? frame : null;
  } catch {
    return null;
  }
}

export class Link {
  /**
   * @param {World} world
   * @param {(frame: Frame) => void} hear
   * @param {(state: State) => void} tell
   */
  constructor(world, hear, tell) {
    this.world = world;
    this.hear = hear;
    this.tell = tell;
    /** @type {Socket | null} */
    this.socket = null;
    this.isOpen = false;
    this.isHeard = false;
    this.attempt = 0;
    this.isCrowded = false;
    /** @type {any} */
    this.timer = null;
    /** @type {any} */
    this.patience = null;
  }

  /** Open the socket, unless it is there. */
  start() {
    if (this.socket) return;
    this.wait(null);
    const socket = this.world.open();
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onmessage = (event) => this.heard(event.data);
    socket.onclose = (event) => this.lost(event.code, this.isHeard);
    this.patience = this.world.after(() => this.lost(1006), OPENING);
  }

  /** Close the socket and stay closed until started again. */
  stop() {
    this.wait(null);
    this.drop();
    this.attempt = 0;
  }

  /** Ask for the version now: the page has come back from sleep, or its reader to it. */
  wake() {
    if (this.isOpen) this.ask();
    else if (!this.socket) {
      this.attempt = 0;
      this.start();
    }
  }

  /** The device is online again: begin anew what was begun meanwhile, over no network. It might hang for long. */
  renew() {
    if (!this.isOpen) this.drop();
    this.wake();
  }

  /** Try again now, if the link waits for that: the site has just answered this page. */
  retry() {
    if (!this.socket && this.timer && !this.isCrowded) this.start();
  }

  /** Take the socket for lost, if there is one, and try again. */
  lose() {
    if (this.socket) this.lost(1006);
  }

  /** Say that the page is there, and whether it is looked at; the answer says where things stand. */
  ask() {
    this.socket?.send(JSON.stringify({ type: "ping", looking: this.world.isLooking() }));
    this.world.cancel(this.patience);
    this.patience = this.world.after(() => this.lost(1006), PATIENCE);
    this.wait(() => this.ask(), BEAT);
  }

  opened() {
    this.isOpen = true;
    this.ask();
  }

  /** @param {string} data */
  heard(data) {
    this.world.cancel(this.patience);
    this.attempt = 0;
    if (!this.isHeard) this.tell("open");
    this.isHeard = true;
    const frame = read(data);
    if (frame) this.hear(frame);
  }

  /**
   * @param {number} code
   * @param {boolean} [isLeft] the other end has hung up on an open link, perhaps on thousands together
   */
  lost(code, isLeft = false) {
    this.drop();
    this.isCrowded = code === CROWDED;
    if (ENDED.includes(code)) {
      this.wait(null);
      this.tell("ended");
      return;
    }
    if (this.isCrowded) {
      this.wait(() => this.start(), CROWDED_PAUSE * (0.5 + this.world.chance()));
      this.tell("crowded");
      return;
    }
    if (isLeft) {
      this.wait(() => this.start(), turn(this.world.turn()));
      this.tell("waits");
      return;
    }
    this.wait(() => this.start(), pause(this.attempt, this.world.chance()));
    this.attempt += 1;
    this.tell("gone");
  }

  /** Let go of the socket without waiting for its goodbye, which may never come. */
  drop() {
    this.world.cancel(this.patience);
    this.isOpen = this.isHeard = false;
    if (!this.socket) return;
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
    this.socket = null;
  }

  /**
   * @param {(() => void) | null} task
   * @param {number} [delay]
   */
  wait(task, delay = 0) {
    this.world.cancel(this.timer);
    this.timer = task && this.world.after(task, delay);
  }
}
