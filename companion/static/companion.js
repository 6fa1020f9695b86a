// What the page does beyond its forms; every page works without it.

import { live, whenShown } from "./live.js";
import { touched } from "./morph.js";
import { outbox } from "./outbox.js";

const root = document.getElementById("part");
const { code, stream } = document.body.dataset;

/** A sealed bid is known to the phone that made it, and to nobody else; it is seen while the finger rests on it. */
function peeks() {
  const place = (name) => `peek-${code}-${name}`;
  addEventListener("companion:tap", ({ detail: { form, button } }) => {
    if (form.dataset.remember) localStorage.setItem(place(form.dataset.remember), button?.value ?? "");
  });
  whenShown(() => {
    for (const peek of root.querySelectorAll("[data-peek]"))
      peek.hidden = localStorage.getItem(place(peek.dataset.peek)) === null;
  });
  const lift = (event) => {
    const peek = event.target.closest?.("[data-peek]");
    if (!peek || (event.type === "keydown" && event.key !== " " && event.key !== "Enter")) return;
    event.preventDefault();
    peek.querySelector("[data-peek-value]").textContent = localStorage.getItem(place(peek.dataset.peek)) ?? "?";
  };
  const cover = () => {
    for (const value of root.querySelectorAll("[data-peek-value]")) if (value.textContent !== "?") value.textContent = "?";
  };
  for (const sign of ["pointerdown", "keydown"]) root.addEventListener(sign, lift);
  for (const sign of ["pointerup", "pointercancel", "keyup", "blur", "visibilitychange", "contextmenu"])
    document.addEventListener(sign, cover, true);
}

/** Running totals under a tally. */
function sums() {
  const add = () => {
    for (const line of root.querySelectorAll("[data-sum]")) {
      const fields = line.closest("form").querySelectorAll(`input[name^="${line.dataset.sum}"]:checked`);
      const sum = [...fields].reduce((total, field) => total + Number(field.value), 0);
      line.textContent = line.dataset.text.replace("{n}", sum);
      line.toggleAttribute("data-fits", sum === Number(line.dataset.of));
    }
  };
  root.addEventListener("input", add);
  whenShown(add);
}

/** Read aloud what happened last. */
function said() {
  const place = document.getElementById("said");
  let last = null;
  whenShown(() => {
    const refused = [...root.querySelectorAll("#refusal h2, #refusal h2 + p")].map((line) => line.textContent);
    const text = refused.length ? refused.join(" ") : root.querySelector("#undo p")?.textContent ?? "";
    if (last !== null && text !== last) place.textContent = text;
    last = text;
  });
}

/** Knock softly, and buzz, when it has become this phone's turn; the heading says the same. */
function knocks() {
  if (!("sounds" in document.documentElement.dataset)) return;
  let air = null;
  addEventListener("pointerdown", () => { air ??= new AudioContext(); }, { once: true });
  const knock = (at) => {
    const [tone, volume] = [air.createOscillator(), air.createGain()];
    tone.frequency.setValueAtTime(190, at);
    tone.frequency.exponentialRampToValueAtTime(90, at + 0.08);
    volume.gain.setValueAtTime(0.25, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.12);
    tone.connect(volume).connect(air.destination);
    tone.start(at);
    tone.stop(at + 0.13);
  };
  let was = true;
  whenShown(() => {
    const is = root.querySelector(".yours") !== null;
    if (is && !was) {
      navigator.vibrate?.(30);
      if (air) [0, 0.16].forEach((after) => knock(air.currentTime + after));
    }
    was = is;
  });
}

/** Keep the screen awake where the browser lets us (HTTPS); where not, say so once. */
function awake() {
  if (!("wakeLock" in navigator)) {
    const note = document.getElementById("asleep");
    note.hidden = localStorage.getItem("asleep") !== null;
    note.querySelector("button").addEventListener("click", () => {
      localStorage.setItem("asleep", "told");
      note.hidden = true;
    });
    return;
  }
  const ask = () => { if (!document.hidden) navigator.wakeLock.request("screen").catch(() => {}); };
  document.addEventListener("visibilitychange", ask);
  document.addEventListener("pointerdown", ask, { once: true });
}

/** Pass the result on by the phone's own way, or copy it: over plain http there is neither way nor clipboard. */
function shares() {
  const text = document.querySelector("[data-share]");
  const button = document.querySelector("[data-share-button]");
  if (!text) return;
  button.textContent = navigator.share ? button.dataset.pass : button.dataset.copy;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const isShared = navigator.share && (await passed(text.value));
    if (!isShared && (await copied(text))) button.textContent = button.dataset.done;
  });
}

/** Hand a text to the phone; whoever thinks better of it has been served, too. */
function passed(text) {
  return navigator.share({ text }).then(() => true, (error) => error.name === "AbortError");
}

/** Copy a text; where even that is barred, it is chosen, for the hand to copy. */
async function copied(field) {
  if (await navigator.clipboard?.writeText(field.value).then(() => true, () => false)) return true;
  field.focus();
  field.select();
  return document.execCommand("copy");
}

/** What a fold names beside its title follows what is chosen in it. */
function follows() {
  for (const tag of document.querySelectorAll("[data-follows]")) {
    const form = tag.closest("form");
    const { follows: name, value } = tag.dataset;
    const look = () => {
      const chosen = new FormData(form).get(name) ?? "";
      if (value === undefined) tag.textContent = chosen.trim();
      tag.hidden = value === undefined ? !chosen.trim() : chosen !== value;
    };
    form.addEventListener("input", look);
    look();
  }
  document.documentElement.toggleAttribute("data-script", true);
}

follows();
shares();
if (isSecureContext && "serviceWorker" in navigator) navigator.serviceWorker.register("/service-worker.js").catch(() => {});
if (stream) {
  root.addEventListener("input", (event) => touched(event.target));
  peeks();
  sums();
  said();
  knocks();
  awake();
  outbox(root);
  live();
}
