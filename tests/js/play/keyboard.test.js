import assert from "node:assert/strict";
import test from "node:test";

import { Keyboard } from "../../../static/play/keyboard.js";

/** Return a page with one of the two: a button that places, or a link to the player's plan. */
function page({ isDirect = false, found = "[data-plan]" } = {}) {
  /** @type {string[]} */
  const done = [];
  const button = { dataset: { confirm: "Press Enter again: {piece}" }, focus: () => done.push("focus") };
  const shown = {
    isDirect,
    find: (/** @type {string} */ selector) =>
      selector.split(", ").some((part) => part.startsWith(found) && !part.includes(":disabled")) ? button : null,
    say: (/** @type {string} */ text) => done.push(text),
  };
  const hand = { draft: { piece: "V3" } };
  const made = { hand, shown, submit: () => done.push("submit") };
  return { keyboard: new Keyboard(/** @type {any} */ (made)), done };
}

test("Enter goes to the link that plans the piece, and says that it is to be pressed again", () => {
  const { keyboard, done } = page();
  assert.equal(keyboard.grant("place"), true);
  assert.deepEqual(done, ["focus", "Press Enter again: V3"]);
});

test("where pieces are placed at once, a plan is never sent in place of a move", () => {
  const placing = page({ isDirect: true, found: ".actions__place" });
  assert.equal(placing.keyboard.grant("place"), true);
  assert.deepEqual(placing.done, ["submit"]);
});

test("without a button or a link there is nothing to do", () => {
  const { keyboard, done } = page({ found: ".none" });
  assert.equal(keyboard.grant("place"), false);
  assert.deepEqual(done, []);
});
