// What the page does beyond its forms; every page works without it.

import { follow } from "./follow.js";
import { rest } from "./keys.js";
import { element, live, part, patience, whenShown } from "./live.js";
import { memory } from "./memory.js";
import { touched } from "./morph.js";
import { outbox, shutsNotices } from "./outbox.js";
import { silence } from "./silence.js";
import { saidLast } from "./taps.js";

const { code, stream, beside, then } = document.body.dataset;

const GOES_ON_MS = 5_000;
const LOOK_MS = 3_000;
const AMENDED = "amended"; // on its way
const PAUSE_MS = 100; // between what is read aloud and the same again

/**
 * Find what is on the page now.
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
const all = (selector, root = /** @type {ParentNode} */ (part)) => [...root.querySelectorAll(selector)].filter(isHtml);

/** @type {(found: Element) => found is HTMLElement} */
const isHtml = (found) => found instanceof HTMLElement;

/** @param {string | null | undefined} name */
const place = (name) => `peek-${code}-${name}`;

/** @type {(name: string | undefined, value: string) => void} */
function remember(name, value) {
  if (name) memory.setItem(place(name), value);
}

/** Remember what was amended last, unless the page says why it was not entered. */
function amended() {
  const told = memory.getItem(place(AMENDED));
  if (told === null) return;
  memory.removeItem(place(AMENDED));
  const [name, value] = JSON.parse(told);
  if (then === undefined || !document.getElementById("refusal")) remember(name, value);
}

/** A sealed bid is known to the phone that made it, and to nobody else; it is seen while the finger rests on it. */
function peeks() {
  const look = () => {
    amended();
    for (const peek of all("[data-peek]")) peek.hidden = memory.getItem(place(peek.dataset.peek)) === null;
  };
  addEventListener("companion:entered", (event) => {
    const { detail: tap } = /** @type {CustomEvent<import("./taps.js").Tap>} */ (event);
    remember(tap.memory, saidLast(tap)[1]);
    look();
  });
  whenShown(look);
  /** @param {Event} event */
  const lift = (event) => {
    const peek = event.target instanceof Element && event.target.closest("[data-peek]");
    if (!peek || (event instanceof KeyboardEvent && event.key !== " " && event.key !== "Enter")) return;
    event.preventDefault();
    const value = memory.getItem(place(peek.getAttribute("data-peek") ?? ""));
    for (const line of peek.querySelectorAll("[data-peek-value]")) line.textContent = value ?? "?";
  };
  const cover = () => {
    for (const value of all("[data-peek-value]")) if (value.textContent !== "?") value.textContent = "?";
  };
  for (const sign of ["pointerdown", "keydown"]) part.addEventListener(sign, lift);
  for (const sign of ["pointerup", "pointercancel", "keyup", "blur", "visibilitychange", "contextmenu"])
    document.addEventListener(sign, cover, true);
}

/** Running totals under a tally. */
function sums() {
  const add = () => {
    for (const line of all("[data-sum]")) {
      const chosen = new FormData(line.closest("form") ?? undefined);
      const fields = [...chosen].filter(([name]) => name.startsWith(line.dataset.sum ?? ""));
      const sum = fields.reduce((total, [, value]) => total + Number(value), 0);
      line.textContent = (line.dataset.text ?? "").replace("{n}", String(sum));
      line.toggleAttribute("data-fits", sum === Number(line.dataset.of));
    }
  };
  part.addEventListener("input", add);
  whenShown(add);
}

/** Read aloud what happened last, and whose turn it has become. */
function said() {
  const place = element("said");
  /** @type {string[] | null} */
  let last = null;
  whenShown((isAnswer) => {
    const refused = all("#refusal h2, #refusal h2 + p").map((line) => line.textContent);
    // Else it would be read aloud twice.
    if (last !== null) for (const notice of all("#refusal")) notice.removeAttribute("role");
    const happened = refused.length ? refused.join(" ") : part.querySelector("#undo p")?.textContent;
    const turn = part.querySelector(".table-top h1:not(.from-out)")?.textContent;
    const lines = [happened, turn].map((line) => (line ?? "").trim());
    const isRefusedAgain = isAnswer && refused.length > 0 && lines[0] === last?.[0];
    const news = isRefusedAgain ? [lines[0]] : lines.filter((line, n) => last !== null && line !== last[n]);
    last = lines;
    if (news.length === 0) return;
    const say = () => {
      place.textContent = news.join(" ");
    };
    if (!isRefusedAgain) return say();
    place.textContent = ""; // what stands there already would not be read again
    setTimeout(() => place.textContent || say(), PAUSE_MS);
  });
}

