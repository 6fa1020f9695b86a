// The taps of a phone, as they are shipped: `companion/static/taps.js`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isFrom, saidLast, Taps } from "../../companion/static/taps.js";

class Memory extends Map {
  getItem(name) {
    return this.get(name) ?? null;
  }
  setItem(name, value) {
    this.set(name, value);
  }
  removeItem(name) {
    this.delete(name);
  }
}

/** A phone whose way to the server can be closed, slow or rude. */
class Phone {
  constructor(memory = new Memory()) {
    this.memory = memory;
    this.sent = [];
    this.told = [];
    this.counts = [];
    this.way = async () => ({ isEntered: true, isToWait: false, number: 5 });
    this.taps = new Taps(
      memory,
      "outbox-K7QX2M",
      (tap) => {
        this.sent.push(new URLSearchParams(tap.body).get("tricks"));
        return this.way(tap);
      },
      (count) => this.counts.push(count),
      (tap, answer) => this.told.push([new URLSearchParams(tap.body).get("tricks"), answer.isEntered]),
    );
  }
  bids(tricks, after = 4) {
    const key = Math.random().toString(16);
    return this.taps.add({ url: "/t/K7QX2M/0/move", body: `move=bid&tricks=${tricks}&after=${after}&key=${key}` });
  }
}

const rest = () => new Promise((done) => setTimeout(done));
const off = () => Promise.reject(new TypeError("Failed to fetch"));

test("a tap goes out at once, and what became of it is told", async () => {
  const phone = new Phone();
  phone.bids(3);
  await rest();
  assert.deepEqual(phone.told, [["3", true]]);
  assert.deepEqual(phone.taps.waiting, []);
  assert.equal(phone.counts.at(-1), 0);
  assert.equal(phone.memory.size, 0);
});

test("two tabs of one table send what waits, and neither takes a later tap for the one that was answered", async () => {
  const answers = [];
  const slow = () => new Promise((done) => answers.push(() => done({ isEntered: true, isToWait: false, number: 5 })));
  const memory = new Memory();
  const [seat, screen] = [new Phone(memory), new Phone(memory)];
  seat.way = screen.way = slow;
  seat.bids(1);
  screen.taps.send();
  await rest();
  answers.shift()();
  await rest();
  seat.bids(2);
  await rest();
  answers.shift()();
  await rest();
  seat.bids(3);
  await rest();
  for (const _ of [1, 2, 3]) {
    for (const answer of answers.splice(0)) answer();
    await rest();
  }
  assert.deepEqual([...new Set([...seat.sent, ...screen.sent])], ["1", "2", "3"]);
  assert.deepEqual(seat.taps.waiting, []);
});

test("without a way taps wait, and go out in order, each with the key that it had", async () => {
  const phone = new Phone();
  phone.way = off;
  for (const tricks of [2, 5, 7]) {
    phone.bids(tricks);
    await rest();
  }
  const keys = phone.taps.waiting.map(({ body }) => new URLSearchParams(body).get("key"));
  assert.equal(phone.counts.at(-1), 3);
  const again = new Phone(phone.memory); // the page was loaded anew
  const heard = [];
  again.way = async ({ body }) => {
    heard.push(new URLSearchParams(body).get("key"));
    return { isEntered: true, isToWait: false, number: 4 + heard.length };
  };
  await again.taps.send();
  assert.deepEqual(heard, keys);
  assert.deepEqual(again.sent, ["2", "5", "7"]);
});

test("who thinks again while a tap hangs is heard; a trembling finger is not", async () => {
  const phone = new Phone();
  let free = () => {};
  phone.way = () =>
    new Promise((done) => {
      free = () => done({ isEntered: true, isToWait: false, number: 5 });
    });
  assert.deepEqual(
    [2, 5, 5, 7].map((tricks) => phone.bids(tricks)),
    [true, true, false, true],
  );
  for (let turn = 0; turn < 3; turn++) {
    free();
    await rest();
  }
  assert.deepEqual(phone.sent, ["2", "5", "7"]);
});

test("the same may be meant twice once the first is answered, but not while it waits", async () => {
  const phone = new Phone();
  phone.bids(1);
  await rest();
  assert.equal(phone.bids(1, 5), true);
  await rest();
  phone.way = off;
  for (const [tricks, isTaken] of [
    [1, true],
    [1, false],
    [2, true],
    [1, true],
  ]) {
    assert.equal(phone.bids(tricks, 6), isTaken);
    await rest();
  }
  assert.equal(phone.taps.waiting.length, 3);
});

/** Tap twice without a way, then send both, each answered with a number: what each said that it had seen. */
async function seenByBoth(number) {
  const phone = new Phone();
  phone.way = off;
  phone.bids(2);
  phone.bids(5);
  await rest();
  const heard = [];
  phone.way = async ({ body }) => {
    heard.push(new URLSearchParams(body).get("after"));
    return { isEntered: true, isToWait: false, number: number(heard.length) };
  };
  await phone.taps.send();
  return heard;
}

test("what was tapped upon a tap that is entered finds the table unchanged", async () => {
  assert.deepEqual(await seenByBoth((turn) => 4 + turn), ["4", "5"]);
});

