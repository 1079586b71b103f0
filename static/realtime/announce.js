/**
 * `data-behaviour="announce"`: what happens on a page that changes by itself, said by a screen reader.
 *
 * The element is a polite live region beside the part that is swapped. The sentences come with that part: `#news` has
 * the text, a `data-key` that differs whenever there is something new to say, and the `data-deadline` of a turn of
 * mine. Two sentences of the page itself are said too: what the hand says of a piece (`[data-say]` with a tone), and
 * that a move did not get through (`[data-connection]`).
 */

import { warnings } from "./warnings.js";

/** Longer than any timer can wait. */
const TOO_LONG = 2 ** 31 - 1;

export class Announcer {
  /**
   * @param {HTMLElement} region
   * @param {Element} page what changes
   */
  constructor(region, page) {
    this.region = region;
    this.page = page;
    this.key = this.news?.dataset.key;
    this.hand = "";
    this.isLost = false;
    /** @type {ReturnType<typeof setTimeout>[]} */
    this.timers = [];
    this.warn(true);
  }

  get news() {
    return /** @type {HTMLElement | null} */ (this.page.querySelector("#news"));
  }

  /** @param {string | null | undefined} sentence */
  say(sentence) {
    const text = sentence?.trim();
    if (!text) return;
    // The same words once more are said once more: a live region announces changes only.
    this.region.textContent = this.region.textContent === text ? `${text}\u00a0` : text;
  }

  /** Say what is new on the page. */
  hear() {
    const news = this.news;
    if (news && news.dataset.key !== this.key) {
      this.key = news.dataset.key;
      this.say(news.textContent);
      this.warn(false);
    }
    this.hearTheHand();
    const notice = /** @type {HTMLElement | null} */ (this.page.querySelector("[data-connection]"));
    const isLost = Boolean(notice && !notice.hidden);
    // The sentence, without the button below it.
    if (isLost && !this.isLost) this.say(notice?.firstElementChild?.textContent ?? notice?.textContent);
    this.isLost = isLost;
  }

  hearTheHand() {
    const hand = /** @type {HTMLElement | null} */ (this.page.querySelector("[data-say]"));
    const said = (hand?.dataset.tone && hand.textContent) || "";
    if (said && said !== this.hand) this.say(said);
    this.hand = said;
  }

  /**
   * Set the clocks that say how little time is left.
   *
   * @param {boolean} isNew whether to say now what is due: news of a turn have the time in them already
   */
  warn(isNew) {
    this.stop();
    for (const { name, wait } of warnings(Date.parse(this.news?.dataset.deadline ?? ""), Date.now())) {
      if (wait > TOO_LONG || (!wait && !isNew)) continue;
      this.timers.push(setTimeout(() => this.say(this.region.dataset[name]), wait));
    }
  }

  stop() {
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
  }
}

/**
 * @param {HTMLElement} region
 * @returns {() => void}
 */
export function mount(region) {
  const page = region.parentElement ?? document.body;
  const announcer = new Announcer(region, page);
  const watcher = new MutationObserver(() => announcer.hear());
  watcher.observe(page, {
    attributeFilter: ["data-key", "data-tone", "hidden"],
    attributes: true,
    characterData: true,
    childList: true,
    subtree: true,
  });
  return () => {
    watcher.disconnect();
    announcer.stop();
  };
}
