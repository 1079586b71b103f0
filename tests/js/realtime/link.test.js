import assert from "node:assert/strict";
import test from "node:test";

import { BEAT, CROWDED_PAUSE, Link, OPENING, PATIENCE, pause, read, turn } from "../../../static/realtime/link.js";
import { FakeWorld } from "./world.js";

function linked() {
  const world = new FakeWorld();
  /** @type {any[]} */
  const heard = [];
  /** @type {string[]} */
  const told = [];
  const link = new Link(
    world,
    (frame) => heard.push(frame),
    (state) => told.push(state),
  );
  link.start();
  return { world, link, heard, told };
}

/** @param {FakeWorld} world */
function open(world) {
  world.socket.onopen({});
  world.say({ type: "version", version: 1 });
}

test("an open link asks at once, and again every beat", () => {
  const { world, heard, told } = linked();
  open(world);
  assert.deepEqual(world.socket.sent, [{ type: "ping", looking: true }]);
  world.isVisible = false;
  world.pass(BEAT);
  assert.deepEqual(world.socket.sent.at(-1), { type: "ping", looking: false });
  assert.deepEqual(heard, [{ type: "version", version: 1 }]);
  assert.deepEqual(told, ["open"]);
});

/** Let the socket fall silent, as it does when the network is gone. @param {FakeWorld} world */
function fallSilent(world) {
  world.pass(BEAT + PATIENCE);
}

test("a lost link comes back by itself, later each time", () => {
  const { world, told } = linked();
  open(world);
  fallSilent(world);
  world.pass(pause(0, 0.5));
  const waits = [];
  for (let count = 2; count <= 8; count += 1) {
    world.socket.onclose({ code: 1006 });
    const before = world.now;
    while (world.sockets.length === count) world.pass(100);
    waits.push(world.now - before);
  }
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  open(world);
  assert.equal(told.at(-1), "open");
  fallSilent(world);
  world.pass(500);
  assert.equal(world.sockets.length, 10);
});

for (const code of [1006, 4012, 4013]) {
  test(`pages whose sockets are closed together with ${code} come back over more than ten seconds`, () => {
    /** @type {number[]} */
    const waits = [];
    for (let page = 0; page < 1000; page += 1) {
      const { world, told } = linked();
      world.turn = () => page / 999;
      open(world);
      const before = world.now;
      world.socket.onclose({ code });
      assert.equal(told.at(-1), "waits");
      while (world.sockets.length === 1) world.pass(50);
      waits.push(world.now - before);
      open(world);
      assert.equal(told.at(-1), "open");
    }
    const inOneSecond = waits.map((wait) => waits.filter((other) => other >= wait && other < wait + 1000).length);
    assert.equal(Math.max(...inOneSecond) < 70, true);
    assert.equal(Math.max(...waits) - Math.min(...waits) > 15_000, true);
    assert.equal(Math.max(...waits) < 20_000, true);
  });
}

test("after its turn a link tries again as usual", () => {
  const { world, told } = linked();
  open(world);
  world.socket.onclose({ code: 1006 });
  world.pass(turn(0.5) - 1);
  assert.equal(world.sockets.length, 1);
  world.pass(1);
  assert.equal(world.sockets.length, 2);
  world.socket.onclose({ code: 1006 });
  assert.deepEqual(told, ["open", "waits", "gone"]);
  world.pass(pause(0, 0.5));
  assert.equal(world.sockets.length, 3);
});

test("an attempt that was begun without a network is not waited for when the device is online again", () => {
  const { world, link } = linked();
  link.renew();
  assert.equal(world.sockets.length, 2);
  assert.ok(world.sockets[0].isClosed);
  open(world);
  link.renew();
  assert.equal(world.sockets.length, 2);
  assert.equal(world.socket.sent.length, 2);
});

