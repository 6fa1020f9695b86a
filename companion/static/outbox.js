// Taps go out from here: in order, each once, kept on the phone while there is no way to send them.

import { element, PART, take, whenShown } from "./live.js";
import { settled } from "./morph.js";

const AGAIN_MS = 3_000;

/** @typedef {{url: string, body: string}} Tap */

const code = document.body.dataset.code;
const place = `outbox-${code}`;
/** @type {() => Tap[]} */
const kept = () => JSON.parse(localStorage.getItem(place) ?? "[]");

let isSending = false;

/** @param {Tap[]} taps */
function keep(taps) {
  if (taps.length) localStorage.setItem(place, JSON.stringify(taps));
  else localStorage.removeItem(place);
  const line = element("outbox");
  line.hidden = taps.length === 0;
  line.textContent = (line.dataset.text ?? "").replace("{n}", String(taps.length));
}

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
  return { url: form.getAttribute("action") ?? "", body: body.toString() };
}

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
 * Show why a tap was not entered, though one that was sent after it was: its answer has no word of the first.
 * @param {Node | undefined} refusal
 */
function remind(refusal) {
  const place = document.querySelector(".hand");
  if (refusal && place && !document.getElementById("refusal")) place.prepend(refusal);
  document.getElementById("refusal")?.scrollIntoView({ block: "nearest" });
}

/** Send what waits, the oldest first, until one cannot be sent. */
async function send() {
  if (isSending) return;
  isSending = true;
  /** @type {Node | undefined} */
  let refusal;
  try {
    for (let taps = kept(); taps.length; taps = kept()) {
      const answer = await fetch(taps[0].url, {
        method: "POST",
        body: new URLSearchParams(taps[0].body),
        headers: { Accept: PART },
      });
      if (answer.status === 429 || answer.status >= 500) break;
      const number = Number(answer.headers.get("X-Number"));
      const rest = kept().slice(1);
      keep(answer.ok ? follow(rest, taps[0], number) : rest);
      if (answer.headers.get("Content-Type")?.startsWith(PART)) take(await answer.text(), number, true);
      else location.reload();
      if (answer.ok) continue;
      refusal = document.getElementById("refusal")?.cloneNode(true);
      remind(refusal);
    }
    remind(refusal);
  } catch {
    // No network: the taps stay, and go out when it is back.
  } finally {
    isSending = false;
    keep(kept());
  }
}

/**
 * Take over the forms of the live part.
 * @param {HTMLElement} root
 */
export function outbox(root) {
  root.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement && form.matches("form[data-live]"))) return;
    event.preventDefault();
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    const [waiting, made] = [kept(), tap(form, button)];
    // A finger that trembles says the same again while the first is on its way; who says something else means it.
    if (isSending && said(waiting.at(-1)) === said(made)) return;
    dispatchEvent(new CustomEvent("companion:tap", { detail: { form, button } }));
    keep([...waiting, made]);
    settled(form);
    send();
  });
  for (const sign of ["online", "companion:connected"]) addEventListener(sign, send);
  setInterval(() => {
    if (kept().length) send();
  }, AGAIN_MS);
  whenShown(() => keep(kept()));
  send();
}
