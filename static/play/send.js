/**
 * Sending a move once, however often it has to be tried: the same placement for the same move keeps its key.
 */

/** @typedef {{number: string, placement: string, key: string}} Attempt */

const DELAYS = [1, 2, 4, 8, 15, 30];

/**
 * Return the attempt to send, which is the last one if it asks for the same.
 *
 * @param {Attempt | null} last
 * @param {string} number that of the move which is due
 * @param {string} placement
 * @param {() => string} [newKey]
 * @returns {Attempt}
 */
export function attempt(last, number, placement, newKey = randomKey) {
  if (last && last.number === number && last.placement === placement) return last;
  return { number, placement, key: newKey() };
}

/**
 * Return whether another move is due than the one that was to be sent, so that it is no longer wanted.
 *
 * @param {Attempt | null} last
 * @param {string | null} due the number of the move that is due now, null if it is not known
 * @returns {boolean}
 */
export function isOver(last, due) {
  return Number(due) > Number(last?.number);
}

/**
 * Return how long to wait before trying again, in milliseconds.
 *
 * @param {number} failures how often it has failed in a row, from 1
 * @returns {number}
 */
export function delay(failures) {
  return 1000 * DELAYS[Math.min(failures, DELAYS.length) - 1];
}

/** @returns {string} 128 random bits; works on plain http too, where randomUUID is missing */
export function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