test("a link that waits for its turn is opened at once when the page wakes, or when the site has answered it", () => {
  for (const name of /** @type {const} */ (["wake", "retry"])) {
    const { world, link } = linked();
    open(world);
    world.socket.onclose({ code: 1006 });
    link[name]();
    assert.equal(world.sockets.length, 2);
    link[name]();
    assert.equal(world.sockets.length, 2);
  }
});

test("an answer of the site opens no link that is there, has ended, is too many or was stopped", () => {
  for (const code of [4401, 4429, 0]) {
    const { world, link } = linked();
    open(world);
    link.retry();
    assert.equal(world.socket.sent.length, 1);
    if (code) world.socket.onclose({ code });
    else link.stop();
    link.retry();
    assert.equal(world.sockets.length, 1);
  }
});

test("reconnecting is spread by chance", () => {
  assert.equal(pause(0, 0), 250);
  assert.equal(pause(0, 1), 750);
  assert.equal(pause(50, 0), 15_000);
  assert.equal(pause(50, 1), 45_000);
});

test("a socket that does not answer is given up", () => {
  const { world, told } = linked();
  open(world);
  const dead = world.socket;
  world.pass(BEAT + PATIENCE);
  assert.equal(dead.isClosed, true);
  assert.equal(told.at(-1), "gone");
  world.pass(500);
  assert.equal(world.sockets.length, 2);
});

test("a socket that never opens is given up, later than one that is silent", () => {
  const { world, told } = linked();
  world.pass(OPENING - 1);
  assert.deepEqual(told, []);
  world.pass(1);
  assert.deepEqual(told, ["gone"]);
  world.pass(500);
  assert.equal(world.sockets.length, 2);
});

for (const code of [4401, 4403]) {
  test(`a link that the site ends with ${code} stays ended`, () => {
    const { world, told } = linked();
    open(world);
    world.socket.onclose({ code });
    world.pass(10 * 60_000);
    assert.equal(world.sockets.length, 1);
    assert.equal(told.at(-1), "ended");
  });
}

test("a link that the site has too many of tries again after a long while, and says so", () => {
  const { world, told } = linked();
  for (let count = 1; count <= 5; count += 1) {
    world.socket.onopen({});
    world.socket.onclose({ code: 4429 });
    world.pass(CROWDED_PAUSE - 1);
    assert.equal(world.sockets.length, count);
    world.pass(1);
  }
  assert.deepEqual(told, new Array(5).fill("crowded"));
  open(world);
  assert.equal(told.at(-1), "open");
});

test("waking asks an open link at once and opens a lost one", () => {
  const { world, link } = linked();
  open(world);
  link.wake();
  assert.equal(world.socket.sent.length, 2);
  for (let count = 0; count < 6; count += 1) {
    world.socket.onclose({ code: 1006 });
    while (world.socket.isClosed) world.pass(100);
  }
  world.socket.onclose({ code: 1006 });
  const number = world.sockets.length;
  link.wake();
  assert.equal(world.sockets.length, number + 1);
});

test("a link that is stopped is silent, and can be started again", () => {
  const { world, link, told } = linked();
  open(world);
  link.stop();
  assert.equal(world.socket.isClosed, true);
  world.pass(10 * 60_000);
  assert.equal(world.sockets.length, 1);
  link.start();
  link.start();
  assert.equal(world.sockets.length, 2);
  assert.deepEqual(told, ["open"]);
});

test("what is no frame is ignored", () => {
  const { world, heard } = linked();
  open(world);
  for (const data of ["", "{", "17", "null", '{"type":3}', "[]"]) {
    assert.equal(read(data), null);
    world.socket.onmessage({ data });
  }
  assert.equal(heard.length, 1);
});

test("a link that is taken for lost tries again, and one that waits or has stopped is left alone", () => {
  const { world, link, told } = linked();
  open(world);
  link.lose();
  link.lose();
  assert.deepEqual(told, ["open", "gone"]);
  world.pass(pause(0, 1));
  open(world);
  assert.deepEqual(told, ["open", "gone", "open"]);
});
