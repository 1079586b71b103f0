import assert from "node:assert/strict";
import { test } from "node:test";

import {
  answerText,
  askingQuestion,
  bytesOf,
  makingQuestion,
  reasonOf,
  textOf,
} from "../../../static/keys/passkeys.js";

/** @param {any} buffer */
const numbers = (buffer) => [...new Uint8Array(buffer)];

test("bytes and their text are each other's", () => {
  for (const bytes of [[], [0], [251, 255], [1, 2, 3], [255, 255, 255, 255]]) {
    const buffer = Uint8Array.from(bytes).buffer;
    assert.deepEqual(numbers(bytesOf(/** @type {string} */ (textOf(buffer)))), bytes);
  }
  assert.equal(textOf(Uint8Array.from([251, 255]).buffer), "-_8");
  assert.equal(textOf(null), null);
});

test("the question for a new passkey has bytes where the browser wants them", () => {
  const publicKey = {
    challenge: "AQ",
    user: { id: "Ag", name: "ruth" },
    excludeCredentials: [{ id: "Aw", type: "k" }],
  };
  const asked = /** @type {any} */ (makingQuestion({ publicKey })).publicKey;
  assert.deepEqual([numbers(asked.challenge), numbers(asked.user.id), asked.user.name], [[1], [2], "ruth"]);
  assert.deepEqual(numbers(asked.excludeCredentials[0].id), [3]);
});

test("the question for a passkey needs no list of them", () => {
  const asked = /** @type {any} */ (askingQuestion({ publicKey: { challenge: "AQ" } })).publicKey;
  assert.deepEqual([numbers(asked.challenge), asked.allowCredentials], [[1], []]);
});

test("both answers are sent as text", () => {
  const buffer = Uint8Array.from([1]).buffer;
  const credential = { id: "AQ", rawId: buffer, type: "public-key", getClientExtensionResults: () => ({}) };
  const made = JSON.parse(
    answerText({ ...credential, response: { clientDataJSON: buffer, attestationObject: buffer } }),
  );
  assert.deepEqual(made.response, { clientDataJSON: "AQ", attestationObject: "AQ", transports: [] });
  const response = { clientDataJSON: buffer, authenticatorData: buffer, signature: buffer, userHandle: null };
  const shown = JSON.parse(answerText({ ...credential, response }));
  assert.deepEqual([shown.rawId, shown.response.userHandle, shown.response.signature], ["AQ", null, "AQ"]);
});

test("what the browser refuses is said by its reason", () => {
  assert.equal(reasonOf(new DOMException("", "InvalidStateError")), "known");
  assert.equal(reasonOf(new DOMException("", "NotAllowedError")), "refused");
  assert.equal(reasonOf(new TypeError()), "offline");
  assert.equal(reasonOf("nothing"), "refused");
});
