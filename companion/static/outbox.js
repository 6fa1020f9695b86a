// Taps go out from here: in order, each once, kept on the phone while there is no way to send them.

import { PART, take, whenShown } from "./live.js";
import { settled } from "./morph.js";

const AGAIN_MS = 3_000;

const code = document.body.dataset.code;
const place = `outbox-${code}`;
const kept = () => JSON.parse(localStorage.getItem(place) ?? "[]");

let isSending = false;

function keep(taps) {
  if (taps.length) localStorage.setItem(place, JSON.stringify(taps));
  else localStorage.removeItem(place);
  const line = document.getElementById("outbox");
  line.hidden = taps.length === 0;
  line.textContent = line.dataset.text.replace("{n}", taps.length);
}

/** A key that makes a tap count once, however often it is sent. Plain http has no randomUUID. */
function freshKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function tap(form, button) {
  const body = new URLSearchParams(new FormData(form));
  if (button?.name) body.append(button.name, button.value);
  body.set("key", freshKey());
  return { url: form.getAttribute("action"), body: body.toString() };
}

/** Tell the taps that were made upon this one that it has become an entry: they do not find the table changed. */
function follow(taps, done, number) {
  const after = new URLSearchParams(done.body).get("after");
  if (Number(after) + 1 !== number) return taps;
  return taps.map((next) => {
    const body = new URLSearchParams(next.body);
    if (body.get("after") === after) body.set("after", number);
    return { ...next, body: body.toString() };
  });
}

/** Show why a tap was not entered, though one that was sent after it was: its answer has no word of the first. */
function remind(refusal) {
  const place = document.querySelector(".hand");
  if (refusal && place && !document.getElementById("refusal")) place.prepend(refusal);
  document.getElementById("refusal")?.scrollIntoView({ block: "nearest" });
}

/** Send what waits, the oldest first, until one cannot be sent. */
async function send() {
  if (isSending) return;
  isSending = true;
  let refusal = null;
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

/** Take over the forms of the live part. */
export function outbox(root) {
  root.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("form[data-live]")) return;
    event.preventDefault();
    if (form.dataset.sent === form.elements.after?.value) return;
    form.dataset.sent = form.elements.after?.value;
    dispatchEvent(new CustomEvent("companion:tap", { detail: { form, button: event.submitter } }));
    keep([...kept(), tap(form, event.submitter)]);
    settled(form);
    send().finally(() => delete form.dataset.sent);
  });
  for (const sign of ["online", "companion:connected"]) addEventListener(sign, send);
  setInterval(() => { if (kept().length) send(); }, AGAIN_MS);
  whenShown(() => keep(kept()));
  send();
}
