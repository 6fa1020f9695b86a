// The forms of a page become taps; what became of them the page shows.

import { hold, soon } from "./frame.js";
import { changed, entered as sleep, watch } from "./keys.js";
import { ask, element, line, look, PART, part, patience, take, tellShown, whenShown } from "./live.js";
import { memory } from "./memory.js";
import { settled } from "./morph.js";
import { canSay, press } from "./pressed.js";
import { keyOf, Taps } from "./taps.js";

const AGAIN_MS = 3_000;
const UNSAID_MS = 600; // what is entered at once is not worth a word
const MOST_STEPS = 2; // after more entries than these the same keys may ask for something else

/** @typedef {import("./taps.js").Tap} Tap */
/** @typedef {import("./taps.js").Answer & {show: () => void}} Answer With what shows it on the page. */

const A_MOVE = /\/move$/;

/** A key that makes a tap count once, however often it is sent. Plain http has no randomUUID. */
function freshKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @type {(form: HTMLFormElement, button: HTMLButtonElement | null) => Tap} */
function tap(form, button) {
  const fields = /** @type {[string, string][]} */ ([...new FormData(form)]); // our forms send no files
  const body = new URLSearchParams(fields);
  if (button?.name) body.append(button.name, button.value);
  body.set("key", freshKey());
  const url = button?.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
  return { url, body: body.toString(), memory: form.dataset.remember, name: called(form, button) };
}

/**
 * What a tap is called: what was asked, and the key that answers it. A secret is not said.
 * @type {(form: HTMLFormElement, button: HTMLButtonElement | null) => string}
 */
function called(form, button) {
  const asks =
    button?.closest("fieldset")?.querySelector("legend") ??
    form.querySelector("h2") ??
    form.closest("details, section")?.querySelector("summary, h2");
  const said = [asks, form.dataset.remember ? null : button].map(aloud).join(" ");
  return said.replace(/\s+/g, " ").trim();
}

/**
 * What is read aloud of something.
 * @type {(node: Node | null | undefined) => string}
 */
function aloud(node) {
  if (!(node instanceof Element)) return node?.nodeValue ?? "";
  if (node.matches("svg, [aria-hidden=true]") || node.checkVisibility?.() === false) return "";
  return node.getAttribute("aria-label") ?? [...node.childNodes].map(aloud).join(" ");
}

/**
 * Ask why a key is struck out: its move is only tried, so it is no tap that waits for a network.
 * @type {(form: HTMLFormElement, button: HTMLButtonElement) => Promise<void>}
 */
async function askWhy(form, button) {
  try {
    const answer = await byPost(tap(form, button));
    soon(() => {
      answer.show();
      document.getElementById("refusal")?.scrollIntoView({ block: "nearest" });
    });
  } catch {
    // No network, and nobody to ask.
  }
}

/**
 * Send a tap by the line, if there is one, or by a post.
 * @type {(tap: Tap) => Promise<Answer>}
 */
function send(tap) {
  const open = line();
  return open && A_MOVE.test(tap.url) ? byLine(open, tap) : byPost(tap);
}

/**
 * Send a tap by the line; why it is refused is drawn here, into the view that the line has brought.
 * @type {(open: import("./line.js").Line, tap: Tap) => Promise<Answer>}
 */
async function byLine(open, tap) {
  const answer = await open.post(tap);
  const { refusal, isLost } = answer;
  // It may be told before the view that it speaks of: what the page shows has its own number.
  const show = () => {
    if (isLost) location.reload();
    else if (refusal) look({ .../** @type {object} */ (open.view), refusal }, open.number, true);
  };
  return { ...answer, show };
}

/**
 * Where a tap goes that may have been made on the page of another seat: what became of it is told on this one.
 * @param {string} url
 */
function here(url) {
  const { part = "", seat = "" } = document.body.dataset;
  return A_MOVE.test(url) ? `${part}/move` : url.replace(/\bseat=\d+/, `seat=${seat}`);
}

/**
 * Post a tap. Where this page is not this phone's any more it waits until the phone has one again, and is told then.
 * @type {(tap: Tap) => Promise<Answer>}
 */
async function byPost({ url, body }) {
  const answer = await fetch(here(url), {
    method: "POST",
    body: new URLSearchParams(body),
    headers: { Accept: PART },
    signal: patience(),
  });
  const isPart = answer.headers.get("Content-Type")?.startsWith(PART);
  const isOurs = answer.headers.has("X-Number"); // a network that wants to be logged in to says yes to anything
  const number = Number(answer.headers.get("X-Number"));
  const part = isPart ? await answer.text() : null;
  // Whether the page itself is another's by now; then it leaves.
  const isAway = answer.status === 403 && part === null && (await ask());
  return {
    isEntered: answer.ok && isOurs,
    isToWait: isAway || answer.status === 429 || answer.status >= 500 || (answer.ok && !isOurs),
    isStumbled: answer.status === 500,
    number,
    show: () => (part === null ? location.reload() : take(part, number, true)),
  };
}

/** Where the page says first what there is to say. */
const top = () => part.querySelector(".table-top") ?? part;

/** @type {{tap: Tap, number: number}[]} */
let entered = []; // and not yet shown
/** @type {Node | undefined} */
let refusal; // the last among the taps that waited together
let upto = 0; // the number that their answers have told
/** @type {Map<string, {form: HTMLFormElement, choose: () => void}>} */
const chosen = new Map(); // where a tap was made, by its key, and what makes its choices again

/**
 * Show why a tap was not entered, though one that was sent after it was: its view has no word of the first.
 * @param {number} waiting so many are still on their way
 */
