/**
 * The browser's side of a link: real sockets and timers, waking up, and the sentence that says when the connection is
 * gone. The sentences come with the page: `<span id="connection" role="status" data-gone data-back data-ended
 * data-crowded>`.
 */

import { Link } from "./link.js";
import { Lookout } from "./lookout.js";
import { Sentence } from "./sentence.js";

/** @type {Pick<import("./link.js").World, "after" | "cancel">} */
export const timers = {
  after: (task, delay) => setTimeout(task, delay),
  cancel: (timer) => clearTimeout(timer),
};

const sentence = new Sentence((name) => {
  const element = document.getElementById("connection");
  if (element) element.textContent = (name && element.dataset[name]) || "";
}, timers);

/** When this page's links come back after they were left: together, so that what is said of them is true of all. */
let turn = Math.random();

/**
 * Keep a socket to `address` open as long as the page is; return the link.
 *
 * @param {string} address path and query
 * @param {(frame: import("./link.js").Frame) => void} hear
 * @param {() => void} [look] called now and then while the socket stays away
 * @returns {{link: Link, undo: () => void}}
 */
export function connect(address, hear, look = () => {}) {
  const url = new URL(address, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  const isLooking = () => document.visibilityState === "visible";
  const world = { ...timers, open: () => new WebSocket(url), chance: Math.random, turn: () => turn, isLooking };
  const lookout = new Lookout(look, world);
  const link = new Link(world, hear, (state) => {
    if (state === "open") turn = Math.random();
    sentence.tell(state);
    lookout.tell(state);
  });
  const listening = new AbortController();
  const { signal } = listening;
  const wake = () => {
    link.wake();
    lookout.wake();
  };
  document.addEventListener("visibilitychange", wake, { signal });
  addEventListener("online", () => link.renew(), { signal });
  // The socket would notice only when a heartbeat is not answered, half a minute later.
  const goOffline = () => {
    sentence.tell("gone", true);
    link.lose();
  };
  addEventListener("offline", goOffline, { signal });
  // A page with an open socket is not kept for the back button.
  addEventListener("pagehide", () => link.stop(), { signal });
  addEventListener("pageshow", () => link.start(), { signal });
  link.start();
  return {
    link,
    undo: () => {
      listening.abort();
      lookout.stop();
      link.stop();
    },
  };
}
