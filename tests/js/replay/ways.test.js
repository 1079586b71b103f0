import assert from "node:assert/strict";
import test from "node:test";

import { commandOf } from "../../../static/replay/leaf.js";
import { showWays } from "../../../static/replay/ways.js";

/**
 * Return an element of which the attributes can be read and switched.
 *
 * @param {Record<string, string>} attributes
 * @param {object} more
 * @returns {any}
 */
function element(attributes, more = {}) {
  return {
    getAttribute: (/** @type {string} */ name) => attributes[name] ?? null,
    hasAttribute: (/** @type {string} */ name) => name in attributes,
    toggleAttribute: (/** @type {string} */ name, /** @type {boolean} */ isSet) => {
      if (isSet) attributes[name] = "";
      else delete attributes[name];
    },
    ...more,
  };
}

test("the ways of the move shown are seen and those of others are not", () => {
  const lines = [element({ "data-at": "2", hidden: "" }), element({ "data-at": "3" })];
  const ways = element({}, { querySelectorAll: () => lines });
  const root = element({}, { querySelector: () => ways });
  showWays(root, 2);
  assert.deepEqual(
    [ways, ...lines].map((one) => one.hasAttribute("hidden")),
    [false, false, true],
  );
  showWays(root, 1);
  assert.deepEqual(
    [ways, ...lines].map((one) => one.hasAttribute("hidden")),
    [true, true, true],
  );
});

test("a replay without other ways stays as it is", () => {
  showWays(element({}, { querySelector: () => null }), 2);
});

test("the keys up and down lead across, and with letters switched off too", () => {
  const plain = { altKey: false, ctrlKey: false, metaKey: false };
  assert.equal(commandOf({ key: "ArrowUp", ...plain }, false), "up");
  assert.equal(commandOf({ key: "ArrowDown", ...plain }, false), "down");
});
