import assert from "node:assert/strict";
import test from "node:test";

import { Announcer } from "../../../static/realtime/announce.js";

/** A page as far as the announcer looks at it. */
function page() {
  const news = { dataset: { key: "1", deadline: "" }, textContent: "" };
  const hand = { dataset: { tone: "" }, textContent: "choose a piece" };
  const lost = { hidden: true, textContent: "It did not get through." };
  const found = { "#news": news, "[data-say]": hand, "[data-connection]": lost };
  const region = { textContent: "", dataset: { day: "a day", hour: "an hour" } };
  const element = { querySelector: (/** @type {keyof found} */ selector) => found[selector] };
  const announcer = new Announcer(/** @type {any} */ (region), /** @type {any} */ (element));
  return { news, hand, lost, region, announcer };
}

test("news are said once, when their key is new", () => {
  const { news, region, announcer } = page();
  announcer.hear();
  assert.equal(region.textContent, "");
  Object.assign(news, { dataset: { key: "2" }, textContent: "bob passed. It is your turn." });
  announcer.hear();
  assert.equal(region.textContent, "bob passed. It is your turn.");
  region.textContent = "something else";
  announcer.hear();
  assert.equal(region.textContent, "something else");
});

test("a change without words is not said", () => {
  const { news, region, announcer } = page();
  region.textContent = "before";
  news.dataset.key = "2";
  announcer.hear();
  assert.equal(region.textContent, "before");
});

test("the same words are a change of the region again", () => {
  const { news, region, announcer } = page();
  Object.assign(news, { dataset: { key: "2" }, textContent: "It is your turn." });
  announcer.hear();
  news.dataset.key = "3";
  announcer.hear();
  assert.equal(region.textContent, "It is your turn.\u00a0");
});

test("the hand is heard when it says something of its own, not when it is quiet", () => {
  const { hand, region, announcer } = page();
  announcer.hear();
  assert.equal(region.textContent, "");
  Object.assign(hand, { dataset: { tone: "bad" }, textContent: "Already taken: a1." });
  announcer.hear();
  assert.equal(region.textContent, "Already taken: a1.");
});

test("a move that did not get through is said once", () => {
  const { lost, region, announcer } = page();
  lost.hidden = false;
  announcer.hear();
  assert.equal(region.textContent, "It did not get through.");
  region.textContent = "later";
  announcer.hear();
  assert.equal(region.textContent, "later");
});