test("where somebody else was quicker, the next tap still says what it had seen", async () => {
  assert.deepEqual(await seenByBoth(() => 9), ["4", "4"]);
});

test("a tap that is to wait stays first, and one that is refused is gone, with word of it", async () => {
  const phone = new Phone();
  phone.way = async () => ({ isEntered: false, isToWait: true, number: 0 });
  phone.bids(2);
  await rest();
  assert.deepEqual([phone.told, phone.taps.waiting.length], [[], 1]);
  phone.way = async () => ({ isEntered: false, isToWait: false, number: 4 });
  await phone.taps.send();
  assert.deepEqual([phone.told, phone.taps.waiting.length], [[["2", false]], 0]);
});

/** Answer as a companion does that stumbles over a bid of 2, and over nothing else. */
const stumbles = async ({ body }) => {
  const isStumbled = new URLSearchParams(body).get("tricks") === "2";
  return { isEntered: !isStumbled, isToWait: isStumbled, isStumbled, number: 5 };
};

test("a tap over which the companion stumbles three times in a row is stuck, also when the page is loaded anew", async () => {
  const phone = new Phone();
  phone.way = stumbles;
  phone.bids(2);
  phone.bids(5);
  await rest();
  await phone.taps.send();
  assert.equal(phone.taps.stuck, undefined);
  await phone.taps.send();
  for (const one of [phone, new Phone(phone.memory)])
    assert.equal(new URLSearchParams(one.taps.stuck.body).get("tricks"), "2");
  assert.deepEqual([phone.sent, phone.taps.waiting.length], [["2", "2", "2"], 2]);
});

test("a companion that is away, and says so or not, has stumbled over nothing", async () => {
  const phone = new Phone();
  const waits = async () => ({ isEntered: false, isToWait: true, isStumbled: false, number: 0 });
  const ways = [stumbles, stumbles, off, off, waits, stumbles, stumbles];
  phone.way = (tap) => ways.shift()(tap);
  phone.bids(2);
  while (ways.length) {
    await rest();
    phone.taps.send();
  }
  await rest();
  assert.equal(phone.taps.stuck, undefined);
  phone.way = stumbles;
  await phone.taps.send();
  assert.equal(phone.taps.waiting.length, 1);
  assert.notEqual(phone.taps.stuck, undefined);
});

test("what is stuck is sent no more when somebody says so, and what was tapped after it goes on", async () => {
  const phone = new Phone();
  phone.way = stumbles;
  for (const tricks of [2, 5, 7]) phone.bids(tricks);
  await rest();
  for (const _ of [2, 3]) await phone.taps.send();
  phone.taps.drop(phone.taps.stuck);
  await rest();
  assert.deepEqual(phone.sent, ["2", "2", "2", "5", "7"]);
  assert.deepEqual(phone.told, [
    ["5", true],
    ["7", true],
  ]);
  assert.deepEqual([phone.taps.stuck, phone.taps.waiting], [undefined, []]);
});

test("what is let go while it is on its way once more is not taken back for its answer, and the next one does not wait", async () => {
  const phone = new Phone();
  phone.way = stumbles;
  for (const tricks of [2, 5]) phone.bids(tricks);
  await rest();
  for (const _ of [2, 3]) await phone.taps.send();
  let free = () => {};
  phone.way = (tap) =>
    new Promise((done) => {
      free = () => {
        phone.way = stumbles;
        done(stumbles(tap));
      };
    });
  phone.taps.send();
  phone.taps.drop(phone.taps.stuck);
  free();
  await rest();
  assert.deepEqual([phone.sent.at(-1), phone.told, phone.taps.waiting], ["5", [["5", true]], []]);
});

const BID = {
  url: "/t/K7QX2M/0/move",
  own: [
    ["after", "9"],
    ["key", "9.0"],
    ["move", "bid"],
    ["seat", "0"],
  ],
  names: new Set(["after", "key", "move", "seat", "tricks"]),
};
const THREE = { url: BID.url, body: "after=4&key=one&move=bid&seat=0&tricks=3" };

test("a tap is known again by what its form says, though the table has moved on", () => {
  assert.equal(isFrom(THREE, BID), true);
  assert.deepEqual(saidLast(THREE), ["tricks", "3"]);
});

test("another seat's form, another kind of move, another address: the tap is not theirs", () => {
  const of = (name, value) => ({ ...BID, own: BID.own.map((own) => (own[0] === name ? [name, value] : own)) });
  assert.equal(isFrom(THREE, of("seat", "1")), false);
  assert.equal(isFrom(THREE, of("move", "trick")), false);
  assert.equal(isFrom({ ...THREE, url: "/t/K7QX2M/0/take-back" }, BID), false);
});

test("a form that could not have said all of it, or would have said more, is not where a tap comes from", () => {
  assert.equal(isFrom({ ...THREE, body: `${THREE.body}&plus=1` }, BID), false);
  const asks = { ...BID, own: [...BID.own, ["card", null]], names: new Set([...BID.names, "card"]) };
  assert.equal(isFrom(THREE, asks), false);
  assert.equal(isFrom({ ...THREE, body: `card=R5&${THREE.body}` }, asks), true);
});
