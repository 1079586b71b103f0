/** A game that plays itself on a small board, once; a button stops it, and starts it again. */

import { Autoplay } from "../replay/autoplay.js";

/**
 * @param {HTMLElement} figure
 * @returns {(() => void) | void}
 */
export function mount(figure) {
  const pieces = [...figure.querySelectorAll("[data-piece]")];
  const last = figure.querySelector(".last");
  const button = /** @type {HTMLButtonElement} */ (figure.querySelector("button"));
  if (pieces.length < 2) return;
  let shown = pieces.length;
  const show = () => {
    for (const [number, piece] of pieces.entries()) piece.toggleAttribute("data-to-come", number >= shown);
    last?.setAttribute("d", pieces[shown - 1]?.querySelector(".piece")?.getAttribute("d") ?? "");
  };
  const film = new Autoplay(
    {
      forward: () => {
        shown += 1;
        show();
      },
      isAtEnd: () => shown === pieces.length,
      rewind: () => {
        shown = 0;
        show();
      },
      changed: (isPlaying) => {
        for (const word of button.querySelectorAll("span")) word.hidden = word.hasAttribute("data-stop") !== isPlaying;
      },
    },
    { set: (call, wait) => window.setTimeout(call, wait), clear: (timer) => clearTimeout(timer) },
    "fast",
  );
  const pause = () => document.hidden && film.stop();
  button.hidden = false;
  button.addEventListener("click", () => film.toggle());
  document.addEventListener("visibilitychange", pause);
  // Nothing moves by itself where less motion is asked for: the button is there for who wants to see it.
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) film.start();
  return () => {
    film.stop();
    document.removeEventListener("visibilitychange", pause);
  };
}
