/** What may replace the game that is shown: a game, and none that is older or that would hide something to be read. */

/**
 * @typedef {object} Answer
 * @property {string | null} version of the game in the answer, null if there is none in it
 * @property {boolean} isLook whether the page merely looked again, without being asked to
 */

/**
 * @param {Answer} answer
 * @param {number} shown the version that is shown
 * @param {boolean} isReading whether there is a refusal or a draft to be read
 * @returns {boolean}
 */
export function mayReplace({ version, isLook }, shown, isReading) {
  if (version === null) return false;
  if (Number(version) < shown) return false;
  return !(isLook && isReading && Number(version) === shown);
}
