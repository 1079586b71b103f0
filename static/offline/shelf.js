/** Pages kept for reading without a network: how they are marked, what they need, which of them have to go. */

import { ago } from "../site/ago.js";
import { SHELL } from "./names.js";

/** The list of games, that of puzzles, and the way to today's. */
export const GAMES = "/games/";
export const PUZZLES = "/puzzles/";
export const TODAY = "/puzzles/today/";

/** How many games are kept, how many puzzles, and for how long: milliseconds. */
export const MOST = 30;
export const MOST_PUZZLES = 7;
export const LONGEST = 30 * 24 * 3_600_000;

/** A name with its content's hash, which never means another content. */
const HASHED = /\.[0-9a-f]{12}\.[a-z0-9]+$/;

/**
 * Return whether a file never changes.
 *
 * @param {string} path
 * @returns {boolean}
 */
export function isHashed(path) {
  return HASHED.test(path);
}

/**
 * Return the paths of the unchanging files that a page names.
 *
 * @param {string} html
 * @returns {string[]}
 */
export function filesOf(html) {
  const found = [...html.matchAll(/(?:href|src)="(\/[^"?#]+)"/g)].map(([, path]) => path);
  return [...new Set(found)].filter(isHashed);
}

/**
 * Return the part of the shell that is marked off by a template of this name.
 *
 * @param {string} shell
 * @param {string} name
 * @returns {string} empty for none
 */
export function partOf(shell, name) {
  return shell.split(`<template id="${name}">`)[1]?.split("</template>")[0].trim() ?? "";
}

/** What a person has tried in a game, all on one page; it is beside the analysis board, whose steps are asked. */
const BOARD = /^\/games\/[^/]+\/analysis\/$/;
/** A study, or its board, of which the same is true. */
const STUDY = /^(\/studies\/[a-z0-9]+\/)(?:board\/)?$/;
const BRANCHES = /\/(?:analysis|board)\/branches\/$/;

/**
 * Return the page that is shown where the network does not bring this one: itself, but for an analysis board what was
 * tried on it, and for a study and its board all its variations.
 *
 * @param {string} path
 * @returns {string}
 */
export function keptFor(path) {
  const study = STUDY.exec(path);
  if (study) return `${study[1]}board/branches/`;
  return BOARD.test(path) ? `${path}branches/` : path;
}

/** The puzzle of a day. */
const PUZZLE = /^\/puzzles\/[0-9-]+\/$/;

/**
 * Return where the puzzle of the day is, which is the same everywhere, by UTC.
 *
 * @param {number} now in milliseconds
 * @returns {string}
 */
export function puzzleOf(now) {
  return `${PUZZLES}${new Date(now).toISOString().slice(0, 10)}/`;
}

/**
 * Return which pages have to go so that no more boards are kept than may be, and no more pages of branches or puzzles.
 *
 * @param {string[]} paths of all pages, the one that was kept first before the others
 * @returns {string[]}
 */
export function surplus(paths) {
  const kept = paths.filter((path) => ![SHELL, GAMES, PUZZLES].includes(path));
  const over = (/** @type {(path: string) => boolean} */ isOne, most = MOST) => {
    const kind = kept.filter(isOne);
    return kind.slice(0, Math.max(0, kind.length - most));
  };
  const isBoard = (/** @type {string} */ path) => !BRANCHES.test(path) && !PUZZLE.test(path);
  return [...over(isBoard), ...over((path) => BRANCHES.test(path)), ...over((path) => PUZZLE.test(path), MOST_PUZZLES)];
}

/**
 * Return a moment as its reader says it: how long ago, or when.
 *
 * @param {number} moment in milliseconds
 * @param {number} now
 * @param {string} language
 * @param {string} justNow what is said of less than a minute, for which browsers have no words
 * @returns {string}
 */
export function told(moment, now, language, justNow) {
  if (now - moment < 60_000) return justNow;
  const words = ago(moment, now, language);
  return words ?? new Date(moment).toLocaleDateString(language, { dateStyle: "long" });
}

/**
 * Return a page of which its scripts and styles know that there is no network.
 *
 * @param {string} html
 * @returns {string}
 */
export function asKept(html) {
  return html.replace(/<html(?=\s)/, "<html data-kept");
}

/**
 * Return a page as it is shown without a network: marked with its age, never as if it were fresh.
 *
 * @param {string} html
 * @param {string} shell the page that has the words for it, and the stylesheet
 * @param {number} at when it was kept, in milliseconds
 * @param {number} now
 * @returns {string}
 */
export function marked(html, shell, at, now) {
  const language = /<html\b[^>]*?\slang="([^"]+)"/.exec(html)?.[1] ?? "en";
  const words = told(at, now, language, partOf(shell, "just-now"));
  const time = `<time class="when" datetime="${new Date(at).toISOString()}">${words}</time>`;
  const style = /<link rel="stylesheet" href="[^"]*offline[^"]*">/.exec(shell)?.[0] ?? "";
  return asKept(html)
    .replace("</head>", () => `${style}</head>`)
    .replace("<main ", () => `${partOf(shell, "kept-banner").replace("{time}", time)}<main `);
}
