import assert from "node:assert/strict";
import test from "node:test";

import { attempt, delay, randomKey } from "../../../static/play/send.js";

function keys() {
  let count = 0;
  return () => `key-${(count += 1)}`;
}

test("the same placement from the same version keeps its key", () => {
  const next = keys();
  const first = attempt(null, "3", "2:c2,d2", next);
  assert.equal(attempt(first, "3", "2:c2,d2", next), first);
});

test("another placement or a newer version gets another key", () => {
  const next = keys();
  const first = attempt(null, "3", "2:c2,d2", next);
  assert.notEqual(attempt(first, "3", "2:c2,c3", next).key, first.key);
  assert.notEqual(attempt(first, "4", "2:c2,d2", next).key, first.key);
});

test("a key is what the server takes for one, and never the same", () => {
  assert.match(randomKey(), /^[A-Za-z0-9_-]{8,64}$/);
  assert.equal(new Set(Array.from({ length: 100 }, randomKey)).size, 100);
});

test("waiting grows and ends at half a minute", () => {
  const delays = Array.from({ length: 9 }, (_, failures) => delay(failures + 1));
  assert.deepEqual(delays.slice(0, 3), [1000, 2000, 4000]);
  assert.equal(delays.at(-1), 30_000);
  assert.deepEqual(delays, [...delays].sort((a, b) => a - b));
});
