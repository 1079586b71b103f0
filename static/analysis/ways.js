/** Which key leads where on an analysis board, where the hand has no use for it. */

/** @typedef {import("../board/keys.js").Stroke} Stroke */

const WAYS = new Map([
  ["ArrowLeft", "back"],
  ["ArrowRight", "forward"],
  ["ArrowUp", "up"],
  ["ArrowDown", "down"],
  ["Home", "first"],
  ["End", "last"],
]);

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
  const way = WAYS.get(key);
  return way ? `[data-go=${way}][href]` : "";
}
