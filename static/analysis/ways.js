/** Which key leads where on an analysis board, where the hand has no use for it. */

/** @typedef {import("../board/keys.js").Stroke} Stroke */

/** @type {Record<string, string>} */
const WAYS = {
  ArrowLeft: "back",
  ArrowRight: "forward",
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "first",
  End: "last",
};

/**
 * Return what a key presses, as a selector, empty where it does nothing here.
 *
 * @param {Stroke} stroke
 * @returns {string}
 */
export function wayOf({ key, shiftKey, altKey, ctrlKey, metaKey }) {
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "z")
    return `[data-do=${shiftKey ? "redo" : "undo"}]:enabled`;
  if (altKey || ctrlKey || metaKey || shiftKey) return "";
  const way = WAYS[key];
  return way ? `[data-go=${way}][href]` : "";
}
