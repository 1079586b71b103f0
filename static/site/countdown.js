/** The time left until `<time datetime>`, kept current: "1d 04:12", "04:12". */

const MINUTE = 60_000;
const URGENT_MINUTES = 6 * 60;

/**
 * Return the whole minutes until a moment, never fewer than none.
 *
 * @param {number} until milliseconds since 1970
 * @param {number} now
 * @returns {number}
 */
export function minutesLeft(until, now) {
  return Math.max(0, Math.floor((until - now) / MINUTE));
}

/**
 * Write minutes as days, hours and minutes, as the server does.
 *
 * @param {number} minutes
 * @param {string} day the letter for days
 * @returns {string}
 */
export function written(minutes, day = "d") {
  const days = Math.floor(minutes / 1440);
  const rest = minutes % 1440;
  const clock = [Math.floor(rest / 60), rest % 60].map((part) => String(part).padStart(2, "0")).join(":");
  return days ? `${days}${day} ${clock}` : clock;
}

/**
 * @param {HTMLElement} element a `time` with a `datetime`
 * @returns {() => void}
 */
export function mount(element) {
  const until = Date.parse(element.getAttribute("datetime") ?? "");
  const show = () => {
    const minutes = minutesLeft(until, Date.now());
    element.textContent = written(minutes, element.dataset.day);
    if (minutes < URGENT_MINUTES) element.dataset.tone = "urgent";
  };
  show();
  const timer = setInterval(show, MINUTE / 4);
  return () => clearInterval(timer);
}
