import assert from "node:assert/strict";
import test from "node:test";

import { dueIn, needsPage, versionIn } from "../../../static/realtime/answer.js";

const GAME = '<section id="game" data-version="17" data-due="12" data-mode="board">';

test("the version of a game and the move that is due are read, of anything else there is none", () => {
  assert.equal(versionIn(GAME), "17");
  assert.equal(versionIn("<p>502 Bad gateway</p>"), null);
  assert.equal(dueIn(GAME), "12");
  assert.equal(dueIn("<p>502 Bad gateway</p>"), null);
});

test("a game told in the other way needs a page of its own", () => {
  for (const isLook of [true, false]) {
    assert.equal(needsPage({ text: GAME, status: 200, isLook }, "board"), false);
    assert.equal(needsPage({ text: GAME, status: 200, isLook }, "words"), true);
    assert.equal(needsPage({ text: GAME, status: 409, isLook }, "words"), true);
  }
});

test("where something sent brings a page to log in, the page is asked for, but not for a server that is away", () => {
  const text = "<h1>Log in</h1>";
  assert.equal(needsPage({ text, status: 200, isLook: false }, "words"), true);
  assert.equal(needsPage({ text, status: 403, isLook: false }, "words"), true);
  assert.equal(needsPage({ text, status: 502, isLook: false }, "words"), false);
  assert.equal(needsPage({ text, status: 200, isLook: true }, "words"), false);
});
