/**
 * `data-behaviour="follows-me"`, `"follows-lobby"` and `"follows-group"`: what follows my games, open tables, or the
 * games of the group whose key is in `data-group`, as they change.
 *
 * A nudge says only that a list is no longer the one shown. The page then asks which version it has now, at most every
 * two seconds however many nudges come. An element whose `data-version` is another one gets the event `refetch`, to
 * which its hx-trigger listens. One that also has `data-count` counts what waits for me, in the title of the tab and on
 * the icon too.
 */

import { register } from "../site/behaviours.js";
import { CatchUp } from "./catchup.js";
import { connect, timers } from "./connection.js";
import { titled } from "./title.js";
import { ListWatch } from "./watch.js";

/** @typedef {(version: string) => void} Hear */
/** @typedef {{watch: ListWatch, hearers: Set<Hear>, undo: () => void}} Feed */

/** @type {Map<string, Feed>} */
const feeds = new Map();

/**
 * Hear every version announced at `address`; all hearers of a page share one socket.
 *
 * @param {string} address
 * @param {Hear} hear
 * @returns {() => void}
 */
function listen(address, hear) {
  const feed = feeds.get(address) ?? open(address);
  feed.hearers.add(hear);
  if (feed.watch.version) hear(feed.watch.version);
  return () => {
    feed.hearers.delete(hear);
    if (feed.hearers.size) return;
    feeds.delete(address);
    feed.undo();
  };
}

/**
 * @param {string} address
 * @returns {Feed}
 */
function open(address) {
  /** @type {Set<Hear>} */
  const hearers = new Set();
  const watch = new ListWatch(
    () => link.ask(),
    (version) => {
      for (const hear of hearers) hear(version);
    },
    timers,
  );
  const { link, undo } = connect(address, (frame) => watch.hear(frame));
  const feed = { watch, hearers, undo };
  feeds.set(address, feed);
  return feed;
}

/**
 * Keep an element at the version announced at an address. An element that came without a version has the first one
 * announced.
 *
 * @param {HTMLElement} element
 * @param {string} address
 * @returns {() => void}
 */
function follow(element, address) {
  let known = element.dataset.version;
  let [wanted, asked, swapped] = [0, 0, 0];
  const refetch = () => {
    asked = wanted;
    element.dispatchEvent(new CustomEvent("refetch"));
  };
  const catchUp = new CatchUp(() => swapped, refetch, timers);
  const onSwap = (/** @type {any} */ event) => {
    // A server that broke down has brought no list: nothing was swapped, and it is asked for again.
    if (event.detail.ctx.response?.status >= 500) return;
    swapped = asked;
    count(element);
  };
  element.addEventListener("htmx:after:swap", onSwap);
  const leave = listen(address, (version) => {
    const isNew = known !== undefined && known !== version;
    known = version;
    if (!isNew) return;
    wanted += 1;
    catchUp.hear(wanted);
  });
  count(element);
  return () => {
    leave();
    catchUp.stop();
    element.removeEventListener("htmx:after:swap", onSwap);
  };
}

/** @param {HTMLElement} element */
function count(element) {
  if (element.dataset.count === undefined) return;
  const waiting = Number(element.dataset.count);
  document.title = titled(document.title, waiting);
  // The icon of the installed site. A browser may lack this, or refuse it.
  void navigator.setAppBadge?.(waiting).catch(() => {});
}

register("follows-me", (element) => follow(element, "/ws/me/"));
register("follows-lobby", (element) => follow(element, "/ws/lobby/"));
register("follows-group", (element) => follow(element, `/ws/groups/${element.dataset.group}/`));