/** Knock softly, and buzz, when it has become this phone's turn; the heading says the same. */
function knocks() {
  if (!("sounds" in document.documentElement.dataset)) return;
  /** @type {AudioContext | undefined} */
  let air;
  addEventListener(
    "pointerdown",
    () => {
      air ??= new AudioContext();
    },
    { once: true },
  );
  /** @type {(air: AudioContext, at: number) => void} */
  const knock = (air, at) => {
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
    const is = part.querySelector(".yours") !== null;
    if (is && !was) {
      navigator.vibrate?.(30);
      if (air) for (const after of [0, 0.16]) knock(air, air.currentTime + after);
    }
    was = is;
  });
}

/** Keep the screen awake where the browser lets us (HTTPS); where not, say so once. */
function awake() {
  if (!("wakeLock" in navigator)) {
    const drowsy = memory.getItem("asleep") === null;
    document.body.toggleAttribute("data-drowsy", drowsy);
    part.addEventListener("click", (event) => {
      if (!(event.target instanceof Element && event.target.closest("[data-told]"))) return;
      memory.setItem("asleep", "told");
      document.body.removeAttribute("data-drowsy");
    });
    return;
  }
  const ask = () => {
    if (!document.hidden) navigator.wakeLock.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", ask);
  document.addEventListener("pointerdown", ask, { once: true });
}

/** Pass the result on by the phone's own way, or copy it: over plain http there is neither way nor clipboard. */
function shares() {
  const text = /** @type {HTMLTextAreaElement | null} */ (document.querySelector("[data-share]"));
  const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-share-button]"));
  if (!(text && button)) return;
  const { pass = "", copy = "", done = "" } = button.dataset;
  const may = typeof navigator.share === "function";
  button.textContent = may ? pass : copy;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const isShared = may && (await passed({ text: text.value }));
    if (!isShared && (await copied(text))) button.textContent = done;
  });
}

/** Pass the picture of a result on by the phone's own way, where it takes files; elsewhere it is kept as a file. */
function sharesPicture() {
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("[data-share-picture]"));
  const may = navigator.canShare?.({ files: [new File([], "result.png", { type: "image/png" })] });
  if (!(link && may)) return;
  const { sharePicture = "" } = link.dataset;
  link.textContent = sharePicture;
  link.addEventListener("click", (event) => {
    event.preventDefault();
    painted(link.href)
      .then(passed)
      .catch(() => location.assign(link.href));
  });
}

/**
 * Fetch a picture, to be passed on as a file.
 * @param {string} address
 */
async function painted(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.statusText);
  return { files: [new File([await answer.blob()], "result.png", { type: "image/png" })] };
}

/**
 * Hand something to the phone; whoever thinks better of it has been served, too.
 * @param {ShareData} data
 */
function passed(data) {
  return navigator.share(data).then(
    () => true,
    (error) => error.name === "AbortError",
  );
}

/**
 * Copy a text; where even that is barred, it is chosen, for the hand to copy.
 * @param {HTMLTextAreaElement} field
 */
async function copied(field) {
  if (
    await navigator.clipboard?.writeText(field.value).then(
      () => true,
      () => false,
    )
  )
    return true;
  field.focus();
  field.select();
  return document.execCommand("copy");
}

/** The screen goes along to the next table, when everybody has seen the end; a phone goes when it is tapped. */
function goesOn() {
  const next = () => part.querySelector("[data-next]")?.getAttribute("data-next");
  let goes = Boolean(next()); // who opens an old end stays there
  whenShown(() => {
    const address = next();
    if (!address || goes) return;
    goes = true;
    setTimeout(() => location.replace(address), GOES_ON_MS);
  });
}

