/**
 * A game move by move, at once: the picture holds every piece, and the page the words and scores of every move.
 */

import { boardLikes } from "../board/likes.js";
import { mountSwipe } from "../board/swipe.js";
import { register } from "../site/behaviours.js";
import { mountFilm } from "./film.js";
import { markMove, moveOf } from "./graphs.js";
import { belongsTo, commandOf, leafAfter } from "./leaf.js";
import { showWays, wayFrom } from "./ways.js";

/** @typedef {[string, ...number[]]} Leaf the words and how many cells each seat has placed */

/** Milliseconds within which a page tells the moves that it begins to play by itself, if they are not too many. */
const TOLD_WITHIN = 10000;

/** Milliseconds for which a move is looked at before its picture is drawn again: not for moves that are passed by. */
const SETTLED = 1000;

/**
 * Show a part of the picture or hide it.
 *
 * @param {Element} element
 * @param {boolean} isShown
 */
function display(element, isShown) {
  if (isShown) element.removeAttribute("display");
  else element.setAttribute("display", "none");
}

class Replay {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Leaf[]} */
    this.leaves = JSON.parse(root.querySelector("#leaves")?.textContent ?? "[]");
    /** @type {Record<string, string>} what was written, by move */
    this.comments = JSON.parse(root.querySelector("#comments")?.textContent ?? "{}");
    this.slider = /** @type {HTMLInputElement} */ (root.querySelector("#move"));
    this.at = Number(this.slider.value);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.settling = undefined;
    this.pieces = [...root.querySelectorAll("g[data-number]")].map((group) => ({
      group,
      number: Number(group.getAttribute("data-number")),
    }));
  }

  get last() {
    return this.leaves.length - 1;
  }

  /** @param {string} command */
  go(command) {
    const at = leafAfter(command, this.at, this.last);
    if (at === this.at) return;
    this.at = at;
    this.show();
    try {
      history.replaceState(history.state, "", withMove(location.href, at));
    } catch {
      // A slider that is drawn along asks for more than some browsers allow in half a minute: a later move is named
      // again.
    }
  }

  show() {
    let newest = "";
    for (const { group, number } of this.pieces) {
      display(group, number <= this.at);
      // What lay there before the first move is not a latest placement, and after a pass there is none.
      if (number && number === this.at) newest = group.firstElementChild?.getAttribute("d") ?? "";
    }
    this.root.querySelector(".last")?.setAttribute("d", newest);
    for (const start of this.root.querySelectorAll(".start[data-begun]")) {
      display(start, this.at < Number(start.getAttribute("data-begun")));
    }
    this.slider.value = String(this.at);
    const [words = "", ...placed] = this.leaves[this.at] ?? [];
    this.write("[data-number-shown]", [String(this.at)]);
    this.write("[data-words]", [words]);
    this.write("[data-placed]", placed.map(String));
    this.comment(this.comments[this.at] ?? "");
    markMove(this.root, this.at, this.last);
    this.link();
    showWays(this.root, this.at);
    for (const link of this.root.querySelectorAll("a[aria-current]")) link.removeAttribute("aria-current");
    this.showCurrent();
  }

  /** Point at the move shown in the list of all. */
  showCurrent() {
    const link = this.root.querySelector(`a[data-go="${this.at}"]`);
    link?.setAttribute("aria-current", "true");
    this.root
      .querySelector("[data-piece]")
      ?.replaceChildren(link?.querySelector(".move__piece")?.cloneNode(true) ?? "");
    if (link) keepInSight(link.closest("li") ?? link, [...this.root.querySelectorAll(".moves, .moves__list")]);
  }

  /** Let what is passed on be of the move that is shown, and a study or an analysis begin at it. */
  link() {
    const link = /** @type {HTMLInputElement | null} */ (this.root.querySelector("[data-move-link]"));
    const picture = /** @type {HTMLAnchorElement | null} */ (this.root.querySelector("[data-move-picture]"));
    if (link) link.value = withMove(link.value, this.at);
    if (picture) picture.href = withMove(picture.href, this.at);
    const begins = /** @type {NodeListOf<HTMLInputElement>} */ (this.root.querySelectorAll("[data-move-from]"));
    for (const begin of begins) begin.value = String(this.at);
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.preview(), SETTLED);
  }

  /** Show the picture that would be saved. One that is folded away is not asked for until it is opened. */
  preview() {
    const shown = /** @type {HTMLImageElement | null} */ (this.root.querySelector("[data-move-preview]"));
    if (shown) shown.src = withMove(shown.src, this.at);
  }

  /** @param {string} text */
  comment(text) {
    const element = this.root.querySelector("[data-comment]");
    if (!element) return;
    element.textContent = text;
    element.toggleAttribute("hidden", !text);
  }

  /**
   * @param {string} selector
   * @param {string[]} texts
   */
  write(selector, texts) {
    for (const [number, element] of this.root.querySelectorAll(selector).entries()) {
      element.textContent = texts[number] ?? "";
    }
  }
}

