/**
 * `data-behaviour="offer"`: notices are offered where a player waits for others, to browsers that can show them.
 *
 * What has become of the offer stands on the root element, for a live update brings the element again as it was.
 */

import { ability, switchOff, switchOn } from "./device.js";

/**
 * @param {HTMLElement} element
 * @returns {() => void}
 */
export function mount(element) {
  const root = document.documentElement;
  root.dataset.notices ??= ability(window) === "able" ? "ask" : "no";
  const press = async (/** @type {Event} */ event) => {
    const wish = /** @type {HTMLElement} */ (event.target).closest("button")?.dataset.do;
    if (!wish) return;
    if (wish === "off") root.dataset.notices = "no";
    const state = await (wish === "on" ? switchOn() : switchOff());
    if (wish === "on") root.dataset.notices = state === "off" ? "ask" : state;
  };
  element.addEventListener("click", press);
  return () => element.removeEventListener("click", press);
}
