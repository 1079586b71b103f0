/**
 * `data-behaviour="offer"`: notices are offered where a player waits for others, to browsers that can show them.
 *
 * The page hides all that could be said, so that none of it is seen before its style has come; a live update leaves
 * alone what is shown. What has become of the offer stands on the root element, for the element may leave and come
 * again.
 */

import { ability, switchOff, switchOn } from "./device.js";

/**
 * Show what is said in a state, and nothing else of the offer.
 *
 * @param {HTMLElement} element
 * @param {string} state "ask", "on", "failed", "blocked", or "no" for an offer that is not made
 */
export function show(element, state) {
  const said = state === "blocked" ? "failed" : state;
  const parts = [...element.querySelectorAll("[data-when]")].map((part) => /** @type {HTMLElement} */ (part));
  for (const part of parts) part.hidden = part.dataset.when !== said;
  element.hidden = parts.every((part) => part.hidden);
}

/**
 * @param {HTMLElement} element
 * @returns {() => void}
 */
export function mount(element) {
  const root = document.documentElement;
  const become = (/** @type {string} */ state) => {
    root.dataset.notices = state;
    show(element, state);
  };
  become(root.dataset.notices ?? (ability(window) === "able" ? "ask" : "no"));
  const press = async (/** @type {Event} */ event) => {
    const wish = /** @type {HTMLElement} */ (event.target).closest("button")?.dataset.do;
    if (!wish) return;
    if (wish === "off") become("no");
    const state = await (wish === "on" ? switchOn() : switchOff());
    if (wish === "on") become(state === "off" ? "ask" : state);
  };
  element.addEventListener("click", press);
  return () => element.removeEventListener("click", press);
}
