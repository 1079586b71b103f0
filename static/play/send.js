/**
 * Sending a move once, however often it has to be tried: the same placement from the same version keeps its key.
 */

/** @typedef {{version: string, placement: string, key: string}} Attempt */

const DELAYS = [1, 2, 4, 8, 15, 30];

/**
 * Return the attempt to send, which is the last one if it asks for the same.
 *
 * @param {Attempt | null} last
 * @param {string} version
 * @param {string} placement
 * @param {() => string} [newKey]
 * @returns {Attempt}
 */
export function attempt(last, version, placement, newKey = randomKey) {
  if (last && last.version === version && last.placement === placement) return last;
  return { version, placement, key: newKey() };
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
