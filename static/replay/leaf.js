/** Turning the leaves of a game: which move to show next, and which key asks for it. */

/** @typedef {{key: string, altKey: boolean, ctrlKey: boolean, metaKey: boolean}} Stroke */

/** How far the buttons and keys for several moves at once go. */
const TEN = 10;

/**
 * Return the number of the move that a command leads to.
 *
 * @param {string} command first, less, back, forward, more, last, or a number
 * @param {number} at the move shown
 * @param {number} last the last move
 * @returns {number}
 */
export function leafAfter(command, at, last) {
  const steps = { first: 0, less: at - TEN, back: at - 1, forward: at + 1, more: at + TEN, last };
  const to = /** @type {Record<string, number>} */ (steps)[command] ?? Number(command);
  return Number.isFinite(to) ? Math.min(Math.max(to, 0), last) : at;
}

/** @type {Record<string, string>} */
const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "forward",
  ArrowUp: "up",
  ArrowDown: "down",
  PageUp: "less",
  PageDown: "more",
  Home: "first",
  End: "last",
};

/** @type {Record<string, string>} */
const LETTERS = { h: "back", l: "forward", j: "less", k: "more", " ": "play" };

/**
 * Return the command a key stands for, nothing for other keys and for keys held with another one.
 *
 * @param {Stroke} stroke
 * @param {boolean} hasLetters whether keys that type something count
 * @returns {string | undefined}
 */
export function commandOf({ key, altKey, ctrlKey, metaKey }, hasLetters = true) {
  if (altKey || ctrlKey || metaKey) return undefined;
  return KEYS[key] ?? (hasLetters ? LETTERS[key] : undefined);
}

/**
 * Return whether a key belongs to the element that has the focus: text is typed, a slider slides, a button is pressed,
 * a box scrolls.
 *
 * @param {Element | null} focused
 * @param {Stroke} stroke
 * @returns {boolean}
 */
export function belongsTo(focused, { key }) {
  if (!focused) return false;
  if (focused.matches("[type=range]")) return key in KEYS;
  if (focused.matches("input, select, textarea, [contenteditable]")) return true;
  if (focused.matches("[tabindex='0']")) return key in KEYS || key === " ";
  return key === " " && focused.matches("button, summary");
}
