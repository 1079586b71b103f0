/** What an answer of the server says of the game in it, before the page lets it in. */

/**
 * Return the version of the game in an answer.
 *
 * @param {string} text
 * @returns {string | null} null if there is no game in it
 */
export function versionIn(text) {
  return /data-version="(\d+)"/.exec(text)?.[1] ?? null;
}

/**
 * Return the number of the move that is due in an answer.
 *
 * @param {string} text
 * @returns {string | null} null if there is no game in it
 */
export function dueIn(text) {
  return /data-due="(\d+)"/.exec(text)?.[1] ?? null;
}

/**
 * Return whether an answer cannot stand in this page, so that the page has to be reloaded: something asked for
 * brought no game, since the login has ended, or another tab has chosen words instead of the board, or the board again.
 *
 * @param {{text: string, status: number, isLook: boolean}} answer `isLook` says that the page merely looked again
 * @param {string | undefined} mode how this page shows the game
 * @returns {boolean}
 */
export function needsPage({ text, status, isLook }, mode) {
  if (versionIn(text) === null) return !isLook && status < 500;
  return (/data-mode="(\w+)"/.exec(text)?.[1] ?? "") !== mode;
}
