import assert from "node:assert/strict";
import { test } from "node:test";

import { passOn } from "../../../static/site/copy.js";

test("on a desk the link is copied", async () => {
  const copied = [];
  const navigator = { maxTouchPoints: 0, clipboard: { writeText: async (text) => copied.push(text) } };
  assert.equal(await passOn("https://x/join/1/", "Table", navigator), true);
  assert.deepEqual(copied, ["https://x/join/1/"]);
});

test("on a phone the link is shared, and a change of mind is no fault", async () => {
  const shared = [];
  const share = async (what) => {
    shared.push(what);
    throw new Error("AbortError");
  };
  assert.equal(await passOn("https://x/", "Table", { maxTouchPoints: 5, share }), false);
  assert.deepEqual(shared, [{ title: "Table", url: "https://x/" }]);
});
