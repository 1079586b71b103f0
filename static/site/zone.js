/**
 * `data-behaviour="zone"`: a hidden form that tells the site in which time zone this browser is, unless `data-known`
 * says so already. The account keeps it, or a cookie.
 */

/** @param {HTMLElement} element the form, with a `zone` to fill in */
export function mount(element) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (!timeZone || timeZone === element.dataset.known) return;
  const form = /** @type {HTMLFormElement} */ (element);
  const body = new FormData(form);
  body.set("zone", timeZone);
  fetch(form.action, { method: "POST", body, keepalive: true }).catch(() => {});
}