function remind(waiting) {
  if (waiting === 0 && Number(part.dataset.number) > upto) refusal = undefined;
  if (refusal && !document.getElementById("refusal")) top().prepend(refusal);
}

/**
 * Leave what was set with care as it was when its tap is refused, where it still can be said.
 * @type {(tap: Tap, number: number) => void}
 */
function chooseAgain(tap, number) {
  const made = chosen.get(keyOf(tap));
  const after = Number(new URLSearchParams(tap.body).get("after"));
  if (!made || number - after > MOST_STEPS || !made.form.isConnected || !canSay(made.form, tap)) return;
  made.choose();
  tellShown();
}

/** @type {(tap: Tap, answer: Answer) => void} */
function answered(tap, { isEntered, number, show }) {
  upto = Math.max(upto, number);
  if (isEntered) {
    entered.push({ tap, number });
    dispatchEvent(new CustomEvent("companion:entered", { detail: tap }));
  }
  show();
  if (!isEntered) {
    chooseAgain(tap, number);
    refusal = document.getElementById("refusal")?.cloneNode(true);
  }
  chosen.delete(keyOf(tap));
  remind(1);
  document.getElementById("refusal")?.scrollIntoView({ block: "nearest" });
}

const GIVES_WAY = ".table-top > :is(.notice-look:not(.halted), #refusal)";

/**
 * What lies over the table gives way to a tap; where it is cut, it is shown whole first.
 * @param {HTMLElement} root
 */
export function shutsNotices(root) {
  root.addEventListener("click", ({ target }) => {
    const notice = target instanceof Element && !target.closest("a, summary") && target.closest(GIVES_WAY);
    if (!(notice instanceof HTMLElement)) return;
    if (!notice.classList.replace("is-cut", "is-whole")) notice.hidden = true;
    else notice.scrollIntoView({ block: "nearest" });
  });
  whenShown(() => {
    for (const notice of root.querySelectorAll(GIVES_WAY))
      notice.classList.toggle("is-cut", notice.scrollHeight > notice.clientHeight + 1);
  });
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let unsaid;

/**
 * Say how many taps wait, once the first of them has for a moment.
 * @param {number} count
 */
function tell(count) {
  const notice = element("outbox");
  notice.textContent = (notice.dataset.text ?? "").replace("{n}", String(count));
  if (count > 0) {
    unsaid ??= setTimeout(() => notice.removeAttribute("hidden"), UNSAID_MS);
    return;
  }
  clearTimeout(unsaid);
  unsaid = undefined;
  notice.hidden = true;
}

/**
 * Say over the table that the companion stumbles over a tap each time, and that it holds up those after it.
 * @type {(notice: Element, tap: Tap | undefined) => void}
 */
function tellStuck(notice, tap) {
  const name = notice.querySelector("b");
  if (!(tap && name)) return notice.remove();
  const isNews = !notice.isConnected && name.textContent !== tap.name;
  name.textContent = tap.name ?? "";
  if (isNews) element("said").textContent = notice.querySelector("p")?.textContent ?? "";
  if (!notice.isConnected) top().prepend(notice);
}

/**
 * Say of a tap that it is not sent any more, as of one that is refused.
 * @type {(notice: Element, tap: Tap) => void}
 */
function tellUnsent(notice, tap) {
  chooseAgain(tap, Number(part.dataset.number));
  chosen.delete(keyOf(tap));
  document.getElementById("refusal")?.remove();
  refusal = /** @type {Element} */ (notice.cloneNode(true));
  /** @type {Element} */ (refusal).id = "refusal";
  remind(1);
  tellShown(true);
}

/**
 * Let somebody say what becomes of a tap over which the companion stumbles each time. Gives what looks whether there is
 * one.
 * @param {Taps<Answer>} taps
 */
function stumbles(taps) {
  const words = /** @type {HTMLTemplateElement | null} */ (document.getElementById("stumbles"));
  const [stuck, unsent] = words?.content.children ?? [];
  if (!(stuck && unsent)) return () => {};
  stuck.querySelector("button")?.addEventListener("click", () => {
    const tap = taps.stuck;
    if (!tap) return;
    taps.drop(tap);
    tellUnsent(unsent, tap);
  });
  return () => tellStuck(stuck, taps.stuck);
}

/**
 * Take over the forms of the live part.
 * @param {HTMLElement} root
 */
export function outbox(root) {
  const place = `outbox-${document.body.dataset.code}`;
  const taps = new Taps(
    memory,
    place,
    send,
    () => count(),
    (tap, answer) =>
      soon(() => {
        answered(tap, answer);
        mark();
      }),
  );
  const look = stumbles(taps);
  const count = () => {
    tell(taps.waiting.length);
    look();
  };
  const mark = () => {
    entered = entered.filter(({ number }) => number > Number(part.dataset.number));
    press(root, [...entered.map(({ tap }) => tap), ...taps.waiting]);
  };
  root.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement && form.matches("form[data-live]"))) return;
    event.preventDefault();
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    if (button?.hasAttribute("formaction")) {
      askWhy(form, button);
      return;
    }
    if (taps.waiting.length === 0) refusal = undefined;
    const made = tap(form, button);
    if (!taps.add(made)) return;
    sleep(form);
    mark();
    hold();
    chosen.set(keyOf(made), { form, choose: settled(form) });
  });
  watch(root);
  shutsNotices(root);
  whenShown(() => {
    changed(root);
    remind(taps.waiting.length);
    count();
    mark();
  });
  if (!document.body.dataset.seat) return; // what waits is a seat's, whose page stands in another tab
  for (const sign of ["online", "companion:connected"]) addEventListener(sign, () => taps.send());
  setInterval(() => {
    if (taps.waiting.length) taps.send();
  }, AGAIN_MS);
  taps.send();
}
