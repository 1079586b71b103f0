/**
 * `data-behaviour="share"` on a link: it opens the device's own way to share, or copies where there is none.
 *
 * `data-title`, `data-text` and `data-link` are what is passed on. `data-done` is what the words in the link, which no
 * swap replaces (`hx-morph-skip`), say for a while after it has copied, aloud too. The focus stays where it is. Without
 * scripts, and over plain HTTP, it is a link like any other.
 */

import { prepareToSay, say } from "./said.js";

const SHOWN_FOR = 2000;

/**
 * Pass a text and a link on: true when they were copied, false when they were shared or the person changed their mind.
 *
 * @param {{title: string, text: string, url: string}} what
 * @param {Pick<Navigator, "clipboard"> & {share?: Navigator["share"]}} device
 * @returns {Promise<boolean>}
 */
export async function share(what, device) {
  if (device.share) {
    try {
      await device.share(what);
      return false;
    } catch (error) {
      // Anything else means that this device cannot after all.
      if (error instanceof Error && error.name === "AbortError") return false;
    }
  }
  await device.clipboard.writeText(`${what.text}\n${what.url}`);
  return true;
}

/**
 * @param {HTMLElement} link
 * @returns {() => void}
 */
export function mount(link) {
  const words = link.firstElementChild ?? link;
  const label = words.textContent;
  prepareToSay();
  /** @param {Event} event */
  const onClick = async (event) => {
    if (!navigator.share && !navigator.clipboard) return;
    event.preventDefault();
    const { title = "", text = "", link: url = "" } = link.dataset;
    if (!(await share({ title, text, url }, navigator))) return;
    words.textContent = link.dataset.done ?? label;
    say(link.dataset.done ?? "");
    setTimeout(() => (words.textContent = label), SHOWN_FOR);
  };
  link.addEventListener("click", onClick);
  return () => link.removeEventListener("click", onClick);
}
