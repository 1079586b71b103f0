/** Sentences for screen readers, in a polite live region of the page's own, which no swap replaces. */

/** Milliseconds until the words are gone again, so that they are not found at the end of the page later. */
const KEPT_FOR = 5000;

/** @type {HTMLElement | null} */
let region = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Put the region on the page: screen readers say only what changes in one that is there already. */
export function prepareToSay() {
  if (region) return;
  region = document.createElement("p");
  region.className = "visually-hidden";
  region.setAttribute("role", "status");
  document.body.append(region);
}

/** @param {string} sentence */
export function say(sentence) {
  const there = region;
  if (!there) return;
  clearTimeout(timer);
  // The same words once more are said once more.
  there.textContent = there.textContent === sentence ? `${sentence}\u00a0` : sentence;
  timer = setTimeout(() => (there.textContent = ""), KEPT_FOR);
}
