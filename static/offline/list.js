/** `data-behaviour="kept-pages"`: the pages that this device keeps, the latest first, each with its age. */

import { keptMoves } from "./moves.js";
import { KEPT_AT, SHELL } from "./names.js";
import { told } from "./shelf.js";
import { login, shelfHere } from "./start.js";

/** @typedef {{path: string, title: string, at: number}} KeptPage */

/** @returns {Promise<KeptPage[]>} */
async function keptPages() {
  const shelf = await caches.open(shelfHere);
  const found = [];
  for (const { url } of await shelf.keys()) {
    const page = await shelf.match(url);
    const html = new DOMParser().parseFromString((await page?.text()) ?? "", "text/html");
    // The name of the game, or what the page is headed, without what is due there and the name of the site.
    const title =
      html.querySelector("#game")?.getAttribute("aria-label") ?? html.querySelector("h1")?.textContent ?? "";
    found.push({ path: new URL(url).pathname, title: title.trim(), at: Number(page?.headers.get(KEPT_AT)) });
  }
  return found.filter(({ path }) => path !== SHELL).sort((one, other) => other.at - one.at);
}

/** @param {HTMLElement} element */
async function fill(element) {
  const [pages, moves] = [await keptPages(), login ? await keptMoves() : []];
  const row = /** @type {HTMLTemplateElement} */ (element.querySelector("template"));
  const justNow = document.getElementById("just-now")?.innerHTML ?? "";
  for (const { path, title, at } of pages) {
    const shown = /** @type {DocumentFragment} */ (row.content.cloneNode(true));
    const link = /** @type {HTMLAnchorElement} */ (shown.querySelector("a"));
    const time = /** @type {HTMLTimeElement} */ (shown.querySelector("time"));
    const waiting = /** @type {HTMLElement} */ (shown.querySelector("[data-waiting]"));
    const move = moves.find(({ address }) => address === `${path}place/`);
    link.href = path;
    link.textContent = title;
    time.dateTime = new Date(at).toISOString();
    time.textContent = told(at, Date.now(), document.documentElement.lang, justNow);
    waiting.hidden = !move;
    const piece = move?.placement.split(":")[0] ?? "";
    waiting.textContent = (element.dataset.waits ?? "").replace("{piece}", piece);
    element.querySelector("ul")?.append(shown);
  }
  element.hidden = !pages.length;
}

/** @param {HTMLElement} element */
export function mount(element) {
  if (shelfHere) void fill(element).catch(() => {});
}
