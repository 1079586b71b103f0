/**
 * What a page keeps on this device: the piece in the hand for as long as the tab lives, and how its reader likes to see
 * boards. A browser may refuse to keep anything; then nothing is kept.
 */

/** @typedef {{colour: string, draft: import("./lookup.js").Placement, didFit: boolean}} KeptDraft */

/**
 * What is shown besides the pieces: `corners` to reach out from, `heat` where pieces could lie, `counts` of placements,
 * `keys` that are single letters, `turns` of the board by a quarter, by variant.
 *
 * @typedef {{corners: boolean, heat: boolean, counts: boolean, keys: boolean, turns: Record<string, number>}} Likes
 */

/** @type {Likes} */
const USUAL = { corners: true, heat: false, counts: false, keys: true, turns: {} };
const LIKES = "play";

/**
 * @param {() => Storage} storage
 * @param {string} key
 * @returns {any} null for nothing, and for what is no JSON
 */
function read(storage, key) {
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
function write(storage, key, value) {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, JSON.stringify(value));
  } catch {
    // Full or refused: the page works without.
  }
}

/**
 * @param {string} game
 * @returns {KeptDraft | null}
 */
export function keptDraft(game) {
  const kept = read(() => sessionStorage, `draft:${game}`);
  return typeof kept?.colour === "string" && typeof kept.draft?.piece === "string" ? kept : null;
}

/**
 * @param {string} game
 * @param {KeptDraft | null} draft
 */
export function keepDraft(game, draft) {
  write(() => sessionStorage, `draft:${game}`, draft);
}

/** @returns {Likes} */
export function likes() {
  return { ...USUAL, ...read(() => localStorage, LIKES) };
}

/** @param {Likes} liked */
export function keepLikes(liked) {
  write(() => localStorage, LIKES, liked);
}
