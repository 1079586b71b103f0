/**
 * Moves as steps. The picture is up to date at once; what others did is only seen arriving, one move after another, by
 * animations over the picture. They end as soon as its reader does anything. A link shows the moves since their last
 * turn once more.
 */

/** Milliseconds from one move to the next, for one to slide in, and before the first that is shown once more. */
const APART = 650;
const SLIDE = 200;
const LEAD = 400;

/** As things move in the stylesheets, by their tokens. */
const EASE = "cubic-bezier(0.2, 0.8, 0.2, 1)";

/** Units of the picture by which a piece slides in from outside. */
const FAR = 12;

/**
 * Return when each of some moves begins, in milliseconds from now: each a while after the one before, the first not
 * before those that are still to come.
 *
 * @param {number} count
 * @param {number} wait until those before are over
 * @returns {number[]}
 */
export function startsOf(count, wait) {
  return Array.from({ length: count }, (_, number) => Math.max(0, wait) + APART * number);
}

export class Arrivals {
  /**
   * @param {HTMLElement} root
   * @param {(told: string) => void} say
   */
  constructor(root, say) {
    this.root = root;
    this.say = say;
    /** The number of the last move that the page has shown, null before the first. @type {number | null} */
    this.seen = null;
    /** When the next move may begin, on the document's timeline. */
    this.next = 0;
    /** @type {Animation[]} */
    this.running = [];
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    // Whatever they do, they do it on the board as it is.
    for (const name of ["pointerdown", "keydown"])
      document.addEventListener(name, () => this.stop(), { signal, capture: true });
    this.root.addEventListener("click", (event) => this.hear(event), { signal });
  }

  get now() {
    return Number(document.timeline.currentTime);
  }

  get isStill() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /** The recent moves, the oldest first. @returns {{number: number, isMine: boolean, element: SVGGElement}[]} */
  get steps() {
    const found = /** @type {NodeListOf<SVGGElement>} */ (this.root.querySelectorAll("#board .step"));
    return [...found].map((element) => ({
      number: Number(element.dataset.step),
      isMine: "mine" in element.dataset,
      element,
    }));
  }

  /** Show what is new on the page as it arrives. */
  read() {
    const due = /** @type {HTMLElement | null} */ (this.root.querySelector("#game"))?.dataset.due;
    const { seen } = this;
    // What has arrived, by the steps themselves: the number of the move that is due runs ahead of them once moves have
    // been taken back.
    this.seen = due ? Math.max(0, ...this.steps.map(({ number }) => number)) : null;
    if (seen === null || this.isStill || document.hidden) return;
    const fresh = this.steps.filter(({ number }) => number > seen);
    // Their own move is there already; the answers to it come after it.
    if (fresh.some(({ isMine }) => isMine)) this.next = Math.max(this.next, this.now + APART);
    this.show(
      fresh.filter(({ isMine }) => !isMine),
      this.next - this.now,
    );
  }

  /**
   * Let moves arrive one after another.
   *
   * @param {{number: number, element: SVGGElement}[]} steps
   * @param {number} wait milliseconds until the first may begin
   */
  show(steps, wait) {
    for (const [index, start] of startsOf(steps.length, wait).entries()) {
      const { number, element } = /** @type {{number: number, element: SVGGElement}} */ (steps[index]);
      this.animate(element, start, this.isStill ? "none" : `translate(${outside(element).join("px, ")}px)`);
      const mark = this.root.querySelector(`#number-${number}`);
      if (mark) this.animate(mark, start, "none");
      this.next = this.now + start + APART;
    }
  }

  /**
   * @param {Element} element
   * @param {number} start milliseconds from now until which it is not there
   * @param {string} transform where it comes from
   */
  animate(element, start, transform) {
    const [hidden, there] = [
      { opacity: 0, transform },
      { opacity: 1, transform: "none" },
    ];
    // Without motion it is there from one moment to the next.
    const animation = this.isStill
      ? element.animate([hidden, hidden], { duration: start })
      : element.animate([hidden, there], { delay: start, duration: SLIDE, easing: EASE, fill: "backwards" });
    this.running.push(animation);
    animation.onfinish = () => {
      this.running = this.running.filter((one) => one !== animation);
    };
  }

  /** Leave everything as it is. */
  stop() {
    for (const animation of this.running.splice(0)) animation.cancel();
    this.next = 0;
  }

  /** @param {MouseEvent} event */
  hear(event) {
    const link = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-since]"));
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.stop();
    this.show(
      this.steps.filter(({ isMine }) => !isMine),
      LEAD,
    );
    this.say(link.dataset.since ?? "");
  }
}

/**
 * Return a step from a piece towards the nearest side of the board.
 *
 * @param {SVGGElement} element
 * @returns {[number, number]} in units, y downward
 */
function outside(element) {
  const piece = element.getBBox();
  const [, , width = 0, height = 0] = (element.ownerSVGElement?.dataset.box ?? "").split(" ").map(Number);
  const [x, y] = [piece.x + (piece.width - width) / 2, piece.y + (piece.height - height) / 2];
  const far = Math.hypot(x, y) || 1;
  return [Math.round((FAR * x) / far), Math.round((FAR * y) / far)];
}
