/** Moments as people say them, kept current while a page stays open: "3 minutes ago". The server writes them first. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Older moments have a date, as in games/words/moments.py. */
const RECENT = 7 * DAY;

/**
 * Return how long ago a moment was, nothing where the page says it already: in its first minute, and after a week.
 *
 * @param {number} moment milliseconds since 1970
 * @param {number} now
 * @param {string} language
 * @returns {string | undefined}
 */
export function ago(moment, now, language) {
  const passed = now - moment;
  if (passed < MINUTE || passed >= RECENT) return undefined;
  const words = new Intl.RelativeTimeFormat(language, { numeric: "always" });
  if (passed < HOUR) return words.format(-Math.floor(passed / MINUTE), "minute");
  if (passed < DAY) return words.format(-Math.floor(passed / HOUR), "hour");
  return words.format(-Math.floor(passed / DAY), "day");
}

/** Keep all moments of the page current, also those that a swap will bring. */
export function keepCurrent() {
  const show = () => {
    for (const element of document.querySelectorAll("time.when")) {
      const moment = Date.parse(element.getAttribute("datetime") ?? "");
      const text = ago(moment, Date.now(), document.documentElement.lang);
      if (text !== undefined && text !== element.textContent) element.textContent = text;
    }
  };
  setInterval(show, MINUTE);
}
