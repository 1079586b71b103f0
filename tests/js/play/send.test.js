import assert from "node:assert/strict";
import test from "node:test";

import { attempt, delay, isOver, randomKey } from "../../../static/play/send.js";

function keys() {
  let count = 0;
  return () => {
    count += 1;
    return `key-${count}`;
  };
}

test("the same placement for the same move keeps its key", () => {
  const next = keys();
  const first = attempt(null, "3", "2:c2,d2", next);
  assert.equal(attempt(first, "3", "2:c2,d2", next), first);
});

test("another placement or another move gets another key", () => {
  const next = keys();
  const first = attempt(null, "3", "2:c2,d2", next);
  assert.notEqual(attempt(first, "3", "2:c2,c3", next).key, first.key);
  assert.notEqual(attempt(first, "4", "2:c2,d2", next).key, first.key);
});

test("a move is wanted as long as it is due, whatever else has changed on the page", () => {
  const sent = attempt(null, "3", "2:c2,d2");
  assert.deepEqual(
    [null, "2", "3"].map((due) => isOver(sent, due)),
    [false, false, false],
  );
  assert.equal(isOver(sent, "4"), true);
  assert.equal(isOver(null, "4"), false);
});

test("a key is what the server takes for one, and never the same", () => {
  assert.match(randomKey(), /^[A-Za-z0-9_-]{8,64}$/);
  assert.equal(new Set(Array.from({ length: 100 }, randomKey)).size, 100);
});

test("waiting grows and ends at half a minute", () => {
  const delays = Array.from({ length: 9 }, (_, failures) => delay(failures + 1));
  assert.deepEqual(delays.slice(0, 3), [1000, 2000, 4000]);
  assert.equal(delays.at(-1), 30_000);
  assert.deepEqual(
    delays,
    [...delays].sort((a, b) => a - b),
  );
});