/**
 * Scroll boxes, and never the page around them, until an element in them can be seen.
 *
 * @param {Element} element
 * @param {Element[]} boxes
 */
function keepInSight(element, boxes) {
  for (const box of boxes) {
    const [inner, outer] = [element.getBoundingClientRect(), box.getBoundingClientRect()];
    if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top;
    if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom;
  }
}

/**
 * Return the address of another move of the same game.
 *
 * @param {string} address
 * @param {number} number
 * @returns {string}
 */
function withMove(address, number) {
  const url = new URL(address);
  url.searchParams.set("move", String(number));
  return url.href;
}

/**
 * @param {HTMLElement} element
 * @returns {() => void}
 */
export function mount(element) {
  const replay = new Replay(element);
  const leaving = new AbortController();
  const { signal } = leaving;
  const film = mountFilm(
    element,
    { forward: () => replay.go("forward"), isAtEnd: () => replay.at === replay.last, rewind: () => replay.go("first") },
    signal,
  );
  // Only now: with the film's buttons there is less room for the list.
  replay.showCurrent();
  /** @param {string} command */
  const goByHand = (command) => {
    film.stop();
    replay.go(command);
  };
  const onClick = (/** @type {MouseEvent} */ event) => {
    const move = moveOf(event, replay.last);
    if (move !== null) goByHand(String(move));
    const link = /** @type {Element} */ (event.target).closest("[data-go]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    goByHand(link.getAttribute("data-go") ?? "");
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const command = commandOf(event, boardLikes().keys);
    if (!command || event.defaultPrevented || belongsTo(document.activeElement, event)) return;
    const isAcross = command === "up" || command === "down";
    const way = isAcross ? wayFrom(element, command) : null;
    // Where no other move was tried these keys scroll.
    if (isAcross && !way) return;
    event.preventDefault();
    if (way) way.click();
    else if (command === "play") film.toggle();
    else goByHand(command);
  };
  const { playsFrom } = element.dataset;
  // Who likes less motion has the last move before them, and the list of all.
  if (playsFrom && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    replay.go(playsFrom);
    film.playWithin(TOLD_WITHIN, replay.last - replay.at);
  }
  element.addEventListener("click", onClick, { signal });
  mountSwipe(element, goByHand, signal);
  const cross = (/** @type {string} */ way) => wayFrom(element, way === "forward" ? "down" : "up")?.click();
  mountSwipe(element, cross, signal, () => true, ".study__ways");
  // With what the bots thought every line is longer, and the current one would be out of sight.
  element.querySelector(".thoughts")?.addEventListener("toggle", () => replay.showCurrent(), { signal });
  replay.slider.addEventListener("input", () => goByHand(replay.slider.value), { signal });
  document.addEventListener("keydown", onKey, { signal });
  return () => leaving.abort();
}

register("replay", mount);
