import assert from "node:assert/strict";
import { test } from "node:test";

import { ability, bytesOf } from "../../../static/push/device.js";

/**
 * Return a window of a browser that can show notices, but for what is said.
 *
 * @param {object} [parts]
 * @param {object} [navigator]
 * @returns {any}
 */
const browser = (parts = {}, navigator = {}) => ({
  Notification: { permission: "default" },
  PushManager: {},
  isSecureContext: true,
  navigator: { maxTouchPoints: 0, serviceWorker: {}, userAgent: "X11; Linux", ...navigator },
  ...parts,
});

test("a browser with all it takes can show notices, unless its owner has refused", () => {
  assert.equal(ability(browser()), "able");
  assert.equal(ability(browser({ Notification: { permission: "granted" } })), "able");
  assert.equal(ability(browser({ Notification: { permission: "denied" } })), "blocked");
});

test("without TLS nothing else is looked at", () => {
  const { PushManager, ...without } = browser({ isSecureContext: false });
  assert.ok(PushManager);
  assert.equal(ability(without), "insecure");
});

test("an iPhone and an iPad need the Home Screen, other browsers without push cannot", () => {
  /** @param {object} navigator */
  const judged = (navigator) => {
    const { PushManager, ...without } = browser({}, navigator);
    assert.ok(PushManager);
    return ability(without);
  };
  assert.equal(judged({ userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)" }), "install");
  assert.equal(judged({ maxTouchPoints: 5, userAgent: "Mozilla/5.0 (Macintosh)" }), "install");
  assert.equal(judged({ userAgent: "Mozilla/5.0 (Macintosh)" }), "unable");
});

test("a key in base64url is read, with the letters that base64 lacks", () => {
  assert.deepEqual([...bytesOf("-_8A")], [251, 255, 0]);
});
