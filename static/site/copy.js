/**
 * A link to pass on: the button copies it, or opens the phone's own way to share.
 *
 * The element holds an `input` with the link and a `button`, hidden for pages without scripts.
 * `data-done` is what the button says afterwards.
 */

const SHOWN_FOR = 2000;

/**
 * Hand the link on: true when it was copied, false when it was shared or the person changed their mind.
 *
 * @param {string} link
 * @param {string} title
 * @param {Navigator} navigator
 * @returns {Promise<boolean>}
 */
export async function passOn(link, title, navigator) {
  if (navigator.share && navigator.maxTouchPoints > 0) {
    await navigator.share({ title, url: link }).catch(() => {});
    return false;
  }
  await navigator.clipboard.writeText(link);
  return true;
}

/**
 * @param {HTMLElement} element
 * @returns {() => void}
 */
export function mount(element) {
  const input = /** @type {HTMLInputElement} */ (element.querySelector("input"));
  const button = /** @type {HTMLButtonElement} */ (element.querySelector("button"));
  const label = button.textContent;
  const select = () => input.select();
  const copy = async () => {
    select();
    if (!(await passOn(input.value, document.title, navigator))) return;
    button.textContent = element.dataset.done ?? label;
    setTimeout(() => (button.textContent = label), SHOWN_FOR);
  };
  // Over plain HTTP there is no clipboard: the link is then selected by a tap and copied by hand.
  button.hidden = !navigator.clipboard && !navigator.share;
  button.addEventListener("click", copy);
  input.addEventListener("focus", select);
  return () => {
    button.removeEventListener("click", copy);
    input.removeEventListener("focus", select);
  };
}
