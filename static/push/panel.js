/**
 * `data-behaviour="notices"`: the switch for notices on this device, and a button that tries them.
 *
 * Parts with `data-when` are shown in those states; what a button does is its `data-do`.
 */

import { ability, present, switchOff, switchOn, tryOut } from "./device.js";

/**
 * @param {HTMLElement} element
 * @returns {() => void}
 */
export function mount(element) {
  /** @param {string} state */
  const show = (state) => {
    const hadFocus = element.contains(document.activeElement);
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll("[data-when]"))) {
      part.hidden = !part.dataset.when?.split(" ").includes(state);
    }
    if (hadFocus && element.querySelector(":focus:not([hidden])") === null) {
      /** @type {HTMLElement | null} */ (element.querySelector("button:not([hidden])"))?.focus();
    }
  };
  /** @type {Record<string, () => Promise<string>>} */
  const deeds = {
    off: switchOff,
    on: switchOn,
    test: async () => ((await tryOut()) ? "sent" : "failed"),
  };
  const press = async (/** @type {Event} */ event) => {
    const button = /** @type {HTMLButtonElement | null} */ (
      /** @type {HTMLElement} */ (event.target).closest("button")
    );
    if (!button?.dataset.do || button.ariaBusy) return;
    button.ariaBusy = "true";
    const state = await deeds[button.dataset.do]();
    button.ariaBusy = null;
    show(state);
  };
  const arrive = (/** @type {MessageEvent} */ event) => {
    if (event.data.key?.startsWith("test.")) show("arrived");
  };
  const found = ability(window);
  if (found === "able") present().then(show, () => show("failed"));
  else show(found);
  element.addEventListener("click", press);
  navigator.serviceWorker?.addEventListener("message", arrive);
  return () => {
    element.removeEventListener("click", press);
    navigator.serviceWorker?.removeEventListener("message", arrive);
  };
}
