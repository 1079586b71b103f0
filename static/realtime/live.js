/**
 * `data-behaviour="live"`: the part of a page that shows a game, kept at the game's version.
 *
 * `data-socket` is where versions are told, `data-version` the version shown. To fetch the part anew the element gets
 * the event `refetch`, to which its hx-trigger listens. Two moments apart, whatever was lost on the way, the part shows
 * the game as it is: old page + message = fresh page.
 */

import { register } from "../site/behaviours.js";
import { mount as announce } from "./announce.js";
import { CatchUp } from "./catchup.js";
import { connect, timers } from "./connection.js";

/**
 * @param {HTMLElement} element
 * @returns {() => void}
 */
export function mount(element) {
  const refetch = () => void element.dispatchEvent(new CustomEvent("refetch"));
  const catchUp = new CatchUp(() => Number(element.dataset.version), refetch, timers);
  const { undo } = connect(
    element.dataset.socket ?? "",
    (frame) => {
      if (frame.type === "version") catchUp.hear(Number(frame.version));
    },
    refetch,
  );
  return () => {
    undo();
    catchUp.stop();
  };
}

register("live", mount);
register("announce", announce);
