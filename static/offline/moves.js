/**
 * Moves that could not be sent, kept on this device across restarts of the browser: one a game, each with the number of
 * the move it is for and its key, so that it is played once however often it is sent. Pages and the service worker read
 * the same store.
 */

/**
 * @typedef {object} KeptMove
 * @property {string} game the slug
 * @property {string} name what the game is called
 * @property {string} address where the move is sent
 * @property {string} number
 * @property {string} placement
 * @property {string} key
 * @property {string} login the label of the login that made it
 * @property {number} [refused] the status with which the site refused it: it is not sent again
 */

const STORE = "moves";

/**
 * @template Result
 * @param {IDBRequest<Result>} request
 * @returns {Promise<Result>}
 */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @template Result
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => Promise<Result>} work
 * @returns {Promise<Result>}
 */
async function within(mode, work) {
  const opening = indexedDB.open("block-you", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "game" });
  const database = await done(opening);
  try {
    return await work(database.transaction(STORE, mode).objectStore(STORE));
  } finally {
    database.close();
  }
}

/** @returns {Promise<KeptMove[]>} */
export function keptMoves() {
  return within("readonly", (store) => done(store.getAll()));
}

/** @param {KeptMove} move takes the place of another one of its game */
export function keepMove(move) {
  return within("readwrite", (store) => done(store.put(move)));
}

/**
 * Forget a move, unless another one of its game has taken its place.
 *
 * @param {Pick<KeptMove, "game" | "key">} move
 */
export function dropMove({ game, key }) {
  return within("readwrite", async (store) => {
    const found = await done(store.get(game));
    if (found?.key === key) await done(store.delete(game));
  });
}

/**
 * Note that the site has refused a move, if it is still kept.
 *
 * @param {KeptMove} move
 * @param {number} refused the status of the answer
 */
export function refuseMove(move, refused) {
  return within("readwrite", async (store) => {
    const found = await done(store.get(move.game));
    if (found?.key === move.key) await done(store.put({ ...move, refused }));
  });
}
