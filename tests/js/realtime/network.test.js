import assert from "node:assert/strict";
import test from "node:test";

import { dice, SOON, weather } from "./bad_network.js";

/**
 * A game as the server would say it; `tests/games/realtime/test_bad_network.py` has those of real ones.
 *
 * @param {number} seed
 */
function invented(seed) {
  const chance = dice(seed + 5_000);
  const steps = [];
  for (let version = 1; steps.length < 12 + 30 * chance(); version += 1 + Math.floor(2 * chance())) {
    const frame = JSON.stringify({ type: "version", game: "abcdefghij", version });
    steps.push({ version, frame, part: `${seed} ${version}` });
  }
  return { slug: "abcdefghij", steps };
}

test("whatever is dropped, doubled and late, a page is in step two seconds after the network is back", () => {
  const found = Array.from({ length: 1_000 }, (_, seed) => weather(invented(seed), seed));
  assert.deepEqual(
    found.flatMap(({ isEqual }, seed) => (isEqual ? [] : [seed])),
    [],
  );
  assert.ok(Math.max(...found.map(({ back }) => back)) <= SOON);
});

test("nothing is said twice", () => {
  for (let seed = 0; seed < 1_000; seed += 1) assert.equal(weather(invented(seed), seed).twice, 0, `seed ${seed}`);
});
