/**
 * `data-behaviour="over"`: a dialog that lies over the page once it is put in. Escape, its button and a press beside it
 * close it, and the focus goes back to where it was.
 */

/** @param {HTMLElement} element */
export function mount(element) {
  const dialog = /** @type {HTMLDialogElement} */ (element);
  if (dialog.open) return;
  dialog.showModal();
  /** @param {MouseEvent} event */
  const press = (event) => {
    // What lies beside the dialog counts as the dialog itself; its padding is inside.
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    if (event.target === dialog && (x < left || x > right || y < top || y > bottom)) dialog.close();
  };
  dialog.addEventListener("click", press);
}
