import assert from "node:assert/strict";
import { test } from "node:test";

import { forgetTheGone, namesOf, register, update } from "../../../static/site/behaviours.js";

/**
 * Return something that names behaviours as an element does.
 *
 * @param {string | null} names
 * @returns {any}
 */
function element(names) {
  return {
    isConnected: true,
    names,
    getAttribute() {
      return this.names;
    },
  };
}

/**
 * Register a behaviour that notes what happens to it; return its notes.
 *
 * @param {string} name
 */
function noting(name) {
  /** @type {string[]} */
  const notes = [];
  register(name, () => {
    notes.push("mounted");
    return () => void notes.push("undone");
  });
  return notes;
}

test("an element may name several behaviours", () => {
  assert.deepEqual(namesOf(element(" one  two ")), ["one", "two"]);
  assert.deepEqual(namesOf(element(null)), []);
});

test("a behaviour is mounted once however often the page changes", () => {
  const notes = noting("once");
  const it = element("once unknown");
  update(it);
  update(it);
  assert.deepEqual(notes, ["mounted"]);
});

test("a behaviour that an element no longer names is undone, and mounted again when named again", () => {
  const notes = noting("again");
  const it = element("again");
  update(it);
  it.names = "";
  update(it);
  it.names = "again";
  update(it);
  assert.deepEqual(notes, ["mounted", "undone", "mounted"]);
});

test("what leaves the page is undone once; what was only moved is left alone", () => {
  const notes = noting("going");
  const it = element("going");
  update(it);
  forgetTheGone();
  assert.deepEqual(notes, ["mounted"]);
  it.isConnected = false;
  forgetTheGone();
  forgetTheGone();
  assert.deepEqual(notes, ["mounted", "undone"]);
});

test("a behaviour without an undo may come and go", () => {
  register("plain", () => {});
  const it = element("plain");
  update(it);
  it.names = "";
  update(it);
});
