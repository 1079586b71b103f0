/**
 * `data-behaviour="progress"`, on the body: what takes longer than a second is seen to go on, by a quiet line along the
 * top (`aria-busy` on the page's main part). It is for what the visitor asked for: a form, a link, a button; not for
 * what a page fetches by itself.
 */

import { register } from "./behaviours.js";

/** Milliseconds until an answer counts as slow. */
export const SLOW = 1_000;

/** Counts what is under way, and says when the first of it has become slow and when all of it is done. */
export class Progress {
  /**
   * @param {(isBusy: boolean) => void} show
   * @param {{after: (task: () => void, delay: number) => any, cancel: (timer: any) => void}} world
   */
  constructor(show, world) {
    this.show = show;
    this.world = world;
    /** @type {Set<any>} */
    this.under = new Set();
    /** @type {any} */
    this.timer = null;
  }

  /** @param {any} what anything that distinguishes it from others */
  begin(what) {
    this.under.add(what);
    this.timer ??= this.world.after(() => this.show(true), SLOW);
  }

  /** @param {any} what */
  end(what) {
    if (this.under.delete(what) && !this.under.size) this.clear();
  }

  clear() {
    this.under.clear();
    this.world.cancel(this.timer);
    this.timer = null;
    this.show(false);
  }
}

/**
 * Return whether a click leads to another page in this tab.
 *
 * @param {Pick<MouseEvent, "button" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">} click
 * @param {Pick<HTMLAnchorElement, "href" | "target" | "hasAttribute">} link
 * @param {string} here
 * @returns {boolean}
 */
export function leadsAway(click, link, here) {
  if (click.button || click.ctrlKey || click.metaKey || click.shiftKey || click.altKey) return false;
  if (link.target || link.hasAttribute("download") || !link.href.startsWith("http")) return false;
  return link.href.split("#")[0] !== here.split("#")[0];
}

/**
 * @param {HTMLElement} body
 * @returns {() => void}
 */
function mount(body) {
  const main = body.querySelector("main");
  const progress = new Progress(
    (isBusy) => (isBusy ? main?.setAttribute("aria-busy", "true") : main?.removeAttribute("aria-busy")),
    {
      after: (task, delay) => setTimeout(task, delay),
      cancel: (timer) => clearTimeout(timer),
    },
  );
  const leaving = new AbortController();
  const { signal } = leaving;
  body.addEventListener("submit", (event) => void (event.defaultPrevented || progress.begin(event)), { signal });
  body.addEventListener(
    "click",
    (event) => {
      const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("a[href]"));
      if (link && !event.defaultPrevented && leadsAway(event, link, location.href)) progress.begin(event);
    },
    { signal },
  );
  body.addEventListener(
    "htmx:before:request",
    (event) => {
      const { ctx } = /** @type {CustomEvent} */ (event).detail;
      if (ctx.sourceElement.matches("form, a, button, input, select")) progress.begin(ctx);
    },
    { signal },
  );
  body.addEventListener(
    "htmx:finally:request",
    (event) => progress.end(/** @type {CustomEvent} */ (event).detail.ctx),
    { signal },
  );
  // Back from another page: what led away is over.
  window.addEventListener("pageshow", () => progress.clear(), { signal });
  return () => leaving.abort();
}

register("progress", mount);
