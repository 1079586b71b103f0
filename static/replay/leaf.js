/** Turning the leaves of a game: which move to show next. */

/**
 * Return the number of the move that a command leads to.
 *
 * @param {string} command first, back, forward, last, or a number
 * @param {number} at the move shown
 * @param {number} last the last move
 * @returns {number}
 */
export function leafAfter(command, at, last) {
  const to = { first: 0, back: at - 1, forward: at + 1, last }[command] ?? Number(command);
  return Number.isFinite(to) ? Math.min(Math.max(to, 0), last) : at;
}

/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

/**
 * Return the command a key stands for, nothing for other keys and for keys held with another one.
 *
 * @param {{key: string, altKey: boolean, ctrlKey: boolean, metaKey: boolean}} event
 * @returns {string | undefined}
 */
export function commandOf(event) {
  return event.altKey || event.ctrlKey || event.metaKey ? undefined : KEYS[event.key];
}
