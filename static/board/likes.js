/** How the reader of this device likes to see boards. */

import { store, stored } from "../site/storage.js";

/**
 * What is shown besides the pieces: `corners` to reach out from, `heat` where pieces could lie, `counts` of placements,
 * `keys` that are single letters, `turns` of the board by a quarter, by variant. On my turn: `sound`, `vibrate`, a
 * `dot` on the tab's icon. As I place: `wood`, a sound and a short vibration, null until its reader has said. After my
 * move: `onward` to the next game.
 *
 * @typedef {{
 *   corners: boolean, heat: boolean, counts: boolean, keys: boolean, turns: Record<string, number>,
 *   sound: boolean, vibrate: boolean, dot: boolean, onward: boolean, wood: boolean | null,
 * }} Likes
 */

/** @type {Likes} */
const USUAL = {
  corners: true,
  heat: false,
  counts: false,
  keys: true,
  turns: {},
  sound: false,
  vibrate: false,
  dot: true,
  onward: false,
  wood: null,
};
const NAME = "play";

/** @returns {Likes} */
export function boardLikes() {
  return { ...USUAL, ...stored(() => localStorage, NAME) };
}

/** @param {Likes} liked */
export function keepBoardLikes(liked) {
  store(() => localStorage, NAME, liked);
}
