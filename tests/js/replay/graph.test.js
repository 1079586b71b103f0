import assert from "node:assert/strict";
import test from "node:test";

import { moveAt, placeOf } from "../../../static/replay/graph.js";

const span = { left: 40, right: 240 };

test("moves stand in equal steps from the left to the right", () => {
  assert.deepEqual(
    [0, 5, 20].map((number) => placeOf(number, 20, span)),
    [40, 90, 240],
  );
  assert.equal(placeOf(0, 0, span), 40);
});

test("a tap means the nearest move, and the ends beyond them", () => {
  assert.deepEqual(
    [44, 46, 0, 999].map((x) => moveAt(x, 20, span)),
    [0, 1, 0, 20],
  );
  for (let number = 0; number <= 20; number += 1) assert.equal(moveAt(placeOf(number, 20, span), 20, span), number);
});
