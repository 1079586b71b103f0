/**
 * A game move by move, at once: the picture holds every piece, and the page the words and scores of every move.
 */

import { register } from "../site/behaviours.js";
import { commandOf, leafAfter } from "./leaf.js";

/** @typedef {[string, ...string[]]} Leaf the words and each seat's score */

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
    const address = new URL(location.href);
    address.searchParams.set("move", String(at));
    history.replaceState(history.state, "", address);
  }

  show() {
    let newest = "";
    for (const { group, number } of this.pieces) {
      if (number > this.at) group.setAttribute("display", "none");
      else {
        group.removeAttribute("display");
        // What lay there before the first move is nobody's latest.
        if (number) newest = group.firstElementChild?.getAttribute("d") ?? "";
      }
    }
    this.root.querySelector(".last")?.setAttribute("d", newest);
    this.slider.value = String(this.at);
    const [words = "", ...scores] = this.leaves[this.at] ?? [];
    this.write("[data-number-shown]", [String(this.at)]);
    this.write("[data-words]", [words]);
    this.write("[data-score]", scores);
    this.comment(this.comments[this.at] ?? "");
    for (const link of this.root.querySelectorAll("a[aria-current]")) link.removeAttribute("aria-current");
    this.root.querySelector(`a[data-go="${this.at}"]`)?.setAttribute("aria-current", "true");
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
    this.root.querySelectorAll(selector).forEach((element, number) => (element.textContent = texts[number] ?? ""));
  }
}

/**
 * @param {HTMLElement} element
 * @returns {() => void}
 */
export function mount(element) {
  const replay = new Replay(element);
  const leaving = new AbortController();
  const { signal } = leaving;
  const onClick = (/** @type {MouseEvent} */ event) => {
    const link = /** @type {Element} */ (event.target).closest("[data-go]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    replay.go(link.getAttribute("data-go") ?? "");
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const command = commandOf(event);
    if (!command) return;
    event.preventDefault();
    replay.go(command);
  };
  element.addEventListener("click", onClick, { signal });
  replay.slider.addEventListener("input", () => replay.go(replay.slider.value), { signal });
  document.addEventListener("keydown", onKey, { signal });
  return () => leaving.abort();
}

register("replay", mount);
