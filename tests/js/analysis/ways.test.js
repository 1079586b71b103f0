import assert from "node:assert/strict";
import test from "node:test";

import { wayOf } from "../../../static/analysis/ways.js";

/**
 * @param {string} key
 * @param {object} held
 */
function stroke(key, held = {}) {
  return { key, shiftKey: false, altKey: false, ctrlKey: false, metaKey: false, ...held };
}

test("arrows lead back, forward and to what else was tried, where there is such a way", () => {
  assert.equal(wayOf(stroke("ArrowLeft")), "[data-go=back][href]");
  assert.equal(wayOf(stroke("ArrowRight")), "[data-go=forward][href]");
  assert.equal(wayOf(stroke("ArrowUp")), "[data-go=up][href]");
  assert.equal(wayOf(stroke("ArrowDown")), "[data-go=down][href]");
  assert.equal(wayOf(stroke("Home")), "[data-go=first][href]");
  assert.equal(wayOf(stroke("End")), "[data-go=last][href]");
});

test("the usual keys undo and redo, on every system", () => {
  assert.equal(wayOf(stroke("z", { ctrlKey: true })), "[data-do=undo]:enabled");
  assert.equal(wayOf(stroke("Z", { ctrlKey: true, shiftKey: true })), "[data-do=redo]:enabled");
  assert.equal(wayOf(stroke("z", { metaKey: true })), "[data-do=undo]:enabled");
});

test("other keys, and those that belong to the browser, are left alone", () => {
  for (const key of ["a", "z", "Enter", "constructor"]) assert.equal(wayOf(stroke(key)), "");
  for (const held of [{ altKey: true }, { ctrlKey: true }, { shiftKey: true }])
    assert.equal(wayOf(stroke("ArrowLeft", held)), "");
  assert.equal(wayOf(stroke("z", { ctrlKey: true, altKey: true })), "");
});
