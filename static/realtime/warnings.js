/** When to say that the time for a move is running out. */

const HOUR = 3_600_000;

/** What is said, and how long before the end, the earlier first. */
export const MARKS = /** @type {const} */ ([
  ["day", 24 * HOUR],
  ["hour", HOUR],
]);

/** @typedef {{name: "day" | "hour", wait: number}} Warning */

/**
 * Return what to say and after how many milliseconds: at once the latest of what is due, then the rest; nothing once
 * the time is over.
 *
 * @param {number} deadline milliseconds since 1970, NaN for none
 * @param {number} now
 * @returns {Warning[]}
 */
export function warnings(deadline, now) {
  if (!(deadline > now)) return [];
  const all = MARKS.map(([name, before]) => ({ name, wait: deadline - before - now }));
  const due = all.filter((warning) => warning.wait <= 0).slice(-1);
  return [...due.map(({ name }) => ({ name, wait: 0 })), ...all.filter((warning) => warning.wait > 0)];
}
