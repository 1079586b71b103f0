/**
 * `data-behaviour="dismiss"`: a question that a button puts away, for as long as the tab lives.
 *
 * The element has an `id` and a `[data-dismiss]` button, hidden for pages without scripts.
 */

import { store, stored } from "./storage.js";

/**
 * @param {HTMLElement} element
 * @returns {(() => void) | void}
 */
export function mount(element) {
  const key = `dismissed:${element.id}`;
  const button = /** @type {HTMLButtonElement | null} */ (element.querySelector("[data-dismiss]"));
  element.hidden = stored(() => sessionStorage, key) === true;
  if (!button) return;
  button.hidden = false;
  const putAway = () => {
    store(() => sessionStorage, key, true);
    element.hidden = true;
  };
  button.addEventListener("click", putAway);
  return () => button.removeEventListener("click", putAway);
}
