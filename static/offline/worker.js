/**
 * The service worker's part of reading and playing without a network.
 *
 * Pages come from the network whenever it answers. Those that the site lets a device keep (`X-Keep`) are kept for the
 * login that they were answered for (`X-Login`), and shown, marked with their age, where the network fails. A page for
 * another login, or for none, deletes them and the moves that wait. For those who are not logged in pages that are for
 * all are kept, that is puzzles. Files whose names carry a hash come from the device. Nothing else is touched: no form,
 * no file to download, no part of a page.
 */

import { deliver } from "./deliver.js";
import { dropMove, keepMove, keptMoves, refuseMove } from "./moves.js";
import { KEPT_AT, PAGES, SHELL } from "./names.js";
import { asKept, filesOf, GAMES, isHashed, keptFor, LONGEST, marked, puzzleOf, surplus, TODAY } from "./shelf.js";

const worker = /** @type {any} */ (self);
const FILES = "files-1";
/** How many files are kept before those that no page names any more go. */
const MANY = 90;

/** @returns {Promise<string | undefined>} the name of the shelf, if there is one */
async function shelfName() {
  return (await caches.keys()).find((name) => name.startsWith(PAGES));
}

/**
 * Delete what belongs to another login than this one.
 *
 * @param {string} login its label
 */
async function leaveOnly(login) {
  for (const name of await caches.keys()) {
    if (name.startsWith(PAGES) && name !== PAGES + login) await caches.delete(name);
  }
  for (const move of await keptMoves()) if (move.login !== login) await dropMove(move);
}

/**
 * Take note of a page that the network has brought: whose it is, and whether it may be kept.
 *
 * @param {string} path
 * @param {Response} page
 */
async function note(path, page) {
  const login = page.headers.get("X-Login");
  if (!login) return;
  await leaveOnly(login);
  if (!page.headers.has("X-Keep")) return;
  const shelf = await caches.open(PAGES + login);
  const html = await put(shelf, path, page);
  const language = page.headers.get("Content-Language");
  if ((await shelf.match(SHELL))?.headers.get("Content-Language") !== language) await keepShell(shelf, login);
  await keepFiles(filesOf(html));
  for (const old of surplus((await shelf.keys()).map(({ url }) => new URL(url).pathname))) await shelf.delete(old);
}

/**
 * Put a page on the shelf, after all others.
 *
 * @param {Cache} shelf
 * @param {string} path
 * @param {Response} page
 * @returns {Promise<string>} its text
 */
