/**
 * A form of filters that asks again as soon as one is changed; its button is for pages without scripts, and for days,
 * which change with every digit that is typed.
 */

/**
 * @param {HTMLElement} element a form
 * @returns {() => void}
 */
export function mount(element) {
  const form = /** @type {HTMLFormElement} */ (element);
  const button = form.querySelector("button");
  const submit = (/** @type {Event} */ event) => {
    if (!(event.target instanceof HTMLInputElement && event.target.type === "date")) form.requestSubmit();
  };
  if (button) button.hidden = !form.querySelector("input[type=date]");
  form.addEventListener("change", submit);
  return () => {
    form.removeEventListener("change", submit);
    if (button) button.hidden = false;
  };
}
