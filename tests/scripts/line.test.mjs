// A phone's line to its table, as it is shipped: `companion/static/line.js`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Line } from "../../companion/static/line.js";

/** The phone's end of a WebSocket, and what the server says there. */
class Wire {
  constructor() {
    this.readyState = 0;
    this.sent = [];
  }
  opens() {
    this.readyState = 1;
  }
  says(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  breaks(code = 1006) {
    this.readyState = 3;
    this.onclose({ code });
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
}

function laid() {
  const wire = new Wire();
  const told = [];
  const line = new Line(wire, {
    opened: () => told.push("open"),
    heard: () => {},
    seen: (view, number) => told.push([number, view]),
    closed: (isGone) => told.push(isGone ? "gone" : "closed"),
  });
  return { wire, line, told };
}

const TAP = { url: "/t/K7QX2M/0/move", body: "move=bid&tricks=3&after=4&key=one" };

test("a view comes whole, then by what has changed, and bears its number; the one before stays as it was", () => {
  const { wire, told } = laid();
  wire.opens();
  wire.says({ number: 4, all: { "": { round: 1, players: [{ bid: null }, { bid: null }] } } });
  wire.says({ number: 5, all: { "players.1.bid": 3 } });
  assert.deepEqual(told, [
    [4, { number: 4, round: 1, players: [{ bid: null }, { bid: null }] }],
    "open",
    [5, { number: 5, round: 1, players: [{ bid: null }, { bid: 3 }] }],
  ]);
});

test("the number is that of the view, whatever an answer tells before it", () => {
  const { wire, line } = laid();
  assert.equal(line.number, -1);
  wire.opens();
  wire.says({ number: 4, all: { "": { round: 1 } } });
  wire.says({ key: "one", number: 5, refusal: { rule: "rage.bid_range" } });
  assert.equal(line.number, 4);
  wire.says({ number: 5, all: { round: 2 } });
  assert.equal(line.number, 5);
});

test("what the seat alone sees stands upon what all see, until it is gone", () => {
  const { wire, told } = laid();
  wire.opens();
  wire.says({ number: 4, all: { "": { round: 1, bids: [null, null] } }, own: { seat: 0, "bids.0": 3 } });
  wire.says({ number: 5, all: { round: 2 } });
  wire.says({ number: 6, all: { "bids.1": 5 }, own: { "bids.0": 4 } });
  wire.says({ number: 7, all: { "bids.2:2": [1] }, gone: ["bids.0"] });
  assert.deepEqual(
    told.filter((each) => each !== "open"),
    [
      [4, { number: 4, round: 1, bids: [3, null], seat: 0 }],
      [5, { number: 5, round: 2, bids: [3, null], seat: 0 }],
      [6, { number: 6, round: 2, bids: [4, 5], seat: 0 }],
      [7, { number: 7, round: 2, bids: [null, 5, 1], seat: 0 }],
    ],
  );
});

test("a tap is answered by its key, and told apart from what others did meanwhile", async () => {
  const { wire, line, told } = laid();
  wire.opens();
  wire.says({ number: 4, all: { "": {} } });
  const answer = line.post(TAP);
  assert.deepEqual(wire.sent, [{ key: "one", form: TAP.body }]);
  wire.says({ number: 5, all: {} });
  wire.says({ key: "another", number: 9 });
  wire.says({ key: "one", number: 6 });
  assert.deepEqual(await answer, {
    isEntered: true,
    isToWait: false,
    isStumbled: false,
    number: 6,
    refusal: null,
    isLost: false,
  });
  assert.deepEqual(told.at(-1), [5, { number: 5 }]);
});

test("a refusal comes with its reason; what could not be saved is to wait", async () => {
  const { wire, line } = laid();
  wire.opens();
  wire.says({ number: 4, all: { "": {} } });
  const refused = line.post(TAP);
  wire.says({ key: "one", number: 4, refusal: { sentence: "Anna has bid." } });
  assert.deepEqual(await refused, {
    isEntered: false,
    isToWait: false,
    isStumbled: false,
    number: 4,
    refusal: { sentence: "Anna has bid." },
    isLost: false,
  });
  const unsaved = line.post(TAP);
  wire.says({ key: "one", isToWait: true });
  assert.equal((await unsaved).isToWait, true);
  const stumbled = line.post(TAP);
  wire.says({ key: "one", isToWait: true, isStumbled: true });
  assert.deepEqual([(await unsaved).isStumbled, (await stumbled).isStumbled], [false, true]);
});

test("what was not answered when the line breaks has failed, and is to be sent again", async () => {
  const { wire, line, told } = laid();
  wire.opens();
  await assert.rejects(line.post(TAP), "nothing was seen yet");
  wire.says({ number: 4, all: { "": {} } });
  const answer = line.post(TAP);
  wire.breaks();
  await assert.rejects(answer);
  await assert.rejects(line.post(TAP));
  assert.equal(told.at(-1), "closed");
});

test("a companion that breaks off over what was asked has stumbled over it; one that goes away has not", async () => {
  for (const [code, isStumbled] of [
    [1011, true],
    [1006, false],
    [1012, false],
    [4001, false],
  ]) {
    const { wire, line, told } = laid();
    wire.opens();
    wire.says({ number: 4, all: { "": {} } });
    const answer = line.post(TAP);
    wire.breaks(code);
    const { isToWait } = await answer.catch(() => ({ isToWait: false }));
    assert.equal(isToWait, isStumbled);
    if (isStumbled) assert.equal((await answer).isStumbled, true);
    assert.equal(told.at(-1), code === 4001 ? "gone" : "closed");
  }
});

test("a line whose seat is another's says so", () => {
  const { wire, told } = laid();
  wire.opens();
  wire.breaks(4001);
  assert.equal(told.at(-1), "gone");
});
