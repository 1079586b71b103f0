/** How the reader of this device likes to see replays. Where a browser keeps nothing, as in a frame, nothing is kept. */

/** @typedef {{figures: boolean, pace: string | null}} Likes numbers on the pieces, and the name of the pace */

const NAME = "replay";

/** @returns {Likes} */
export function likes() {
  const usual = { figures: false, pace: null };
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(NAME) ?? "{}") };
  } catch {
    return usual;
  }
}

/** @param {Partial<Likes>} liked what has changed */
export function keepLikes(liked) {
  try {
    localStorage.setItem(NAME, JSON.stringify({ ...likes(), ...liked }));
  } catch {
    // Full or refused: the page works without.
  }
}
