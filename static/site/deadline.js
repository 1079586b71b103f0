/** A deadline as people say it, in the reader's own time zone: "until tomorrow 18:00"; its last hours count down. */

import { exact, isUrgent, secondsLeft } from "./countdown.js";

const SECOND = 1000;
const MINUTE = 60_000;
/** The last hours count down. */
const SOON = 6 * 60 * MINUTE;

/** @typedef {{today: string, tomorrow: string, left: string, up: string}} Words each with "{time}" where it has one */

/**
 * Return hours and minutes with their units, as the language writes them short: "5 hr 20 min", "59 min".
 *
 * @param {number} minutes
 * @param {string} language
 * @returns {string}
 */
function lasting(minutes, language) {
  const parts = [
    { unit: "hour", count: Math.floor(minutes / 60) },
    { unit: "minute", count: minutes % 60 },
  ];
  const shown = parts.filter(({ unit, count }) => count || (unit === "minute" && minutes < 60));
  return shown
    .map(({ unit, count }) => count.toLocaleString(language, { style: "unit", unit, unitDisplay: "short" }))
    .join(" ");
}

/**
 * Return what to say of a deadline, or nothing if it is so far away that the page says it already ("3 days left").
 *
 * @param {Date} until
 * @param {Date} now
 * @param {Words} words
 * @param {string} language
 * @returns {string | undefined}
 */
export function said(until, now, words, language) {
  const left = until.getTime() - now.getTime();
  if (left <= 0) return words.up;
  if (left < SOON) {
    const minutes = Math.max(1, Math.floor(secondsLeft(until.getTime(), now.getTime()) / 60));
    return words.left.replace("{time}", lasting(minutes, language));
  }
  const time = until.toLocaleTimeString(language, { hour: "2-digit", hourCycle: "h23", minute: "2-digit" });
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  if (until.toDateString() === now.toDateString()) return words.today.replace("{time}", time);
  if (until.toDateString() === tomorrow.toDateString()) return words.tomorrow.replace("{time}", time);
  return undefined;
}

/**
 * Keep the text of a `<time datetime>` current, also after a swap has brought the server's words back.
 *
 * @param {HTMLElement} element
 * @returns {() => void}
 */
export function mount(element) {
  const language = document.documentElement.lang;
  const show = () => {
    const until = new Date(element.getAttribute("datetime") ?? "");
    const now = new Date();
    const text = said(until, now, /** @type {Words} */ ({ ...element.dataset }), language);
    if (text !== undefined && text !== element.textContent) element.textContent = text;
    const title = exact(until.getTime());
    if (element.title !== title) element.title = title;
    const seconds = secondsLeft(until.getTime(), now.getTime());
    if (isUrgent(element, seconds) && element.dataset.tone !== "urgent") element.dataset.tone = "urgent";
  };
  show();
  const swaps = new MutationObserver(show);
  swaps.observe(element, {
    attributeFilter: ["datetime", "title"],
    characterData: true,
    childList: true,
    subtree: true,
  });
  const timer = setInterval(show, SECOND);
  return () => {
    swaps.disconnect();
    clearInterval(timer);
  };
}
