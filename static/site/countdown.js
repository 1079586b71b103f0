/** The time left until `<time datetime>`, kept current: "2 d 3 h", "3 h 10", "14:59". */

const SECOND = 1000;
/** With less time than this a turn is urgent, in seconds, where the page says nothing else. */
const URGENT = 6 * 3600;

/**
 * Return the whole seconds until a moment, never fewer than none.
 *
 * @param {number} until milliseconds since 1970
 * @param {number} now
 * @returns {number}
 */
export function secondsLeft(until, now) {
  return Math.max(0, Math.floor((until - now) / SECOND));
}

/**
 * Return the same of a clock that does not run in some spans: "from-until from-until", in seconds since 1970.
 *
 * @param {number} until
 * @param {number} now
 * @param {string} stills
 * @returns {number}
 */
export function runningLeft(until, now, stills = "") {
  let left = until - now;
  for (const still of stills.match(/\d+-\d+/g) ?? []) {
    const [begin, end] = still.split("-").map((seconds) => Number(seconds) * SECOND);
    left -= Math.max(0, Math.min(end, until) - Math.max(begin, now));
  }
  return secondsLeft(left, 0);
}

/**
 * Write seconds as the server does (`games/words/clocks.py`).
 *
 * @param {number} seconds
 * @param {string} day the letter for days
 * @returns {string}
 */
export function written(seconds, day = "d") {
  const [days, hours, minutes, rest] = [seconds / 86_400, (seconds / 3600) % 24, (seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ number) => String(Math.floor(number)).padStart(2, "0");
  if (seconds >= 86_400) return `${Math.floor(days)}\u00a0${day} ${Math.floor(hours)}\u00a0h`;
  return seconds >= 3600 ? `${Math.floor(hours)} h ${two(minutes)}` : `${two(minutes)}:${two(rest)}`;
}

/**
 * Whether so few seconds are urgent for the turn that an element tells of.
 *
 * @param {HTMLElement} element
 * @param {number} seconds
 * @returns {boolean}
 */
export function isUrgent(element, seconds) {
  return seconds < Number(element.dataset.urgent ?? URGENT);
}

/**
 * Write a moment in full, in the reader's time zone: the one that the page names, else the browser's.
 *
 * @param {number} moment milliseconds since 1970
 * @returns {string}
 */
export function exact(moment) {
  const { dataset, lang } = document.documentElement;
  const style = /** @type {const} */ ({ dateStyle: "full", timeStyle: "short" });
  try {
    return new Date(moment).toLocaleString(lang, { ...style, timeZone: dataset.zone });
  } catch {
    // A zone that the site knows and this browser does not.
    return new Date(moment).toLocaleString(lang, style);
  }
}

/**
 * @param {HTMLElement} element a `time` with a `datetime`
 * @param {(seconds: number) => string} write how the time is written
 * @returns {() => void}
 */
export function mount(element, write = (seconds) => written(seconds, element.dataset.day)) {
  const { zone } = document.documentElement.dataset;
  const show = () => {
    // A morph may have given it another end.
    const until = Date.parse(element.getAttribute("datetime") ?? "");
    const seconds = runningLeft(until, Date.now(), element.dataset.stills);
    const text = write(seconds);
    if (element.textContent !== text) element.textContent = text;
    if (isUrgent(element, seconds)) element.dataset.tone = "urgent";
    // Of a reader without a zone of their own the site knows none; the browser does.
    if (!zone) element.title = exact(until);
  };
  show();
  const timer = setInterval(show, SECOND);
  return () => clearInterval(timer);
}
