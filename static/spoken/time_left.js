/** The time left to be heard: "2 days 3 hours". */

/** @type {[string, number][]} */
const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/**
 * Write seconds in their two largest units, as the server does (`games/words/clocks.py`).
 *
 * @param {number} seconds
 * @param {string} language
 * @returns {string}
 */
export function inWords(seconds, language) {
  const words = [];
  let left = seconds;
  for (const [unit, length] of UNITS) {
    const count = Math.floor(left / length);
    left %= length;
    if (count || (unit === "second" && !words.length)) words.push(spelled(count, unit, language));
  }
  return words.slice(0, 2).join(" ");
}

/**
 * @param {number} count
 * @param {string} unit
 * @param {string} language
 * @returns {string}
 */
function spelled(count, unit, language) {
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
}
