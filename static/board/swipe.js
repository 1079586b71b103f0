/** A finger drawn across a board or what is beside it: to the left for what comes next, to the right for what was. */

/** Pixels from which a finger means it, and how many times farther it has to go across than up or down. */
const FAR = 48;
const FLAT = 2;

/**
 * Return where a finger leads that has gone so far, empty where it was no swipe.
 *
 * @param {number} across
 * @param {number} down
 * @returns {"forward" | "back" | ""}
 */
export function wayOfSwipe(across, down) {
  if (Math.abs(across) < FAR || Math.abs(across) < FLAT * Math.abs(down)) return "";
  return across < 0 ? "forward" : "back";
}

/**
 * Go where fingers lead on the board of a page, whichever board it has by then.
 *
 * @param {HTMLElement} root
 * @param {(way: "forward" | "back") => void} go
 * @param {AbortSignal} signal ends it
 * @param {() => boolean} isFree whether the finger has nothing else to do there
 * @param {string} over the selector of what the finger is drawn across
 */
export function mountSwipe(root, go, signal, isFree = () => true, over = "#board") {
  /** @type {PointerEvent | null} */
  let from = null;
  /** @param {PointerEvent} event */
  const down = (event) => {
    const isThere = event.isPrimary && /** @type {Element} */ (event.target).closest(over);
    from = isThere && event.pointerType === "touch" && isFree() ? event : null;
  };
  /** @param {PointerEvent} event */
  const up = (event) => {
    const way = from && isFree() ? wayOfSwipe(event.clientX - from.clientX, event.clientY - from.clientY) : "";
    from = null;
    if (way) go(way);
  };
  root.addEventListener("pointerdown", down, { signal });
  root.addEventListener("pointerup", up, { signal });
  root.addEventListener("pointercancel", () => (from = null), { signal });
}
