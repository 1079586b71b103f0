/**
 * The browser's side of a link: real sockets and timers, waking up, and the sentence that says when the connection is
 * gone. The sentences come with the page: `<span id="connection" role="status" data-gone data-back data-ended
 * data-crowded>`.
 */

import { Link } from "./link.js";
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

/**
 * Keep a socket to `address` open as long as the page is; return the link.
 *
 * @param {string} address path and query
 * @param {(frame: import("./link.js").Frame) => void} hear
 * @param {() => void} [gone] called at every failed attempt: the page may look by itself
 * @returns {{link: Link, undo: () => void}}
 */
export function connect(address, hear, gone = () => {}) {
  const url = new URL(address, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  const isLooking = () => document.visibilityState === "visible";
  const world = { ...timers, open: () => new WebSocket(url), chance: Math.random, isLooking };
  const link = new Link(world, hear, (state) => {
    sentence.tell(state);
    if (["gone", "crowded"].includes(state) && isLooking()) gone();
  });
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener("visibilitychange", () => link.wake(), { signal });
  addEventListener("online", () => link.wake(), { signal });
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
      link.stop();
    },
  };
}
