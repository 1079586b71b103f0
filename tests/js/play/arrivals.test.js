import assert from "node:assert/strict";
import { test } from "node:test";
import { startsOf } from "../../../static/play/arrivals.js";

test("moves that arrive together begin one after another, half a second to eight tenths apart", () => {
  const starts = startsOf(3, 0);
  assert.equal(starts[0], 0);
  for (const [number, start] of starts.slice(1).entries()) {
    assert.ok(start - starts[number] >= 500 && start - starts[number] <= 800);
  }
});

test("a move begins only when those before it have had their time", () => {
  assert.deepEqual(startsOf(1, 400), [400]);
  assert.deepEqual(startsOf(1, -400), [0]);
});
