// Many phones in one process, with the modules that they are shipped with: their taps and their lines, without a page.
// Told by a pipe what happens to them, a line each time; they say what they do then, before the next thing happens.

import { createInterface } from "node:readline";

import { drawing } from "../../companion/static/draw.js";
import { Line, OPEN } from "../../companion/static/line.js";
import { keyOf, Taps } from "../../companion/static/taps.js";

const A_MOVE = /\/move$/; // as in outbox.js

/** @type {object[]} */
let said = [];

/** The phone's end of a WebSocket. */
class Wire {
  constructor(phone, number) {
    this.readyState = 0;
    this.phone = phone;
    this.number = number;
  }
  send(text) {
    said.push({ phone: this.phone, does: "send", wire: this.number, text });
  }
  close() {
    this.readyState = 3;
    said.push({ phone: this.phone, does: "close", wire: this.number });
  }
}

/** What a phone keeps when its page is loaded anew. */
class Storage {
  #kept = new Map();
  getItem = (name) => this.#kept.get(name) ?? null;
  setItem = (name, text) => this.#kept.set(name, text);
  removeItem = (name) => this.#kept.delete(name);
}

class Phone {
  #name;
  #storage = new Storage();
  #posts = new Map();

  constructor(name) {
    this.#name = name;
    this.loads();
  }

  /** A page is loaded, and knows nothing but what the storage has. */
  loads() {
    this.line?.close();
    this.line = null;
    this.#posts.clear();
    const taps = new Taps(
      this.#storage,
      "outbox",
      (tap) => this.#send(tap),
      () => {},
      (tap, answer) => this.taps === taps && this.#says("learn", { key: keyOf(tap), answer }),
    );
    this.taps = taps;
  }

  connects(number) {
    this.line?.close();
    this.wire = new Wire(this.#name, number);
    this.line = new Line(this.wire, {
      opened: () => this.taps.send(),
      heard: () => {},
      seen: (view, at) => this.#says("see", { view, number: at }),
      closed: (isGone) => this.#says("lose", { isGone, wire: number }),
    });
  }

  opens() {
    this.wire.readyState = OPEN;
  }

  hears(text) {
    this.wire.onmessage?.({ data: text });
  }

  breaks(code) {
    this.wire.readyState = 3;
    this.wire.onclose?.({ code });
  }

  taps_(tap) {
    this.#says("take", { isTaken: this.taps.add(tap), key: keyOf(tap) });
  }

  sends() {
    this.taps.send();
  }

  /** A post has come back, or has not. */
  learns(key, answer) {
    const post = this.#posts.get(key);
    this.#posts.delete(key);
    const { status } = answer ?? {};
    if (answer) post?.done({ ...answer, isToWait: status === 429 || status >= 500, isStumbled: status === 500 });
    else post?.failed(new Error("no network"));
  }

  /** What it shows, drawn as its page does. */
  async draws(module, template) {
    const draw = drawing(await import(module));
    this.#says("draw", { html: draw(template, this.line.view) });
  }

  get waiting() {
    return this.taps.waiting.length;
  }

  #send(tap) {
    if (this.line?.isOpen && A_MOVE.test(tap.url)) return this.line.post(tap);
    return new Promise((done, failed) => {
      this.#posts.set(keyOf(tap), { done, failed });
      this.#says("post", { url: tap.url, body: tap.body, key: keyOf(tap) });
    });
  }

  #says(does, about) {
    said.push({ phone: this.#name, does, ...about });
  }
}

/** @type {Map<string, Phone>} */
const phones = new Map();

const HAPPENS = {
  is: ({ phone }) => phones.set(phone, new Phone(phone)),
  goes: ({ phone }) => phones.delete(phone),
  loads: ({ phone }) => phones.get(phone).loads(),
  connects: ({ phone, wire }) => phones.get(phone).connects(wire),
  opens: ({ phone }) => phones.get(phone).opens(),
  hears: ({ phone, text }) => phones.get(phone).hears(text),
  breaks: ({ phone, code }) => phones.get(phone).breaks(code),
  taps: ({ phone, tap }) => phones.get(phone).taps_(tap),
  sends: ({ phone }) => phones.get(phone).sends(),
  learns: ({ phone, key, answer }) => phones.get(phone).learns(key, answer),
  draws: ({ phone, module, template }) => phones.get(phone).draws(module, template),
};

for await (const line of createInterface({ input: process.stdin })) {
  const event = JSON.parse(line);
  await HAPPENS[event.happens](event);
  await new Promise(setImmediate); // until all that was promised is done
  process.stdout.write(`${JSON.stringify([phones.get(event.phone)?.waiting ?? 0, said])}\n`);
  said = [];
}
