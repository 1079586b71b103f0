/**
 * `data-behaviour="live"`: the part of a page that shows a game, kept at the game's version.
 *
 * `data-socket` is where versions are announced, `data-version` the version shown. To fetch the part again the element
 * gets the event `refetch`, to which its hx-trigger listens. Two moments apart, whatever was lost on the way, the part
 * shows the game as it is: old page + message = fresh page. A form on the page brings the part with its answer, so
 * nothing is fetched while one is under way.
 */

import { register } from "../site/behaviours.js";
import { mount as announce } from "./announce.js";
import { CatchUp } from "./catchup.js";
import { connect, timers } from "./connection.js";

/** @typedef {CustomEvent<{ctx: {sourceElement: Element, target: Element, response?: {status: number}}}>} HtmxEvent */

/**
 * Hold a part's fetches during every other request whose answer replaces the part, and call `answered` when the site
 * has answered any.
 *
 * @param {HTMLElement} element
 * @param {CatchUp} catchUp
 * @param {() => void} answered
 * @param {AbortSignal} signal
 */
function holdDuringOthers(element, catchUp, answered, signal) {
  const on = (/** @type {string} */ name, /** @type {(event: any) => void} */ hear) =>
    document.addEventListener(name, hear, { signal });
  on("htmx:before:request", (/** @type {HtmxEvent} */ { detail: { ctx } }) => {
    if (ctx.target === element && ctx.sourceElement !== element) catchUp.hold(ctx);
  });
  // Heard here and not at the part: the form may have left the page with the answer.
  on("htmx:finally:request", (/** @type {HtmxEvent} */ { detail: { ctx } }) => {
    catchUp.release(ctx);
    if (ctx.response && ctx.response.status < 500) answered();
  });
}

/**
 * @param {HTMLElement} element
 * @returns {() => void}
 */
export function mount(element) {
  const refetch = () => void element.dispatchEvent(new CustomEvent("refetch"));
  const catchUp = new CatchUp(() => Number(element.dataset.version), refetch, timers);
  const { link, undo } = connect(
    element.dataset.socket ?? "",
    (frame) => {
      if (frame.type === "version") catchUp.hear(Number(frame.version));
    },
    refetch,
  );
  const leaving = new AbortController();
  holdDuringOthers(element, catchUp, () => link.retry(), leaving.signal);
  return () => {
    leaving.abort();
    undo();
    catchUp.stop();
  };
}

register("live", mount);
register("announce", announce);
