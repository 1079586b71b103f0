/** The keyboard: which key does what. Single letters can be switched off, for voices that type and hands that slip. */

/** @typedef {{key: string, shiftKey: boolean, altKey: boolean, ctrlKey: boolean, metaKey: boolean}} Stroke */

/**
 * What a key asks for: a step of the piece (to the right and up, in cells), or something by name.
 *
 * @typedef {{step: import("./lookup.js").Point} | {name: string}} Wish
 */

/** @type {Record<string, import("./lookup.js").Point>} */
const STEPS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  PageUp: [0, 5],
  PageDown: [0, -5],
  Home: [-99, 0],
  End: [99, 0],
};

/** With Ctrl, to the corners of the board. @type {Record<string, import("./lookup.js").Point>} */
const ENDS = { Home: [-99, 99], End: [99, -99] };

/** @type {Record<string, string>} */
const NAMES = { Escape: "cancel", Enter: "place", "?": "keys", "/": "pick" };

/** @type {Record<string, string>} */
const LETTERS = {
  r: "right",
  R: "left",
  f: "flip",
  n: "next",
  p: "previous",
  l: "list",
  s: "scores",
  b: "board",
  z: "large",
  t: "turn",
  w: "since",
};

/**
 * Return what a key asks for, null for nothing.
 *
 * @param {Stroke} stroke
 * @param {boolean} hasLetters whether single letters count
 * @returns {Wish | null}
 */
export function wishOf(stroke, hasLetters) {
  const { key, altKey, ctrlKey, metaKey } = stroke;
  if (altKey || metaKey) return null;
  const step = ctrlKey ? ENDS[key] : STEPS[key];
  if (step) return { step };
  if (ctrlKey) return null;
  const isLetter = key.length === 1 && key !== "?" && key !== "/";
  const name = isLetter ? (LETTERS[key] ?? LETTERS[key.toLowerCase()]) : NAMES[key];
  // The two signs are typed like letters, and go with them.
  return name && (hasLetters || key.length > 1) ? { name } : null;
}

/**
 * Return whether a key belongs to the element that has the focus: text is typed, buttons are pressed, lists are walked.
 *
 * @param {Element | null} focused
 * @param {Stroke} stroke
 * @returns {boolean}
 */
export function belongsTo(focused, { key }) {
  if (!focused || focused.id === "board") return false;
  if (focused.matches("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]"))
    return key !== "Escape";
  if (focused.closest("[popover]")) return true;
  return key === "Enter" && focused.matches("a, button, summary, label, input");
}

/**
 * Return the piece that what was typed means: its name, else the only one that begins so.
 *
 * @param {string} typed
 * @param {string[]} pieces
 * @returns {string | null}
 */
export function pieceNamed(typed, pieces) {
  const wanted = typed.trim().toLowerCase();
  if (!wanted) return null;
  const exact = pieces.find((piece) => piece.toLowerCase() === wanted);
  const begun = pieces.filter((piece) => piece.toLowerCase().startsWith(wanted));
  return exact ?? (begun.length === 1 ? (begun[0] ?? null) : null);
}

/**
 * Return the place in a grid of `columns` columns that an arrow leads to from another, as far as there are places.
 *
 * @param {number} at
 * @param {import("./lookup.js").Point} step
 * @param {number} count
 * @param {number} columns
 * @returns {number}
 */
export function walked(at, [right, up], count, columns) {
  if (Math.abs(right) > columns) return right < 0 ? 0 : count - 1;
  const to = at + Math.sign(right) - Math.sign(up) * columns;
  return to >= 0 && to < count ? to : at;
}
