/** Notices on this device: whether its browser can show any, and switching them on and off. */

/** @typedef {"insecure" | "install" | "unable" | "blocked" | "able"} Ability */
/** @typedef {"on" | "off" | "blocked" | "failed"} State */

const DEVICE = "/device/";
const WORKER = "/service-worker.js";

/**
 * Return what a browser can do: "insecure" without TLS, "install" where only an app on the Home Screen may show
 * notices, "blocked" where its owner has refused them.
 *
 * @param {any} browser the window
 * @returns {Ability}
 */
export function ability(browser) {
  const { navigator } = browser;
  if (!browser.isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator && "PushManager" in browser && "Notification" in browser)) {
    // iPads call themselves Macs, which have no touch screen.
    const isMobile = /iPhone|iPad|iPod/.test(navigator.userAgent);
    return isMobile || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1) ? "install" : "unable";
  }
  return browser.Notification.permission === "denied" ? "blocked" : "able";
}

/**
 * Return the bytes of a text in base64url.
 *
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function bytesOf(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

/** @typedef {{key: string, token: string, endpoint: string}} Site what the site knows of this device */

/** @returns {Promise<Site>} */
async function ask() {
  const answer = await fetch(DEVICE);
  if (!answer.ok || answer.redirected) throw new Error(`The site answered ${answer.status}.`);
  return answer.json();
}

/**
 * @param {string} address
 * @param {Record<string, string>} fields
 * @returns {Promise<boolean>} whether the site did it
 */
async function post(address, fields = {}) {
  const { token } = await ask();
  const headers = { "X-CSRFToken": token };
  return (await fetch(address, { body: new URLSearchParams(fields), headers, method: "POST" })).ok;
}

/**
 * Return whether notices are on, as both the site and the browser see it; "without" where the site sends none.
 *
 * @returns {Promise<"on" | "off" | "without">}
 */
export async function present() {
  const { key, endpoint } = await ask();
  if (!key) return "without";
  const registration = await navigator.serviceWorker.getRegistration("/");
  const subscription = await registration?.pushManager.getSubscription();
  const isOn = Notification.permission === "granted" && subscription && subscription.endpoint === endpoint;
  return isOn ? "on" : "off";
}

/**
 * Ask the person, then the browser, then the site.
 *
 * @returns {Promise<State>}
 */
export async function switchOn() {
  const answer = await Notification.requestPermission();
  if (answer !== "granted") return answer === "denied" ? "blocked" : "off";
  try {
    const { key } = await ask();
    await navigator.serviceWorker.register(WORKER);
    const { pushManager } = await navigator.serviceWorker.ready;
    // One that was made for another key, or for another person's login, is of no use.
    await (await pushManager.getSubscription())?.unsubscribe();
    const subscription = await pushManager.subscribe({ applicationServerKey: bytesOf(key), userVisibleOnly: true });
    const { endpoint = "", keys = {} } = subscription.toJSON();
    return (await post(DEVICE, { endpoint, ...keys })) ? "on" : "failed";
  } catch {
    return "failed";
  }
}

/**
 * Switch notices off here, or let them stay off and not be offered again.
 *
 * @returns {Promise<State>}
 */
export async function switchOff() {
  try {
    if (!(await post(`${DEVICE}stop/`))) return "failed";
    const registration = await navigator.serviceWorker.getRegistration("/");
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
    return "off";
  } catch {
    return "failed";
  }
}

/**
 * Have a test notice sent here.
 *
 * @returns {Promise<boolean>} whether the site does
 */
export function tryOut() {
  return post(`${DEVICE}test/`).catch(() => false);
}
