/** The row below the leaves: play and pause, the pace, and numbers on the pieces. It stays hidden without scripts. */

import { Autoplay, paceOf } from "./autoplay.js";
import { keepReplayLikes, replayLikes } from "./likes.js";

/**
 * @typedef {{forward: () => void, isAtEnd: () => boolean, rewind: () => void}} Leaves
 * @typedef {{toggle: () => void, stop: () => void, playWithin: (span: number, moves: number) => void}} Film
 */

/**
 * @param {HTMLElement} root
 * @param {Leaves} leaves
 * @param {AbortSignal} signal ends it
 * @returns {Film}
 */
export function mountFilm(root, leaves, signal) {
  const row = /** @type {HTMLElement} */ (root.querySelector("[data-film]"));
  const speed = /** @type {HTMLSelectElement} */ (row.querySelector("[data-speed]"));
  const { figures, pace } = replayLikes();
  const autoplay = new Autoplay(
    { ...leaves, changed: (isPlaying) => showPlaying(root, isPlaying) },
    { set: (call, wait) => window.setTimeout(call, wait), clear: (timer) => clearTimeout(timer) },
    paceOf(pace, matchMedia("(prefers-reduced-motion: reduce)").matches),
  );
  speed.value = autoplay.pace;
  speed.addEventListener("change", () => {
    autoplay.setPace(paceOf(speed.value, false));
    keepReplayLikes({ pace: autoplay.pace });
  });
  row.querySelector("[data-play]")?.addEventListener("click", () => autoplay.toggle());
  mountFigures(root, row, figures);
  // Turning is invisible while the page is hidden.
  document.addEventListener("visibilitychange", () => document.hidden && autoplay.stop(), { signal });
  signal.addEventListener("abort", () => autoplay.stop());
  row.hidden = false;
  return autoplay;
}

/**
 * @param {HTMLElement} root
 * @param {boolean} isPlaying
 */
function showPlaying(root, isPlaying) {
  const button = /** @type {HTMLElement} */ (root.querySelector("[data-play]"));
  const words = /** @type {HTMLElement} */ (button.querySelector("span"));
  const other = button.dataset.pause ?? "";
  button.dataset.pause = words.textContent ?? "";
  words.textContent = other;
  button.toggleAttribute("data-playing", isPlaying);
  // A voice that says every move would never be done.
  root.querySelector("[data-say]")?.setAttribute("aria-live", isPlaying ? "off" : "polite");
}

/**
 * @param {HTMLElement} root
 * @param {HTMLElement} row
 * @param {boolean} isOnAtFirst
 */
function mountFigures(root, row, isOnAtFirst) {
  let isOn = isOnAtFirst;
  const button = /** @type {HTMLElement} */ (row.querySelector("[data-figures]"));
  const show = () => {
    button.setAttribute("aria-pressed", String(isOn));
    root.toggleAttribute("data-numbered", isOn);
  };
  button.addEventListener("click", () => {
    isOn = !isOn;
    keepReplayLikes({ figures: isOn });
    show();
  });
  show();
}
