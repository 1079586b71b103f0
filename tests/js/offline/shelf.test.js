import assert from "node:assert/strict";
import { test } from "node:test";

import {
  filesOf,
  isHashed,
  keptFor,
  MOST,
  MOST_PUZZLES,
  marked,
  partOf,
  puzzleOf,
  surplus,
  told,
} from "../../../static/offline/shelf.js";

const NOON = Date.UTC(2026, 10, 23, 12);
const HOUR = 3_600_000;
const SHELL = `<link rel="stylesheet" href="/static/lists.0123456789ab.css">
  <link rel="stylesheet" href="/static/offline/offline.0123456789ab.css">
  <template id="kept-banner"> <p>Offline since {time}.</p> </template><template id="just-now">just now</template>`;

test("a page is shown with its age, the words and the style of the shell, and says to scripts what it is", () => {
  const page = '<!DOCTYPE html>\n<html\n  lang="fr"\n><head></head><body><main id="main">Board</main></body></html>';
  const shown = marked(page, SHELL, NOON - 3 * HOUR, NOON);
  assert.match(shown, /<html data-kept\n/);
  assert.match(shown, /<p>Offline since <time class="when" datetime="2026-11-23T09:00:00.000Z">il y a 3.heures</);
  assert.match(shown, /<\/p><main id="main">Board/);
  assert.match(shown, /offline\.0123456789ab\.css"><\/head>/);
  assert.match(marked(page, SHELL, NOON - 5_000, NOON), />just now<\/time>/);
});

test("nothing in a page is taken for a pattern of the replacement", () => {
  const shown = marked('<html lang="en"><head></head><main >$& $1</main>', SHELL, NOON, NOON);
  assert.match(shown, /<main >\$& \$1<\/main>/);
});

test("an age is said in words for a week, and as a date from then on", () => {
  assert.deepEqual(
    [5_000, 60_000, HOUR, 50 * HOUR, 200 * HOUR].map((age) => told(NOON - age, NOON, "en", "just now")),
    ["just now", "1 minute ago", "1 hour ago", "2 days ago", "November 15, 2026"],
  );
});

test("only files whose names carry a hash are taken for unchanging", () => {
  assert.ok(isHashed("/static/site/site.45865c1d2e3e.css"));
  for (const path of ["/static/site/site.css", "/games/45865c1d2e3e/", "/history/games.csv"])
    assert.ok(!isHashed(path));
  const html =
    '<link href="/static/a.0123456789ab.css"><script src="/static/b.0123456789ab.js"></script><a href="/rules/">';
  assert.deepEqual(filesOf(html + html), ["/static/a.0123456789ab.css", "/static/b.0123456789ab.js"]);
});

test("so many boards are kept and no more; the oldest go, and never the list of games or the shell", () => {
  const boards = Array.from({ length: MOST + 2 }, (_, number) => `/games/${number}/`);
  assert.deepEqual(surplus(["/games/", "/offline/", ...boards]), ["/games/0/", "/games/1/"]);
  assert.deepEqual(surplus(["/games/", "/offline/", "/games/a/"]), []);
});

test("pages of branches are counted for themselves, and push no board off the shelf", () => {
  const boards = Array.from({ length: MOST }, (_, number) => `/games/${number}/`);
  const branches = Array.from({ length: MOST + 1 }, (_, number) => `/games/${number}/analysis/branches/`);
  assert.deepEqual(surplus([...branches, ...boards]), ["/games/0/analysis/branches/"]);
});

test("pages of variations are counted with those of branches", () => {
  const boards = Array.from({ length: MOST }, (_, number) => `/games/${number}/`);
  const branches = Array.from({ length: MOST }, (_, number) => `/games/${number}/analysis/branches/`);
  const variations = Array.from({ length: 2 }, (_, number) => `/studies/${number}/board/branches/`);
  assert.deepEqual(surplus([...variations, ...branches, ...boards]), variations);
});

test("of puzzles the last seven are kept, which push no board off the shelf, and their list never goes", () => {
  const boards = Array.from({ length: MOST }, (_, number) => `/games/${number}/`);
  const puzzles = Array.from({ length: MOST_PUZZLES + 1 }, (_, number) => `/puzzles/2026-11-${10 + number}/`);
  assert.deepEqual(surplus(["/puzzles/", ...puzzles, ...boards]), ["/puzzles/2026-11-10/"]);
});

test("the puzzle of the day is that of the day by UTC", () => {
  assert.equal(puzzleOf(Date.UTC(2026, 10, 29, 23, 59, 59)), "/puzzles/2026-11-29/");
  assert.equal(puzzleOf(Date.UTC(2026, 10, 30)), "/puzzles/2026-11-30/");
});

test("for an analysis board the branches of its game stand in, for any other page itself", () => {
  assert.equal(keptFor("/games/a-b_c/analysis/"), "/games/a-b_c/analysis/branches/");
  for (const path of ["/games/a/", "/games/", "/games/a/analysis/compare/", "/games/a/analysis/branches/"])
    assert.equal(keptFor(path), path);
});

test("for a study and for its board the page of all its variations stands in", () => {
  for (const path of ["/studies/k3xq7m2pza/", "/studies/k3xq7m2pza/board/"])
    assert.equal(keptFor(path), "/studies/k3xq7m2pza/board/branches/");
  for (const path of ["/studies/", "/studies/set-up/", "/studies/k3xq7m2pza/compare/", "/studies/k3xq7m2pza/from/"])
    assert.equal(keptFor(path), path);
});

test("a part of the shell that is not there is empty", () => {
  assert.equal(partOf(SHELL, "nothing"), "");
});