async function put(shelf, path, page) {
  const html = await page.text();
  const headers = new Headers(page.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  headers.set(KEPT_AT, String(Date.now()));
  await shelf.delete(path);
  await shelf.put(path, new Response(html, { headers }));
  return html;
}

/**
 * Keep the page that stands in for others, in the reader's language and look.
 *
 * @param {Cache} shelf
 * @param {string} login
 */
async function keepShell(shelf, login) {
  const page = await fetch(SHELL);
  if (!page.ok || page.headers.get("X-Login") !== login) return;
  await keepFiles(filesOf(await put(shelf, SHELL, page)));
}

/** @param {string[]} paths */
async function keepFiles(paths) {
  const files = await caches.open(FILES);
  for (const path of paths) {
    if (await files.match(path, { ignoreVary: true })) continue;
    const file = await fetch(path);
    if (file.ok) await files.put(path, file);
  }
}

/** Let go of files that no kept page names. */
async function tidyFiles() {
  const files = await caches.open(FILES);
  const name = await shelfName();
  const shelf = name && (await caches.open(name));
  const pages = shelf ? await shelf.matchAll() : [];
  const named = new Set((await Promise.all(pages.map((page) => page.text()))).flatMap(filesOf));
  for (const file of await files.keys()) if (!named.has(new URL(file.url).pathname)) await files.delete(file);
}

/**
 * Return the page that stands in for one that the network did not bring.
 *
 * @param {string} path
 * @returns {Promise<Response>}
 */
async function withoutNetwork(path) {
  const name = await shelfName();
  if (!name) return Response.error();
  const shelf = await caches.open(name);
  const [page, shell] = [await shelf.match(keptFor(path)), await shelf.match(SHELL)];
  if (!shell) return Response.error();
  const at = Number(page?.headers.get(KEPT_AT));
  if (page && path !== SHELL && Date.now() - at < LONGEST) {
    const html = marked(await page.text(), await shell.text(), at, Date.now());
    return new Response(html, { headers: page.headers });
  }
  if (path === "/" && (await shelf.match(GAMES))) return Response.redirect(GAMES);
  const puzzle = puzzleOf(Date.now());
  if (path === TODAY && (await shelf.match(puzzle))) return Response.redirect(puzzle);
  return new Response(asKept(await shell.text()), { headers: shell.headers });
}

/**
 * @param {any} event
 * @param {string} path
 * @param {boolean} isBare whether the address is the page's own, without a question
 */
async function visit(event, path, isBare) {
  /** @type {Response} */
  let page;
  try {
    // What the browser began to load early may be dropped while the worker starts; the network is asked again then.
    page = (await event.preloadResponse?.catch(() => null)) ?? (await fetch(event.request));
  } catch {
    return withoutNetwork(path);
  }
  if (page.type !== "opaqueredirect") {
    const copy = isBare && page.headers.has("X-Keep") ? page.clone() : new Response(null, { headers: bare(page) });
    event.waitUntil(note(path, copy));
  }
  return page;
}

/**
 * Return what says whose a page is, without leave to keep it.
 *
 * @param {Response} page
 * @returns {Record<string, string>}
 */
function bare(page) {
  const login = page.headers.get("X-Login");
  return login ? { "X-Login": login } : {};
}

/** @param {Request} request */
async function unchanging(request) {
  const files = await caches.open(FILES);
  const kept = await files.match(request.url, { ignoreVary: true });
  if (kept) return kept;
  const found = await fetch(request);
  if (found.status === 200) {
    await files.put(request.url, found.clone());
    if ((await files.keys()).length > MANY) await tidyFiles();
  }
  return found;
}

/** Send the moves that wait, and say so to the pages that are open. */
async function send() {
  const world = { fetch: fetch.bind(worker), kept: keptMoves, drop: dropMove, refuse: refuseMove };
  const work = () => deliver(world);
  const { played, isLeft } = await (worker.navigator.locks?.request("moves", work) ?? work());
  const pages = await worker.clients.matchAll({ includeUncontrolled: true, type: "window" });
  for (const page of pages) page.postMessage({ played });
  if (isLeft) throw new Error("Some moves could not be sent.");
}

/**
 * Send the move of a page that was left. Where that fails it is kept, and tried again as every move that waits.
 *
 * @param {import("./moves.js").KeptMove} move
 */
async function sendLeft(move) {
  await keepMove(move);
  await send().catch(() => worker.registration.sync?.register("moves"));
}

/** Keep the puzzle of today, unless it is: a browser wakes the worker of a site that is installed for that. */
async function keepPuzzle() {
  const path = puzzleOf(Date.now());
  const name = await shelfName();
  if (!name || (await (await caches.open(name)).match(path))) return;
  await note(path, await fetch(path));
}

/** A new release takes over: what an older one kept in another form goes, and the shell is fetched anew. */
async function takeOver() {
  for (const name of await caches.keys()) {
    if (!name.startsWith(PAGES) && name !== FILES) await caches.delete(name);
  }
  const name = await shelfName();
  if (name) await keepShell(await caches.open(name), name.slice(PAGES.length)).catch(() => {});
  await tidyFiles();
}

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => {
  // Firefox shows its own page of errors as soon as what it loads early fails, whatever the worker answers.
  const early = worker.registration.navigationPreload;
  event.waitUntil(worker.navigator.userAgent.includes("Firefox/") ? early?.disable() : early?.enable());
  event.waitUntil(worker.clients.claim());
  event.waitUntil(takeOver());
});
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  // A path with a dot is a file, which may be one to save.
  const isPage = request.mode === "navigate" && request.destination === "document" && !pathname.includes(".");
  if (isPage) event.respondWith(visit(event, pathname, !search));
  else if (isHashed(pathname)) event.respondWith(unchanging(request));
});
worker.addEventListener("sync", (/** @type {any} */ event) => event.waitUntil(send()));
worker.addEventListener("periodicsync", (/** @type {any} */ event) => event.waitUntil(keepPuzzle()));
worker.addEventListener("message", (/** @type {any} */ event) => {
  const { keep, deliver: isDue, left } = event.data;
  if (keep) event.waitUntil(fetch(keep).then((page) => note(keep, page)));
  if (left) event.waitUntil(sendLeft(left));
  // What could not be sent is tried again at the next occasion.
  if (isDue) event.waitUntil(send().catch(() => {}));
});
