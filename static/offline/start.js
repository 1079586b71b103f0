/**
 * What every page of a person who is logged in does for times without a network: it has the service worker keep it,
 * send the moves that wait, and says what became of them. A page that names the puzzle of today has it kept, also for
 * those who are not logged in. On a page that is shown without a network it looks for the network, and loads the page
 * anew when it is back.
 */

import { dropMove, keptMoves } from "./moves.js";
import { NOBODY, PAGES, SHELL } from "./names.js";

const WORKER = "/service-worker.js";
/** Milliseconds between two looks for the network. */
const AGAIN = 15_000;
// The modules of a page are also loaded where there is no document, by the tests of the bundles.
const root = globalThis.document?.documentElement ?? /** @type {HTMLElement} */ ({ dataset: {} });

/** Whether the page is shown without a network. */
const isKept = "kept" in root.dataset;

/** Whether anything can be kept: not without TLS, and not in an old browser. */
const canKeep = Boolean(globalThis.isSecureContext && "serviceWorker" in navigator);

/** The label of the login, empty without one, and where nothing can be kept. */
export const login = (canKeep && root.dataset.login) || "";

/** What is kept for this login, or for those who have none, is called so; empty where nothing can be kept. */
export const shelfHere = canKeep ? PAGES + (login || NOBODY) : "";

/** @param {{keep: string} | {deliver: true}} wish a page to keep, or moves to send */
export async function tellWorker(wish) {
  // At once where it serves this page: one that is being left waits for nothing.
  const worker = navigator.serviceWorker.controller ?? (await navigator.serviceWorker.ready).active;
  worker?.postMessage(wish);
}

/**
 * Say above the page what became of a move, in the words that came with the shell.
 *
 * @param {string} kind the name of a template of the shell
 * @param {import("./moves.js").KeptMove} move
 */
async function say(kind, move) {
  const page = await caches.match(SHELL, { cacheName: shelfHere });
  if (!page) return;
  const shell = new DOMParser().parseFromString(await page.text(), "text/html");
  const notice = /** @type {HTMLTemplateElement | null} */ (shell.getElementById(kind))?.content.firstElementChild;
  const style = shell.querySelector("link[href*=offline]");
  if (!notice || document.querySelector(`[data-move="${move.key}"]`)) return;
  if (style && !document.querySelector("link[href*=offline]")) document.head.append(document.importNode(style));
  const shown = /** @type {HTMLElement} */ (document.importNode(notice, true));
  shown.dataset.move = move.key;
  for (const part of shown.querySelectorAll("[data-text]"))
    part.textContent = (part.textContent ?? "").replace("{game}", move.name);
  const link = shown.querySelector("a");
  if (link) link.href = move.address.replace(/place\/$/, "");
  if (isHere(move)) link?.remove();
  shown.querySelector("button")?.addEventListener("click", () => {
    shown.remove();
    void dropMove(move);
  });
  region().append(shown);
}

/** Where it is said: above the page's main part, in a live region. @returns {Element} */
function region() {
  const there = document.getElementById("told");
  if (there) return there;
  const made = document.createElement("div");
  made.id = "told";
  made.className = "told";
  made.setAttribute("role", "status");
  document.querySelector("main")?.before(made);
  return made;
}

/**
 * Whether the page shows the game of a move.
 *
 * @param {import("./moves.js").KeptMove} move
 */
function isHere({ address }) {
  return address === `${location.pathname}place/`;
}

/** Say which moves were refused; one that is looked at is no longer kept. */
async function sayRefused() {
  for (const move of await keptMoves()) {
    if (!move.refused || move.login !== login) continue;
    await say(move.refused === 409 ? "told-late" : "told-refused", move);
    if (isHere(move)) await dropMove(move);
  }
}

/** Have the moves sent that wait. */
async function send() {
  await sayRefused();
  if ((await keptMoves()).some(({ refused }) => !refused)) await tellWorker({ deliver: true });
}

/** A page shown without a network: look for it, and say of forms that they need it. */
function awaitNetwork() {
  const look = () =>
    fetch(WORKER, { method: "HEAD", cache: "no-store" })
      .then(({ ok }) => ok && location.reload())
      .catch(() => {});
  addEventListener("online", look);
  document.addEventListener("visibilitychange", () => document.hidden || look());
  setInterval(look, AGAIN);
  const hold = (/** @type {SubmitEvent} */ event) => {
    // A move is kept, and sent later; what is tried at a puzzle is judged by the site.
    if (/** @type {Element} */ (event.target).matches("#place:not([data-online])")) return;
    event.preventDefault();
    event.stopPropagation();
    const told = document.querySelector("[data-needs-network]");
    told?.removeAttribute("hidden");
    told?.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("submit", hold, true);
}

/**
 * Have the puzzle of today kept, unless it is, in the language of this page.
 *
 * @param {string} [path]
 */
async function keepPuzzle(path) {
  if (isKept || !path || path === location.pathname) return;
  const kept = await caches.match(path, { cacheName: shelfHere });
  if (kept?.headers.get("Content-Language") !== root.lang) await tellWorker({ keep: path });
}

async function start() {
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener("message", async ({ data }) => {
    for (const move of data.played ?? []) if (!isHere(move)) await say("told-played", move);
    if (data.played) await sayRefused();
  });
  if (isKept) awaitNetwork();
  const isFirst = !serviceWorker.controller;
  const worker = await serviceWorker.register(WORKER);
  // Only browsers that have the site installed grant it; how often is theirs to choose.
  /** @type {any} */ (worker).periodicSync?.register("puzzle").catch(() => {});
  if (login) {
    addEventListener("online", () => void send());
    await send();
  }
  // The worker has not seen this page come. One that it may not keep is not asked for again: that could do something.
  if (isFirst && root.dataset.keeps) await tellWorker({ keep: location.pathname });
  await keepPuzzle(root.dataset.puzzle);
}

// A browser may refuse to keep anything; then the page works without.
if (shelfHere && (login || root.dataset.puzzle || isKept)) addEventListener("load", () => void start().catch(() => {}));
if (root.dataset.login === "") void navigator.clearAppBadge?.().catch(() => {});
