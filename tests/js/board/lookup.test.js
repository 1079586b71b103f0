import assert from "node:assert/strict";
import test from "node:test";
import { added, cellsOfBits, Lookup } from "../../../static/board/lookup.js";
import { lookup, TRIANGLES } from "./shapes.js";

const LYING = { piece: "2", form: 0, anchor: 7 };

test("distances add up to numbers", () => {
  assert.deepEqual(added([3, 1, 4]), [3, 4, 8]);
  assert.deepEqual(added([]), []);
});

test("a hexadecimal number is a set of cells, however long", () => {
  assert.deepEqual([...cellsOfBits("0")], []);
  assert.deepEqual(
    [...cellsOfBits("81")].sort((a, b) => a - b),
    [0, 7],
  );
  const last = (1n << 399n).toString(16);
  assert.deepEqual([...cellsOfBits(last)], [399]);
});

test("only what the server listed fits", () => {
  assert.equal(lookup().fits(LYING), true);
  assert.equal(lookup().fits({ ...LYING, anchor: 8 }), false);
  assert.equal(lookup().fits({ piece: "V3", form: 1, anchor: 7 }), false);
  assert.equal(lookup().fits({ piece: "X", form: 0, anchor: 0 }), false);
});

test("a placement is named by its piece and its cells", () => {
  assert.equal(lookup().text(LYING), "2:c2,d2");
  assert.equal(lookup().text({ piece: "V3", form: 3, anchor: 6 }), "V3:b2,c2,c3");
});

test("what fits has no faults", () => {
  assert.deepEqual(lookup().faults(LYING), []);
});

test("a fault names the cells at fault and nothing else", () => {
  const [fault, ...more] = lookup().faults({ piece: "2", form: 1, anchor: 2 });
  assert.deepEqual(fault, { code: "edge-contact", cells: [2], sentence: "Edge at c1.", lesson: "edge" });
  assert.deepEqual(more, []);
});

test("several faults come in the server's order", () => {
  const codes = lookup()
    .faults({ piece: "2", form: 0, anchor: 1 })
    .map((fault) => fault.code);
  assert.deepEqual(codes, ["overlap", "edge-contact", "no-corner-contact"]);
});

test("a missing corner puts the whole piece at fault", () => {
  const [fault] = lookup().faults({ piece: "2", form: 0, anchor: 17 });
  assert.deepEqual(fault, { code: "no-corner-contact", cells: [17, 18], sentence: "No corner.", lesson: "" });
});

test("the nearest placements come first", () => {
  const anchors = lookup()
    .nearest("V3", null, [1.5, 1.5])
    .map(({ form, anchor }) => [form, anchor]);
  assert.deepEqual(anchors, [
    [3, 6],
    [0, 7],
  ]);
  assert.deepEqual(lookup().nearest("V3", 2, [1.5, 1.5]), []);
});

test("a form is centred on a point and kept on the board", () => {
  assert.equal(lookup().centred("2", 0, [3, 1.5]), 7);
  assert.equal(lookup().centred("2", 0, [4.5, 3.5]), 18);
  assert.equal(lookup().centred("V3", 0, [-9, -9]), 0);
});

test("a form goes only where its cells lie as they are drawn", () => {
  const triangles = new Lookup(TRIANGLES, { legal: {}, checks: [] });
  assert.equal(triangles.centred("1", 0, triangles.spot(2)), 2);
  assert.equal(triangles.centred("1", 1, triangles.spot(1)), 1);
  assert.ok([0, 2, 5].includes(triangles.centred("1", 0, triangles.spot(1))));
  assert.deepEqual([...triangles.off], [0]);
});
