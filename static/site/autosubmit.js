/** A form of filters that asks again as soon as one is changed; its button is for pages without scripts. */

/**
 * @param {HTMLElement} element a form
 * @returns {() => void}
 */
export function mount(element) {
  const form = /** @type {HTMLFormElement} */ (element);
  const button = form.querySelector("button");
  const submit = () => form.requestSubmit();
  if (button) button.hidden = true;
  form.addEventListener("change", submit);
  return () => {
    form.removeEventListener("change", submit);
    if (button) button.hidden = false;
  };
}
