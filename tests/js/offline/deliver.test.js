import assert from "node:assert/strict";
import { test } from "node:test";

import { deliver, outcomeOf } from "../../../static/offline/deliver.js";

/** @typedef {import("../../../static/offline/moves.js").KeptMove} KeptMove */

/**
 * @param {string} game
 * @param {Partial<KeptMove>} [changes]
 * @returns {KeptMove}
 */
const move = (game, changes = {}) => ({
  address: `/games/${game}/place/`,
  game,
  key: `key of ${game}`,
  login: "mine",
  name: game,
  number: "5",
  placement: "V5:a1",
  ...changes,
});

/**
 * Return a site that answers so, and what is seen of it.
 *
 * @param {KeptMove[]} moves
 * @param {Record<string, number>} [statuses] by game; 0 for no answer
 * @param {object} [asked] what it answers to the question who is logged in
 */
function site(moves, statuses = {}, asked = {}) {
  /** @type {string[]} */
  const seen = [];
  const answers = { ok: true, type: "basic", json: () => ({ login: "mine", token: "abc" }), ...asked };
  const world = {
    fetch: (/** @type {string} */ address, /** @type {any} */ { body, headers } = {}) => {
      if (address === "/device/") return Promise.resolve(answers);
      const game = address.split("/")[2];
      seen.push(`sent ${game} ${body.get("number")} ${body.get("key")} ${headers["X-CSRFToken"]}`);
      const status = statuses[game] ?? 200;
      return status ? Promise.resolve({ status, headers: new Headers() }) : Promise.reject(new TypeError("no network"));
    },
    kept: () => Promise.resolve(moves),
    drop: (/** @type {KeptMove} */ { game }) => Promise.resolve(seen.push(`dropped ${game}`)),
    refuse: (/** @type {KeptMove} */ { game }, /** @type {number} */ status) =>
      Promise.resolve(seen.push(`refused ${game} ${status}`)),
  };
  return {
    seen,
    world: /** @type {import("../../../static/offline/deliver.js").World} */ (/** @type {any} */ (world)),
  };
}

test("a kept move is sent once, with its own number and key, and forgotten when it is played", async () => {
  const { seen, world } = site([move("a")]);
  const { played, isLeft } = await deliver(world);
  assert.deepEqual([played.map(({ game }) => game), isLeft], [["a"], false]);
  assert.deepEqual(seen, ["sent a 5 key of a abc", "dropped a"]);
});

test("a move that came too late is noted as refused, and not sent again", async () => {
  const { seen, world } = site([move("a"), move("b", { refused: 409 })], { a: 409 });
  assert.deepEqual(await deliver(world), { played: [], isLeft: false });
  assert.deepEqual(seen, ["sent a 5 key of a abc", "refused a 409"]);
});

test("without a network, or while the site is busy, moves stay, and the others are sent", async () => {
  const { seen, world } = site([move("a"), move("b"), move("c")], { a: 0, b: 503 });
  const { played, isLeft } = await deliver(world);
  assert.deepEqual([played.map(({ game }) => game), isLeft], [["c"], true]);
  assert.deepEqual(
    seen.filter((done) => !done.startsWith("sent")),
    ["dropped c"],
  );
});

test("another person's move is deleted and never sent", async () => {
  const { seen, world } = site([move("a", { login: "theirs" })]);
  await deliver(world);
  assert.deepEqual(seen, ["dropped a"]);
});

test("where nobody is logged in any more, nothing is sent and nothing kept", async () => {
  const { seen, world } = site([move("a")], {}, { ok: false, type: "opaqueredirect" });
  await deliver(world);
  assert.deepEqual(seen, ["dropped a"]);
});

test("a site that breaks down when it is asked loses no move", async () => {
  const { seen, world } = site([move("a")], {}, { ok: false, status: 502 });
  await assert.rejects(deliver(world));
  assert.deepEqual(seen, []);
});

test("an answer says whether the move is played, refused, to be sent later, or of a login that has ended", () => {
  const said = (/** @type {number} */ status, headers = {}) => outcomeOf({ headers: new Headers(headers), status });
  assert.deepEqual(
    [200, 409, 422, 404, 410].map((status) => said(status)),
    ["played", "refused", "refused", "refused", "refused"],
  );
  assert.deepEqual(
    [429, 500, 502, 503].map((status) => said(status)),
    ["later", "later", "later", "later"],
  );
  assert.equal(said(200, { "HX-Refresh": "true" }), "ended");
});
