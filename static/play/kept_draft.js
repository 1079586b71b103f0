/** The piece in the hand, kept for as long as the tab lives. */

import { store, stored } from "../site/storage.js";

/** @typedef {{colour: string, draft: import("../board/lookup.js").Placement, didFit: boolean}} KeptDraft */

/**
 * @param {string} game
 * @returns {KeptDraft | null}
 */
export function keptDraft(game) {
  const kept = stored(() => sessionStorage, `draft:${game}`);
  return typeof kept?.colour === "string" && typeof kept.draft?.piece === "string" ? kept : null;
}

/**
 * @param {string} game
 * @param {KeptDraft | null} draft
 */
export function keepDraft(game, draft) {
  store(() => sessionStorage, `draft:${game}`, draft);
}