/**
 * Whether all options on which another one depends are as it needs them.
 * @type {(said: FormData, needs?: string) => boolean}
 */
function areAs(said, needs = "") {
  const pairs = needs.split(" ").map((pair) => pair.split("="));
  return (
    !needs || pairs.every(([name]) => pairs.some(([one, value]) => one === name && (said.get(name) ?? "") === value))
  );
}

/** What a fold names beside its title follows what is chosen in it; an option is there where it means anything. */
function follows() {
  for (const part of all("[data-follows], [data-needs]", document)) {
    const form = part.closest("form") ?? undefined;
    const { follows: name, value, needs } = part.dataset;
    const look = () => {
      const said = new FormData(form);
      const chosen = String(said.get(name ?? "") ?? "");
      if (name && value === undefined) part.textContent = chosen.trim();
      const isChosen = !name || (value === undefined ? chosen.trim() !== "" : chosen === value);
      part.hidden = !(isChosen && areAs(said, needs));
    };
    form?.addEventListener("input", look);
    look();
  }
  document.documentElement.toggleAttribute("data-script", true);
}

/** The menu lies over the keys: who leaves it, or says so by Escape, has them back. */
function shutsMenu() {
  const menu = /** @type {HTMLDetailsElement | null} */ (document.querySelector("details.menu"));
  if (!menu) return;
  document.addEventListener("focusin", ({ target }) => {
    if (!menu.contains(/** @type {Node} */ (target))) menu.open = false;
  });
  menu.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
}

/** A name that is known goes to the next seat that has none; tapped again, it leaves. */
function namesSeats() {
  const names = /** @type {HTMLElement | null} */ (document.querySelector(".known"));
  if (!names) return;
  const fields = () =>
    /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll(".seats-form input[name=name]")]);
  const look = () => {
    const taken = new Set(fields().map(({ value }) => value.trim()));
    for (const name of all("[data-name]", names))
      name.setAttribute("aria-pressed", String(taken.has(name.dataset.name ?? "")));
  };
  names.hidden = false;
  names.addEventListener("click", (event) => {
    const chip = event.target instanceof Element && event.target.closest("[data-name]");
    const name = chip ? chip.getAttribute("data-name") : null;
    if (!name) return;
    const there = fields().find(({ value }) => value.trim() === name);
    const place = there ?? fields().find(({ value }) => !value.trim());
    if (place) place.value = there ? "" : name;
    look();
  });
  names.closest("form")?.addEventListener("input", look);
  look();
}

/** The page that stands in for one out of reach gives way to it when it can be had: nobody need tap. */
function givesWay() {
  const look = async () => {
    if (document.hidden) return;
    const answer = await fetch(location.href, { cache: "no-store", signal: patience() }).catch(() => null);
    if (answer && answer.status < 500) location.reload();
  };
  addEventListener("online", look);
  document.addEventListener("visibilitychange", look);
  setInterval(look, LOOK_MS);
}

follows();
shutsMenu();
namesSeats();
shares();
sharesPicture();
if ("away" in document.body.dataset) givesWay();
if (isSecureContext && "serviceWorker" in navigator)
  navigator.serviceWorker.register("/service-worker.js").catch(() => {});
if (stream) {
  part.addEventListener("input", (event) => touched(/** @type {HTMLInputElement} */ (event.target)));
  peeks();
  sums();
  said();
  knocks();
  awake();
  outbox(part);
  goesOn();
  silence();
  live();
}
if (then !== undefined) {
  sums();
  part.addEventListener("submit", (event) => {
    const { target, submitter } = event;
    if (target instanceof HTMLFormElement && submitter instanceof HTMLButtonElement && target.dataset.remember)
      remember(AMENDED, JSON.stringify([target.dataset.remember, submitter.value]));
  });
  amended();
  shutsNotices(part);
  rest(part);
}
if (beside) follow(beside);
