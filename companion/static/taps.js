// Taps on their way: in order, each once, kept on the phone while there is no way to send them. Knows no page.

/**
 * @typedef {{url: string, body: string, memory?: string, name?: string, stumbles?: number}} Tap
 *   A form as it is sent; its field `key` makes it count once. What it says last may go into a memory of the phone.
 *   The name is what people call it. And how often in a row the companion has stumbled over it.
 * @typedef {{isEntered: boolean, isToWait: boolean, isStumbled?: boolean, number: number}} Answer
 *   Whether it is an entry now, or is to be sent again later, and then whether the companion has stumbled over it; and
 *   how far the table has come.
 * @typedef {{url: string, own: [string, string | null][], names: Set<string>}} Form
 *   What it says whatever is chosen in it (null: a value of somebody's choice), and the names of all that it can say.
 */

const OF_ITS_TIME = new Set(["after", "key"]);
const MOST_STUMBLES = 3; // in a row; then somebody is to say what becomes of the tap

/**
 * What a tap is known by, however often it is sent.
 * @param {Tap} tap
 */
export const keyOf = ({ body }) => new URLSearchParams(body).get("key") ?? "";

/** @type {(one: Tap, other: Tap) => boolean} */
const isSame = (one, other) => keyOf(one) === keyOf(other);

/**
 * What a tap says, whichever key it bears.
 * @param {Tap | undefined} tap
 */
function said(tap) {
  const body = new URLSearchParams(tap?.body);
  body.delete("key");
  return `${tap?.url} ${body}`;
}

/**
 * Whether a tap comes from a form: it says what the form says, whatever had been seen, and nothing that it cannot say.
 * @param {Tap} tap
 * @param {Form} form
 */
export function isFrom({ url, body }, form) {
  const pairs = [...new URLSearchParams(body)];
  /** @type {(own: [string, string | null]) => boolean} */
  const says = ([name, value]) =>
    OF_ITS_TIME.has(name) || pairs.some((pair) => pair[0] === name && (value === null || pair[1] === value));
  return url === form.url && form.own.every(says) && pairs.every(([name]) => form.names.has(name));
}

/**
 * What a tap says last: its button, if that has a name.
 * @param {Tap} tap
 */
export function saidLast({ body }) {
  return [...new URLSearchParams(body)].at(-1) ?? ["", ""];
}

/**
 * Tell the taps that were made upon this one that it has become an entry: they do not find the table changed.
 * @type {(taps: Tap[], done: Tap, number: number) => Tap[]}
 */
function follow(taps, done, number) {
  const after = new URLSearchParams(done.body).get("after");
  if (Number(after) + 1 !== number) return taps;
  return taps.map((next) => {
    const body = new URLSearchParams(next.body);
    if (body.get("after") === after) body.set("after", String(number));
    return { ...next, body: body.toString() };
  });
}

/**
 * Count how often in a row the companion has stumbled over a tap. Who is out of reach stumbles over nothing.
 * @type {(tap: Tap, answer: Answer) => Tap}
 */
const counted = (tap, { isStumbled }) => ({ ...tap, stumbles: isStumbled ? (tap.stumbles ?? 0) + 1 : 0 });

/**
 * The taps of one table.
 * @template {Answer} A
 */
export class Taps {
  #isSending = false;

  /**
   * @param {Pick<Storage, "getItem" | "setItem" | "removeItem">} storage where they outlive the page
   * @param {string} place their name there
   * @param {(tap: Tap) => Promise<A>} post sends one; fails where there is no way
   * @param {(count: number) => void} changed told how many wait
   * @param {(tap: Tap, answer: A) => void} answered told what became of one
   */
  constructor(storage, place, post, changed, answered) {
    this.storage = storage;
    this.place = place;
    this.post = post;
    this.changed = changed;
    this.answered = answered;
  }

  /** @returns {Tap[]} */
  get waiting() {
    return JSON.parse(this.storage.getItem(this.place) ?? "[]");
  }

  /** The tap that holds up all the others because the companion stumbles over it each time; undefined for none. */
  get stuck() {
    return this.waiting.slice(0, 1).find(({ stumbles = 0 }) => stumbles >= MOST_STUMBLES);
  }

  /**
   * Take a tap, and send what waits. What says the same as the tap before it, which is on its way or waits for a
   * network, is not taken: it is marked on the page already. Who says something else means it.
   * @param {Tap} tap
   */
  add(tap) {
    const waiting = this.waiting;
    if (said(waiting.at(-1)) === said(tap)) return false;
    this.#keep([...waiting, tap]);
    this.send();
    return true;
  }

  /** Send what waits, the oldest first, until one cannot be sent. */
  async send() {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (let [tap] = this.waiting; tap; [tap] = this.waiting) {
        const answer = await this.post(tap);
        // Another tab of the table may have sent it meanwhile, and others after it.
        if (answer.isToWait) {
          this.#keep(this.waiting.map((one) => (isSame(one, tap) ? counted(one, answer) : one)));
          if (this.waiting.some((one) => isSame(one, tap))) break;
          continue;
        }
        const rest = this.#without(tap);
        this.#keep(answer.isEntered ? follow(rest, tap, answer.number) : rest);
        this.answered(tap, answer);
      }
    } catch {
      // No network: the taps stay, and go out when it is back.
    } finally {
      this.#isSending = false;
      this.changed(this.waiting.length);
    }
  }

  /**
   * Let a tap go, and send those after it.
   * @param {Tap} tap
   */
  drop(tap) {
    this.#keep(this.#without(tap));
    this.send();
  }

  /** @param {Tap} tap */
  #without(tap) {
    return this.waiting.filter((one) => !isSame(one, tap));
  }

  /** @param {Tap[]} taps */
  #keep(taps) {
    if (taps.length) this.storage.setItem(this.place, JSON.stringify(taps));
    else this.storage.removeItem(this.place);
    this.changed(taps.length);
  }
}
