import assert from "node:assert/strict";
import { test } from "node:test";

import { KeptBranches, REST } from "../../../static/analysis/kept.js";

/** Return the branches of a board, a clock that runs when it is told to, and what the worker was asked to keep. */
function world(board = "/games/a/analysis/") {
  /** @type {string[]} */
  const asked = [];
  /** @type {(() => void) | null} */
  let due = null;
  const timers = {
    set: (/** @type {() => void} */ call, /** @type {number} */ wait) => {
      assert.equal(wait, REST);
      due = call;
      return /** @type {any} */ (1);
    },
    clear: () => {
      due = null;
    },
  };
  const rest = () => {
    const call = due;
    due = null;
    call?.();
  };
  return { kept: new KeptBranches(board, (path) => void asked.push(path), timers), asked, rest };
}

test("what was tried is kept once it has rested, and once however many moves were tried until then", () => {
  const { kept, asked, rest } = world();
  for (const edition of ["1", "2", "3"]) kept.see(edition);
  assert.deepEqual(asked, []);
  rest();
  assert.deepEqual(asked, ["/games/a/analysis/branches/"]);
  rest();
  assert.equal(asked.length, 1);
});

test("of a study all variations are kept so, as they were when they rested", () => {
  const { kept, asked, rest } = world("/studies/k3xq7m2pza/board/");
  kept.see("4");
  rest();
  assert.deepEqual(asked, ["/studies/k3xq7m2pza/board/branches/"]);
});

test("another place of the same branches changes nothing, another edition is kept again", () => {
  const { kept, asked, rest } = world();
  for (const edition of ["1", "1", "2"]) {
    kept.see(edition);
    rest();
  }
  assert.equal(asked.length, 2);
});

test("where the board is left before they have rested they are kept at once, and else not again", () => {
  const { kept, asked, rest } = world();
  kept.see("1");
  kept.keep();
  kept.keep();
  rest();
  assert.equal(asked.length, 1);
});

test("a board that has no branches, as that of a puzzle, asks for none", () => {
  const { kept, asked, rest } = world("/puzzles/2026-11-29/");
  kept.see("");
  kept.keep();
  rest();
  assert.deepEqual(asked, []);
});
