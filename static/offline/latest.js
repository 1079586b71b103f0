/** Keeping the page of a game up to date on the device as well: what a live update brings goes into the kept page. */

import { KEPT_AT, PAGES } from "./names.js";
import { login } from "./start.js";

/**
 * Put the part that has come in the place of the former one in the kept page, if the page is kept.
 *
 * @param {string} part the answer: the title and the game
 */
export async function keepLatest(part) {
  if (!login || !part.includes('id="game"')) return;
  const shelf = await caches.open(PAGES + login);
  const page = await shelf.match(location.pathname);
  if (!page) return;
  const kept = new DOMParser().parseFromString(await page.text(), "text/html");
  const fresh = new DOMParser().parseFromString(part, "text/html");
  for (const name of ["title", "#game"]) {
    const found = fresh.querySelector(name);
    if (found) kept.querySelector(name)?.replaceWith(found);
  }
  const headers = new Headers(page.headers);
  headers.set(KEPT_AT, String(Date.now()));
  await shelf.put(location.pathname, new Response(`<!DOCTYPE html>${kept.documentElement.outerHTML}`, { headers }));
}
