/** The field in which a player writes: empty once what was typed is said, and as it was where it is refused. */

/**
 * @param {HTMLElement} element a form
 * @returns {() => void}
 */
export function mount(element) {
  const form = /** @type {HTMLFormElement} */ (element);
  const leaving = new AbortController();
  document.addEventListener(
    "htmx:finally:request",
    (/** @type {any} */ { detail: { ctx } }) => {
      // The answer is in the page by now. A morph leaves what was typed; a refusal brings it along.
      if (ctx.sourceElement === form && ctx.response?.status === 200) form.reset();
    },
    { signal: leaving.signal },
  );
  return () => leaving.abort();
}
