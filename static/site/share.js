/**
 * `data-behaviour="share"` on a link: it opens the device's own way to share, or copies where there is none.
 *
 * `data-title`, `data-text` and `data-link` are what is passed on, `data-picture` the address of a picture that goes
 * along as a file where the device takes files. `data-done` is what the words in the link, which no swap replaces
 * (`hx-morph-skip`), say for a while after it has copied, aloud too. The focus stays where it is. Without scripts, and
 * over plain HTTP, it is a link like any other.
 */

import { prepareToSay, say } from "./said.js";

const SHOWN_FOR = 2000;
/** How long a press waits for the picture. A browser lets a page share only shortly after a press. */
const PATIENCE = 1500;

/**
 * @typedef {Pick<Navigator, "clipboard"> & {share?: Navigator["share"], canShare?: Navigator["canShare"]}} Device
 */

/**
 * Pass a text and a link on: true when they were copied, false when they were shared or the person changed their mind.
 *
 * @param {{title: string, text: string, url: string}} what
 * @param {Device} device
 * @param {File} [picture] which goes along where the device takes it
 * @returns {Promise<boolean>}
 */
export async function share(what, device, picture) {
  const whole = { ...what, files: picture ? [picture] : [] };
  for (const data of picture && device.canShare?.(whole) ? [whole, what] : [what]) {
    if (!device.share) break;
    try {
      await device.share(data);
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
 * Return a picture as a file; nothing where it cannot be had.
 *
 * @param {string} address
 * @returns {Promise<File | undefined>}
 */
export async function fetchPicture(address) {
  try {
    const response = await fetch(address);
    return response.ok ? new File([await response.blob()], "block-you.png", { type: "image/png" }) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {HTMLElement} link
 * @returns {() => void}
 */
export function mount(link) {
  const words = link.firstElementChild ?? link;
  const label = words.textContent;
  prepareToSay();
  /** @type {Promise<File | undefined> | undefined} */
  let picture;
  // What comes before a press: the picture is there by then.
  const onReach = () => {
    if ("canShare" in navigator) picture ??= fetchPicture(link.dataset.picture ?? "");
  };
  /** @param {Event} event */
  const onClick = async (event) => {
    if (!navigator.share && !navigator.clipboard) return;
    event.preventDefault();
    onReach();
    const file = await Promise.race([picture, new Promise((done) => setTimeout(done, PATIENCE))]);
    if (!file) picture = undefined;
    const { title = "", text = "", link: url = "" } = link.dataset;
    if (!(await share({ title, text, url }, navigator, file))) return;
    words.textContent = link.dataset.done ?? label;
    say(link.dataset.done ?? "");
    setTimeout(() => (words.textContent = label), SHOWN_FOR);
  };
  const leave = new AbortController();
  link.addEventListener("click", onClick, leave);
  for (const name of ["pointerdown", "focus"]) link.addEventListener(name, onReach, leave);
  return () => leave.abort();
}
