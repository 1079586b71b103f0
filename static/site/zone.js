/** `data-behaviour="zone"`: a hidden form that tells the site once in which time zone this browser is. */

import { store, stored } from "./storage.js";

const KEY = "zone";

/** @param {HTMLElement} element the form, with a `zone` to fill in */
export function mount(element) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (!timeZone || stored(() => sessionStorage, KEY) === timeZone) return;
  store(() => sessionStorage, KEY, timeZone);
  const form = /** @type {HTMLFormElement} */ (element);
  const body = new FormData(form);
  body.set("zone", timeZone);
  fetch(form.action, { method: "POST", body, keepalive: true }).catch(() => {});
}
