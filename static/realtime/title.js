/** How many games wait for me, before the title of the tab. */

/**
 * Return a title with a number before it, or without one.
 *
 * @param {string} title with or without a number
 * @param {number} count
 * @returns {string}
 */
export function titled(title, count) {
  const bare = title.replace(/^\(\d+\) /, "");
  return count > 0 ? `(${count}) ${bare}` : bare;
}
