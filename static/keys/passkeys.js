/**
 * Passkeys: the browser makes one or shows one, and the form sends what it answers. The site decides.
 *
 * A form holds an `input[name=credential]`, a button `[data-passkey]`, and `[data-said]` with the sentences for what
 * the browser can refuse. `[data-without]` is what stands there where there are no passkeys, and without scripts.
 */

/** @typedef {{ publicKey: any }} Options */

/**
 * @param {string} text base64url
 * @returns {ArrayBuffer}
 */
export function bytesOf(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0)).buffer;
}

/**
 * @param {ArrayBuffer | null} bytes
 * @returns {string | null} base64url
 */
export function textOf(bytes) {
  if (!bytes) return null;
  const plain = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(plain).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/**
 * @param {any[]} [descriptors]
 * @returns {any[]}
 */
const withBytes = (descriptors = []) => descriptors.map((each) => ({ ...each, id: bytesOf(each.id) }));

/**
 * Return what the browser is asked for a new passkey.
 *
 * @param {Options} options
 * @returns {CredentialCreationOptions}
 */
export function makingQuestion({ publicKey }) {
  return {
    publicKey: {
      ...publicKey,
      challenge: bytesOf(publicKey.challenge),
      user: { ...publicKey.user, id: bytesOf(publicKey.user.id) },
      excludeCredentials: withBytes(publicKey.excludeCredentials),
    },
  };
}

/**
 * Return what the browser is asked for a passkey that it has.
 *
 * @param {Options} options
 * @returns {CredentialRequestOptions}
 */
export function askingQuestion({ publicKey }) {
  return {
    publicKey: {
      ...publicKey,
      challenge: bytesOf(publicKey.challenge),
      allowCredentials: withBytes(publicKey.allowCredentials),
    },
  };
}

/**
 * Return the browser's answer as it is sent.
 *
 * @param {any} credential
 * @returns {string}
 */
export function answerText(credential) {
  const { response } = credential;
  const said = response.attestationObject
    ? { attestationObject: textOf(response.attestationObject), transports: response.getTransports?.() ?? [] }
    : {
        authenticatorData: textOf(response.authenticatorData),
        signature: textOf(response.signature),
        userHandle: textOf(response.userHandle),
      };
  return JSON.stringify({
    id: credential.id,
    rawId: textOf(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment ?? null,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: { clientDataJSON: textOf(response.clientDataJSON), ...said },
  });
}

/**
 * Return which sentence says why there is no answer.
 *
 * @param {unknown} error
 * @returns {"known" | "offline" | "refused"}
 */
export function reasonOf(error) {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  if (name === "InvalidStateError") return "known";
  return name === "TypeError" ? "offline" : "refused";
}

const hasPasskeys = () => "PublicKeyCredential" in globalThis && "credentials" in navigator;

/**
 * @param {HTMLFormElement} form
 * @param {string} answer
 */
function send(form, answer) {
  /** @type {HTMLInputElement} */ (form.elements.namedItem("credential")).value = answer;
  form.requestSubmit();
}

/**
 * @param {HTMLElement} form
 * @param {"known" | "offline" | "refused" | ""} reason
 */
function say(form, reason) {
  const place = /** @type {HTMLElement} */ (form.querySelector("[data-said]"));
  place.hidden = !reason;
  place.textContent = (reason && (place.dataset[reason] ?? place.dataset.refused)) || "";
}

/**
 * Do this at a press of the form's button, and send what comes of it.
 *
 * @param {HTMLElement} element
 * @param {(form: HTMLFormElement) => Promise<Credential | null>} ask
 * @returns {(() => void) | undefined}
 */
function mountButton(element, ask) {
  if (!hasPasskeys()) return undefined;
  const form = /** @type {HTMLFormElement} */ (element);
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("[data-passkey]"));
  const press = async () => {
    button.disabled = true;
    say(form, "");
    try {
      send(form, answerText(await ask(form)));
    } catch (error) {
      say(form, reasonOf(error));
    } finally {
      button.disabled = false;
    }
  };
  const credential = /** @type {HTMLInputElement} */ (form.elements.namedItem("credential"));
  /** @param {Event} event */
  const enter = (event) => {
    // Enter in the field of the name means the button: there is nothing to send yet.
    if (credential.value) return;
    event.preventDefault();
    if (!button.disabled) press();
  };
  form.hidden = button.hidden = false;
  form.querySelector("[data-without]")?.remove();
  button.addEventListener("click", press);
  form.addEventListener("submit", enter);
  return () => {
    button.removeEventListener("click", press);
    form.removeEventListener("submit", enter);
  };
}

/** @param {HTMLFormElement} form */
const optionsIn = (form) => JSON.parse(form.dataset.options ?? "");

/**
 * @param {HTMLElement} element
 * @returns {(() => void) | undefined}
 */
export function mountMaking(element) {
  return mountButton(element, (form) => navigator.credentials.create(makingQuestion(optionsIn(form))));
}

/**
 * @param {HTMLElement} element
 * @returns {(() => void) | undefined}
 */
export function mountAsking(element) {
  return mountButton(element, (form) => navigator.credentials.get(askingQuestion(optionsIn(form))));
}

/**
 * Return what the site tells a browser to ask, of anyone.
 *
 * @param {HTMLFormElement} form
 * @returns {Promise<CredentialRequestOptions>}
 */
async function asked(form) {
  const token = /** @type {HTMLInputElement} */ (form.elements.namedItem("csrfmiddlewaretoken")).value;
  const answer = await fetch(form.dataset.ask ?? "", { method: "POST", headers: { "X-CSRFToken": token } });
  if (!answer.ok) throw new TypeError(`${answer.status}`);
  return askingQuestion(await answer.json());
}

/**
 * Offer passkeys where the name is typed, and by a button; one question at a time.
 *
 * @param {HTMLElement} element
 * @returns {(() => void) | undefined}
 */
export function mountLogIn(element) {
  const offer = new AbortController();
  const stop = mountButton(element, async (form) => {
    offer.abort();
    const question = await asked(form);
    return navigator.credentials.get(question);
  });
  if (!stop) return undefined;
  offerQuietly(/** @type {HTMLFormElement} */ (element), offer.signal);
  return () => {
    offer.abort();
    stop();
  };
}

/**
 * Have the browser offer passkeys among the names that it fills in. Nothing is said where it does not.
 *
 * @param {HTMLFormElement} form
 * @param {AbortSignal} signal
 */
async function offerQuietly(form, signal) {
  try {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    const question = await asked(form);
    if (signal.aborted) return;
    const answer = await navigator.credentials.get({ ...question, mediation: "conditional", signal });
    if (answer) send(form, answerText(answer));
  } catch {
    // The person typed a password, pressed the button, or went on.
  }
}
