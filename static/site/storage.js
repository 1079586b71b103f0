/** What a page keeps on this device. A browser may refuse to keep anything; then nothing is kept. */

/**
 * @param {() => Storage} storage
 * @param {string} key
 * @returns {any} null for nothing, and for what is no JSON
 */
export function stored(storage, key) {
  try {
    return JSON.parse(storage().getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {() => Storage} storage
 * @param {string} key
 * @param {unknown} value null to forget it
 */
export function store(storage, key, value) {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, JSON.stringify(value));
  } catch {
    // Full or refused: the page works without.
  }
}
