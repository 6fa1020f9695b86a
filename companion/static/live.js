// One event stream keeps the page right; when it cannot be had, the page asks by itself.

import { show } from "./morph.js";

export const PART = "text/vnd.companion.part+html";

const SILENCE_MS = 35_000; // the server says something every 15 s
const PATIENCE_MS = 3_000; // so long a break is not worth a word
const AGAIN_MS = 1_500;

// Those pages that live have all of these.
export const part = /** @type {HTMLElement} */ (document.getElementById("part"));
/** @type {(() => void)[]} */
const shown = []; // called after each new part

/** @type {EventSource | null} */
let stream = null;
let heard = Date.now(); // when the page was known to be right
let tried = heard; // when the stream was opened
let isAlive = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let again;
let isAway = false; // whether the server answers, but cannot look at its tables

/**
 * Find an element that every page with a live part has.
 * @param {string} id
 */
export function element(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * Call a function now, and after each new part.
 * @param {() => void} callback
 */
export function whenShown(callback) {
  shown.push(callback);
  callback();
}

/**
 * Show a part that is newer than the one on the page. An answer may be as new: a refusal, which stays until the next.
 * @param {string} html
 * @param {number} number
 */
export function take(html, number, isAnswer = false) {
  heard = Date.now();
  const shownNumber = Number(part.dataset.number);
  if (number < shownNumber || (number === shownNumber && !isAnswer)) return;
  part.dataset.number = String(number);
  show(part, html);
  for (const callback of shown) callback();
}

/** Ask for the part once, by itself. */
export async function ask() {
  const answer = await fetch(document.body.dataset.part ?? "", { headers: { Accept: PART }, cache: "no-store" });
  isAway = answer.status >= 500;
  if (answer.ok) take(await answer.text(), Number(answer.headers.get("X-Number")));
  else if ([403, 404, 409].includes(answer.status)) leave();
}

/** The seat is not this phone's any more, or nobody can rule on the table: its own address says what became of it. */
function leave() {
  const { code, seat } = document.body.dataset;
  location.replace(seat ? `/t/${code}/${seat}` : `/t/${code}`);
}

function open() {
  clearTimeout(again);
  stream?.close();
  tried = Date.now();
  isAlive = false;
  const address = new URL(document.body.dataset.stream ?? "", location.href);
  address.searchParams.set("after", part.dataset.number ?? "");
  const opened = new EventSource(address);
  stream = opened;
  stream.onopen = () => {
    isAlive = true;
    heard = Date.now();
    isAway = false;
    status();
    dispatchEvent(new Event("companion:connected"));
  };
  stream.addEventListener("part", (event) => take(event.data, Number(event.lastEventId)));
  stream.addEventListener("beat", () => {
    heard = Date.now();
  });
  stream.addEventListener("gone", leave);
  stream.onerror = () => {
    lost();
    if (opened.readyState !== EventSource.CLOSED) return;
    again = setTimeout(open, AGAIN_MS + Math.random() * AGAIN_MS);
    ask().catch(() => {});
  };
}

/** The stream was alive until now. */
function lost() {
  if (isAlive && Date.now() - heard < SILENCE_MS) heard = Date.now();
  isAlive = false;
}

/** Say whether the numbers on the page can be trusted. */
function status() {
  const silent = Date.now() - heard;
  const isOpen = stream?.readyState === EventSource.OPEN && silent < SILENCE_MS;
  // Who asks by itself hears of the table now and then.
  const isAsking = stream?.readyState === EventSource.CLOSED && !isAway;
  const isRight = isOpen || silent < (isAsking ? 2 * PATIENCE_MS : PATIENCE_MS);
  const state = isRight ? "on" : stream?.readyState === EventSource.OPEN ? "stale" : isAway ? "away" : "off";
  if (document.body.dataset.live !== state) {
    document.body.dataset.live = state;
    element("live").dataset.state = state;
  }
  const since = state === "on" ? "" : `${Math.round(silent / 1000)} s`;
  const place = element("since");
  if (place.textContent !== since) place.textContent = since;
  if (Math.min(silent, Date.now() - tried) > SILENCE_MS && !document.hidden) open();
}

/** Open the stream, and open it again whenever the phone may have slept or changed its network. */
export function live() {
  const wake = () => {
    if (!document.hidden) open();
  };
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("offline", () => {
    lost();
    wake();
  }); // some phones leave the stream open, and deaf
  addEventListener("pageshow", (event) => {
    if (event.persisted) wake();
  });
  addEventListener("pagehide", () => stream?.close());
  setInterval(status, 1_000);
  open();
}
