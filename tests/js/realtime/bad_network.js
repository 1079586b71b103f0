/**
 * A page of a game over a network that drops, doubles and delays: its link, its catching up, its lookout and what is
 * said aloud are the site's own; sockets, timers and chance are the test's.
 *
 * As a program it reads recorded games as JSON from its input and prints what became of their pages:
 * `node tests/js/realtime/bad_network.js < games.json`.
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { Announcer } from "../../../static/realtime/announce.js";
import { CatchUp } from "../../../static/realtime/catchup.js";
import { BEAT, Link } from "../../../static/realtime/link.js";
import { Lookout } from "../../../static/realtime/lookout.js";
import { mayReplace } from "../../../static/spoken/guard.js";
import { FakeSocket, FakeWorld } from "./world.js";

/** @typedef {{version: number, frame: string, part: string}} Step what the server says of a change, and draws */
/** @typedef {{slug: string, steps: Step[]}} Recorded */
/** @typedef {{isEqual: boolean, twice: number, back: number, fetches: number}} Outcome */

/** How many of the messages are dropped, and how many doubled; all are late, by up to so many milliseconds. */
const SHARE = 0.2;
const LATEST = 3_000;

/** Milliseconds on the way where the network is well, and within which a page is in step after it is back. */
const ON_THE_WAY = 20;
export const SOON = 2_000;

/**
 * @param {number} seed
 * @returns {() => number}
 */
export function dice(seed) {
  let state = seed * 7919 + 17;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

class Page {
  /**
   * @param {Recorded} game
   * @param {() => number} chance
   */
  constructor(game, chance) {
    this.game = game;
    this.chance = chance;
    /** @type {"well" | "bad" | "gone"} */
    this.network = "well";
    this.step = 0;
    /** Announces on the socket that is open how things stand. */
    this.tell = () => {};
    this.shown = game.steps[0];
    this.fetches = 0;
    /** @type {string[]} */
    this.said = [];
    const world = Object.assign(new FakeWorld(), { chance, turn: chance, open: () => this.open() });
    this.world = world;
    const news = { dataset: { key: this.shown.part, deadline: "" }, textContent: "" };
    this.news = news;
    const region = { dataset: {}, textContent: "" };
    const element = { querySelector: (/** @type {string} */ selector) => (selector === "#news" ? news : null) };
    this.announcer = new Announcer(/** @type {any} */ (region), /** @type {any} */ (element));
    this.announcer.say = (sentence) => void this.said.push(sentence ?? "");
    const fetch = () => this.fetch();
    this.catchUp = new CatchUp(() => this.shown.version, fetch, world);
    const lookout = new Lookout(fetch, world);
    const hear = (/** @type {any} */ frame) => frame.type === "version" && this.catchUp.hear(Number(frame.version));
    this.link = new Link(world, hear, (state) => lookout.tell(state));
    this.link.start();
  }

  /** The game as it stands on the server. */
  get truth() {
    return this.game.steps[this.step];
  }

  /** Send something over the network. @param {() => void} arrive */
  carry(arrive) {
    const isBad = this.network === "bad";
    if (this.network === "gone" || (isBad && this.chance() < SHARE)) return;
    const times = isBad && this.chance() < SHARE ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      this.world.after(arrive, ON_THE_WAY + (isBad ? LATEST * this.chance() ** 3 : 0));
    }
  }

  open() {
    const socket = new FakeSocket();
    const say = () => {
      const { frame } = this.truth;
      this.carry(() => /** @type {any} */ (socket).onmessage?.({ data: frame }));
    };
    this.tell = () => {
      if (!socket.isClosed) say();
    };
    socket.send = () => this.carry(() => this.tell());
    let isOpen = false;
    this.carry(() => {
      if (!isOpen) /** @type {any} */ (socket).onopen?.({});
      isOpen = true;
    });
    return /** @type {any} */ (socket);
  }

  fetch() {
    this.fetches += 1;
    this.carry(() => {
      const answer = this.truth;
      this.carry(() => this.arrive(answer));
    });
  }

  /** @param {Step} answer */
  arrive(answer) {
    if (!mayReplace({ version: String(answer.version), isLook: true }, this.shown.version, false)) return;
    this.shown = answer;
    this.news.dataset.key = answer.part;
    this.news.textContent = answer.part;
    this.announcer.hear();
  }

  change() {
    this.step += 1;
    this.tell();
  }
}

/**
 * Play a recorded game before a page whose network drops, doubles, delays and is gone for a while, and is then back.
 *
 * @param {Recorded} game
 * @param {number} seed
 * @returns {Outcome}
 */
export function weather(game, seed) {
  const chance = dice(seed);
  const page = new Page(game, chance);
  page.world.pass(1_000);
  page.network = "bad";
  for (let step = 1; step < game.steps.length; step += 1) {
    page.world.pass(200 + 8_000 * chance());
    page.change();
    if (chance() < 0.05) page.network = "gone";
    else if (chance() < 0.5) page.network = "bad";
  }
  page.world.pass(60_000 * chance());
  // As a device says it: it is offline, and online again.
  page.link.lose();
  page.network = "gone";
  page.world.pass(5_000 * chance());
  page.network = "well";
  const began = page.world.now;
  page.link.renew();
  while (page.shown !== page.truth && page.world.now < began + SOON) page.world.pass(10);
  const [isEqual, back] = [page.shown === page.truth, page.world.now - began];
  page.world.pass(4 * BEAT);
  const twice = page.said.length - new Set(page.said).size;
  return { isEqual: isEqual && page.shown === page.truth, twice, back, fetches: page.fetches };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  /** @type {Recorded[]} */
  const games = JSON.parse(readFileSync(0, "utf8"));
  const found = games.map((game, seed) => ({ slug: game.slug, ...weather(game, seed) }));
  process.stdout.write(JSON.stringify(found));
}
