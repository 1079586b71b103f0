import assert from "node:assert/strict";
import test from "node:test";

import { mayReplace } from "../../../static/spoken/guard.js";

test("only a game replaces a game", () => {
  assert.equal(mayReplace({ version: null, isLook: false }, 3, false), false);
});

test("an older game never replaces a newer one", () => {
  assert.equal(mayReplace({ version: "2", isLook: true }, 3, false), false);
  assert.equal(mayReplace({ version: "2", isLook: false }, 3, false), false);
  assert.equal(mayReplace({ version: "3", isLook: true }, 3, false), true);
});

test("a mere look does not take away what is being read", () => {
  assert.equal(mayReplace({ version: "3", isLook: true }, 3, true), false);
  assert.equal(mayReplace({ version: "3", isLook: false }, 3, true), true);
  assert.equal(mayReplace({ version: "4", isLook: true }, 3, true), true);
});
