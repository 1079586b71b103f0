/**
 * How the reader of this device likes to see replays. Where a browser keeps nothing, as in a frame, nothing is kept.
 */

import { store, stored } from "../site/storage.js";

/** @typedef {{figures: boolean, pace: string | null}} Likes numbers on the pieces, and the name of the pace */

/** @type {Likes} */
const USUAL = { figures: false, pace: null };
const NAME = "replay";

/** @returns {Likes} */
export function replayLikes() {
  return { ...USUAL, ...stored(() => localStorage, NAME) };
}

/** @param {Partial<Likes>} liked what has changed */
export function keepReplayLikes(liked) {
  store(() => localStorage, NAME, { ...replayLikes(), ...liked });
}
