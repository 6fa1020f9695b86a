// One line to a table: what is tapped goes up, what the seat sees comes down as data. Knows no page.

import { patched } from "./patch.js";
import { keyOf } from "./taps.js";

/**
 * @typedef {import("./patch.js").Plain} Plain
 * @typedef {import("./taps.js").Tap} Tap
 * @typedef {import("./taps.js").Answer & {refusal: Plain, isLost: boolean}} Answer
 *   Of a tap; with why the rules say no, or null; or that nobody here can say what became of it.
 * @typedef {{
 *   onmessage: ((event: any) => any) | null, onclose: ((event: any) => any) | null,
 *   readyState: number, send: (text: string) => void, close: () => void,
 * }} Wire A WebSocket, as far as it is used here.
 * @typedef {{
 *   opened: () => void, heard: () => void, seen: (view: Plain, number: number) => void,
 *   closed: (isGone: boolean) => void,
 * }} Listener Told that the line is open and has said what the seat sees, that it is alive, of each new view,
 *   and that it is closed, perhaps for good.
 */

export const OPEN = 1;
const GONE = 4001; // the seat is another's
const STUMBLED = 1011; // over what was asked, or over what there is to tell

/** A line that is open, or about to be; one that was closed is not used again. */
export class Line {
  #wire;
  #listener;
  /** @type {Map<string, {done: (answer: Answer) => void, failed: (why: Error) => void}>} */
  #asked = new Map();
  /** @type {Plain} */
  #all = null; // what all see
  /** @type {{[path: string]: Plain}} */
  #own = {}; // what this seat sees otherwise
  /** @type {Plain} */
  #view = null;
  #number = -1;

  /**
   * @param {Wire} wire
   * @param {Listener} listener
   */
  constructor(wire, listener) {
    this.#wire = wire;
    this.#listener = listener;
    wire.onmessage = ({ data }) => this.#hear(JSON.parse(data));
    wire.onclose = ({ code }) => this.#end(code);
  }

  /** Whether it has said what the seat sees, and can be spoken to: a refusal is shown upon that. */
  get isOpen() {
    return this.#wire.readyState === OPEN && this.#number >= 0;
  }

  get isShut() {
    return this.#wire.readyState > OPEN;
  }

  /** What the seat sees now; null before the first word. */
  get view() {
    return this.#view;
  }

  /** The number of that. */
  get number() {
    return this.#number;
  }

  /**
   * Send a tap; fails when the line breaks before there is an answer.
   * @param {Tap} tap
   * @returns {Promise<Answer>}
   */
  post(tap) {
    const key = keyOf(tap);
    return new Promise((done, failed) => {
      if (!this.isOpen) return failed(new Error("no line"));
      this.#asked.set(key, { done, failed });
      this.#wire.send(JSON.stringify({ key, form: tap.body }));
    });
  }

  /** Let it go, and hear no more of it. */
  close() {
    this.#wire.onclose = this.#wire.onmessage = null;
    this.#wire.close();
    this.#fail();
  }

  /** @param {any} said */
  #hear(said) {
    this.#listener.heard();
    if ("key" in said) this.#answered(said);
    if (!("all" in said)) return;
    this.#all = { .../** @type {object} */ (patched(this.#all, said.all)), number: said.number };
    this.#own = { ...this.#own, ...said.own };
    for (const path of said.gone ?? []) delete this.#own[path];
    this.#view = patched(this.#all, this.#own);
    const isFirst = this.#number < 0;
    this.#number = said.number;
    this.#listener.seen(this.#view, this.#number);
    if (isFirst) this.#listener.opened();
  }

  /** @param {any} said */
  #answered({ key, number = this.#number, refusal = null, isToWait = false, isStumbled = false, isLost = false }) {
    const isEntered = !(refusal || isToWait || isLost);
    this.#asked.get(key)?.done({ isEntered, isToWait, isStumbled, number, refusal, isLost });
    this.#asked.delete(key);
  }

  /** @param {number} code */
  #end(code) {
    for (const key of code === STUMBLED ? this.#asked.keys() : [])
      this.#answered({ key, isToWait: true, isStumbled: true });
    this.#fail();
    this.#listener.closed(code === GONE);
  }

  #fail() {
    for (const { failed } of this.#asked.values()) failed(new Error("the line broke"));
    this.#asked.clear();
  }
}
