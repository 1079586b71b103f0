/**
 * `data-behaviour="alone"`: a form that is there for so many `data-seconds` more, and says in `[data-left]` how many.
 *
 * Seconds rather than a moment: the device's clock need not be right.
 */

const SECOND = 1000;

/**
 * @param {HTMLElement} element
 * @returns {() => void}
 */
export function mount(element) {
  const until = performance.now() + Number(element.dataset.seconds) * SECOND;
  const show = () => {
    const seconds = Math.ceil((until - performance.now()) / SECOND);
    const left = element.querySelector("[data-left]");
    if (left) left.textContent = String(Math.max(0, seconds));
    if (seconds > 0) return;
    clearInterval(timer);
    element.remove();
  };
  const timer = setInterval(show, SECOND);
  return () => clearInterval(timer);
}
