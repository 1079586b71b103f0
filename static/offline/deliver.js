/** Sending the moves that a device has kept, and judging what the site answers. */

/** @typedef {import("./moves.js").KeptMove} KeptMove */
/** @typedef {"played" | "refused" | "ended" | "later"} Outcome */

/**
 * @typedef {object} World
 * @property {(address: string, options?: RequestInit) => Promise<Response>} fetch
 * @property {() => Promise<KeptMove[]>} kept
 * @property {(move: KeptMove) => Promise<unknown>} drop
 * @property {(move: KeptMove, status: number) => Promise<unknown>} refuse
 */

/** The site answers with these when it could not look at the move: too many requests, a fault, a proxy's patience. */
const LATER = [408, 425, 429];

/**
 * Return what an answer says of the move that was sent.
 *
 * @param {{status: number, headers: {get: (name: string) => string | null}}} answer
 * @returns {Outcome}
 */
export function outcomeOf({ status, headers }) {
  if (headers.get("HX-Refresh")) return "ended";
  if (status >= 500 || LATER.includes(status)) return "later";
  return status < 300 ? "played" : "refused";
}

/**
 * Send every kept move that the site has not refused, each with its own key; return those that are played now, and
 * whether there are some that could not be sent.
 *
 * Moves of another login, or of one that has ended, are deleted and never sent.
 *
 * @param {World} world
 * @returns {Promise<{played: KeptMove[], isLeft: boolean}>}
 * @throws {Error} the site cannot be asked who is logged in
 */
export async function deliver(world) {
  const moves = (await world.kept()).filter(({ refused }) => !refused);
  if (!moves.length) return { played: [], isLeft: false };
  const site = await ask(world);
  const own = moves.filter(({ login }) => login === site.login);
  for (const move of moves) if (!own.includes(move)) await world.drop(move);
  /** @type {KeptMove[]} */
  const played = [];
  let isLeft = false;
  for (const move of own) {
    const outcome = await send(world, move, site.token).catch(() => /** @type {const} */ ("later"));
    if (outcome === "played") played.push(move);
    else if (outcome === "later") isLeft = true;
  }
  return { played, isLeft };
}

/**
 * Ask who is logged in; nobody where the answer leads to the log-in.
 *
 * @param {World} world
 * @returns {Promise<{login: string, token: string}>}
 */
async function ask(world) {
  // Not followed: the log-in would give this browser another token than the log-in that its person may just have open.
  const answer = await world.fetch("/device/", { cache: "no-store", redirect: "manual" });
  if (answer.type === "opaqueredirect") return { login: "", token: "" };
  if (!answer.ok) throw new Error(`The site answered ${answer.status}.`);
  return answer.json();
}

/**
 * @param {World} world
 * @param {KeptMove} move
 * @param {string} token
 * @returns {Promise<Outcome>}
 */
async function send(world, move, token) {
  const { address, number, placement, key } = move;
  const answer = await world.fetch(address, {
    body: new URLSearchParams({ number, placement, key }),
    headers: { "HX-Request": "true", "X-CSRFToken": token },
    method: "POST",
  });
  const outcome = outcomeOf(answer);
  if (outcome === "refused") await world.refuse(move, answer.status);
  else if (outcome !== "later") await world.drop(move);
  return outcome;
}
