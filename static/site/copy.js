/**
 * A link to pass on: buttons copy it, or open the device's own way to share.
 *
 * The element holds an `input` with the link and buttons with `data-pass`: "copy", "share", or "any" for what suits
 * the device. `data-done` is what a button says once it has copied, aloud too. Which buttons can be used, the root
 * element says and stylesheets show: what a live update brings has forgotten what was done to it. A button on a page
 * that changes by itself has `hx-morph-skip`, which leaves it what it says.
 */

import { prepareToSay, say } from "./said.js";

const SHOWN_FOR = 2000;

/**
 * Copy the link, which is selected.
 *
 * @param {string} link
 * @param {Navigator} navigator
 * @returns {Promise<true>}
 */
async function copy(link, navigator) {
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    // Over plain HTTP there is no clipboard to write to.
    document.execCommand("copy");
  }
  return true;
}

/**
 * @param {string} link
 * @param {string} title
 * @param {Navigator} navigator
 * @returns {Promise<false>}
 */
async function share(link, title, navigator) {
  await navigator.share({ title, url: link }).catch(() => {});
  return false;
}

/**
 * Hand the link on: true when it was copied, false when it was shared or the person changed their mind.
 *
 * @param {string} link
 * @param {string} title
 * @param {Navigator} navigator
 * @param {string} [way]
 * @returns {Promise<boolean>}
 */
export function passOn(link, title, navigator, way = "any") {
  const isShared = way === "share" || (way === "any" && "share" in navigator && navigator.maxTouchPoints > 0);
  return isShared ? share(link, title, navigator) : copy(link, navigator);
}

/**
 * @param {HTMLElement} element
 * @returns {() => void}
 */
export function mount(element) {
  const input = /** @type {HTMLInputElement} */ (element.querySelector("input"));
  const select = () => input.select();
  const press = async (/** @type {Event} */ event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest("button");
    if (!button?.dataset.pass) return;
    select();
    if (!(await passOn(input.value, document.title, navigator, button.dataset.pass))) return;
    const [label, done] = [button.textContent, element.dataset.done];
    if (!done || done === label) return;
    button.textContent = done;
    say(done);
    setTimeout(() => (button.textContent = label), SHOWN_FOR);
  };
  prepareToSay();
  document.documentElement.dataset.passes = "share" in navigator ? "copy share" : "copy";
  element.addEventListener("click", press);
  input.addEventListener("focus", select);
  return () => {
    element.removeEventListener("click", press);
    input.removeEventListener("focus", select);
  };
}
