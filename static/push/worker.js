/**
 * The service worker's part of notices: it shows those that arrive, also while no page of the site is open.
 *
 * What it is sent is written by `games/notifications/channels/push.py`, in the reader's words.
 */

/** @typedef {{key: string, title: string, text: string, until: number, path: string, tag: string, open: string,
 *    language: string, icon: string, image?: string, waiting: number}} Notice */

const worker = /** @type {any} */ (self);
const DEVICE = "/device/";

/**
 * Return a moment as its reader says it, in the device's own time zone.
 *
 * @param {number} moment in milliseconds
 * @param {string} language
 * @returns {string}
 */
function written(moment, language) {
  return new Date(moment).toLocaleString(language, {
    day: "numeric",
    hour: "2-digit",
    hourCycle: "h23",
    minute: "2-digit",
    month: "short",
    weekday: "short",
  });
}

/**
 * Show a notice in place of an earlier one about the same game. One that arrives twice makes no second sound.
 *
 * @param {Notice} notice
 */
async function show(notice) {
  const before = await worker.registration.getNotifications({ tag: notice.tag });
  await worker.registration.showNotification(notice.title, {
    actions: [{ action: "open", title: notice.open }],
    badge: notice.icon,
    body: notice.text.replace("{time}", written(notice.until, notice.language)),
    data: { key: notice.key, path: notice.path },
    icon: notice.icon,
    image: notice.image || undefined,
    lang: notice.language,
    renotify: !before.some((/** @type {any} */ shown) => shown.data?.key === notice.key),
    tag: notice.tag,
  });
  await worker.navigator.setAppBadge?.(notice.waiting).catch(() => {});
  for (const page of await pages()) page.postMessage({ key: notice.key });
}

/** @returns {Promise<any[]>} the pages of the site that are open */
function pages() {
  return worker.clients.matchAll({ includeUncontrolled: true, type: "window" });
}

/**
 * Go to the tab that shows the page already, else open one.
 *
 * @param {string} path
 */
async function open(path) {
  const address = new URL(path, worker.location.origin);
  if (address.origin !== worker.location.origin) return;
  const tab = (await pages()).find((page) => new URL(page.url).pathname === address.pathname);
  await (tab ? tab.focus() : worker.clients.openWindow(address.href));
}

/**
 * Tell the site where this browser is reached from now on: it has given up the former address by itself.
 *
 * @param {any} event
 */
async function renew(event) {
  const answer = await fetch(DEVICE);
  if (!answer.ok || answer.redirected) return;
  const { key, token, endpoint } = await answer.json();
  if (!key || !endpoint) return;
  const manager = worker.registration.pushManager;
  const options = event.oldSubscription?.options ?? { applicationServerKey: key, userVisibleOnly: true };
  const { endpoint: found, keys } = (event.newSubscription ?? (await manager.subscribe(options))).toJSON();
  const headers = { "X-CSRFToken": token };
  await fetch(DEVICE, { body: new URLSearchParams({ endpoint: found, ...keys }), headers, method: "POST" });
}

worker.addEventListener("push", (/** @type {any} */ event) => event.waitUntil(show(event.data.json())));
worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => event.waitUntil(renew(event)));
worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});
