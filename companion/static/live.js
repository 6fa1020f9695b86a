// One line keeps the page right: what the seat sees comes as data, and is drawn here. Where no WebSocket passes, an
// event stream brings drawn parts; when that cannot be had either, the page asks by itself.

import { soon } from "./frame.js";
import { glow, isNews } from "./glow.js";
import { Line } from "./line.js";
import { show } from "./morph.js";

export const PART = "text/vnd.companion.part+html";

const SILENCE_MS = 35_000; // the server says something every 15 s
const PATIENCE_MS = 3_000; // so long a break is not worth a word
const AGAIN_MS = 1_500;
const ANSWER_MS = 10_000; // whatever has no answer by then may have got lost, and the way be there again

// Those pages that live have all of these.
export const part = /** @type {HTMLElement} */ (document.getElementById("part"));
/** @type {((isAnswer: boolean) => void)[]} */
const shown = []; // called after each new part

/** @typedef {import("./patch.js").Plain} Plain */
/** @typedef {{isOpen: boolean, isShut: boolean, close: () => void}} Way How news come. */
/** @typedef {(view: Plain) => string} Draw */

/** @type {Way | null} */
let way = null;
/** @type {Draw | null} */
let draw = null; // draws this page's part; null where the server does
/** @type {Plain} */
let seen = null; // what it has drawn last
let mayFail = 1; // so many lines may fail to open before a stream is asked for; more, once one has opened
let failed = 0;
let heard = Date.now(); // when the page was known to be right
let tried = heard; // when the way was opened
let since = 0; // the number that the page had then
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

/** What scrolls above the keys of a seat. */
const tableTop = () => document.getElementById("table-top");

/**
 * Call a function now, and after each new part; it is told whether that answers a tap.
 * @param {(isAnswer: boolean) => void} callback
 */
export function whenShown(callback) {
  shown.push(callback);
  callback(false);
}

/**
 * Show a part that is newer than the one on the page. An answer may be as new: a refusal, which stays until the next.
 * @param {string} html
 * @param {number} number
 */
export function take(html, number, isAnswer = false, isGlowing = false) {
  heard = Date.now();
  const shownNumber = Number(part.dataset.number);
  if (number < shownNumber || (number === shownNumber && !isAnswer)) return;
  part.dataset.number = String(number);
  const stage = tableTop()?.dataset.stage;
  const changed = show(part, html);
  const table = tableTop();
  if (table && table.dataset.stage !== stage) table.scrollTop = 0; // what is new is read from its head
  if (isGlowing) glow(changed);
  tellShown(isAnswer);
}

/** Let everything follow what the page shows now. */
export function tellShown(isAnswer = false) {
  for (const callback of shown) callback(isAnswer);
}

/** Give up a request that has no answer: over a way that is gone it would wait for minutes, and others for it. */
export const patience = () => AbortSignal.timeout?.(ANSWER_MS);

/** Ask for the part once, by itself; gives whether the page is another's by now, or this phone sits elsewhere. */
export async function ask() {
  const asked = { headers: { Accept: PART }, cache: /** @type {RequestCache} */ ("no-store"), signal: patience() };
  const answer = await fetch(document.body.dataset.part ?? "", asked);
  const number = answer.headers.get("X-Number"); // a network that wants to be logged in to tells none
  isAway = answer.status >= 500;
  if (answer.redirected) leave();
  else if (answer.ok && number !== null) take(await answer.text(), Number(number));
  else if ([403, 404, 409].includes(answer.status)) leave();
  return answer.redirected || answer.status === 403;
}

/** The page is not to stay as it is, or is another's: its own address says what became of it. */
function leave() {
  location.replace(document.body.dataset.part ?? "");
}

/** Give the line, if there is one now. */
export function line() {
  return way instanceof Line && way.isOpen ? way : null;
}

/**
 * Show what the seat sees, by the data of the line.
 * @param {Plain} view
 * @param {number} number
 */
export function look(view, number, isAnswer = false) {
  const isGlowing = isNews(seen, view, number - Number(part.dataset.number));
  try {
    if (draw) take(draw(view), number, isAnswer, isGlowing);
    seen = view;
  } catch (why) {
    draw = null; // then the server does
    open();
    throw why;
  }
}

/** @param {string | undefined} path */
function addressed(path) {
  const address = new URL(path ?? "", location.href);
  address.searchParams.set("after", part.dataset.number ?? "");
  return address;
}

function open() {
  clearTimeout(again);
  way?.close();
  tried = Date.now();
  since = Number(part.dataset.number);
  isAlive = false;
  way = draw && failed < mayFail ? byLine() : byStream();
}

function opened() {
  since = Number(part.dataset.number); // an event stream opens again by itself
  isAlive = true;
  failed = 0;
  heard = Date.now();
  isAway = false;
  status();
  dispatchEvent(new Event("companion:connected"));
}

/**
 * Draw what has come, unless the table has fewer entries than when the way was opened: somebody has put an older copy
 * of it back, and what the page remembers is no more.
 * @type {(number: number, draw: () => void) => void}
 */
function came(number, draw) {
  if (number < since) location.reload();
  else soon(draw);
}

/** Come back soon, and ask meanwhile. */
function comeBack() {
  clearTimeout(again);
  again = setTimeout(open, AGAIN_MS + Math.random() * AGAIN_MS);
  ask().catch(() => {});
}

function byLine() {
  const address = addressed(document.body.dataset.line);
  address.protocol = address.protocol.replace("http", "ws");
  return new Line(new WebSocket(address), {
    opened: () => {
      mayFail = 3;
      opened();
    },
    heard: () => {
      heard = Date.now();
    },
    seen: (view, number) => came(number, () => look(view, number)),
    closed: (isGone) => {
      if (isGone) return leave();
      if (!isAlive) failed += 1;
      if (failed >= mayFail) return open();
      lost();
      comeBack();
    },
  });
}

function byStream() {
  const stream = new EventSource(addressed(document.body.dataset.stream));
  stream.onopen = opened;
  stream.addEventListener("part", ({ data, lastEventId }) => {
    came(Number(lastEventId), () => take(data, Number(lastEventId)));
  });
  stream.addEventListener("beat", () => {
    heard = Date.now();
  });
  stream.addEventListener("gone", leave);
  stream.onerror = () => {
    lost();
    if (stream.readyState === EventSource.CLOSED) comeBack();
  };
  return {
    get isOpen() {
      return stream.readyState === EventSource.OPEN;
    },
    get isShut() {
      return stream.readyState === EventSource.CLOSED;
    },
    close: () => stream.close(),
  };
}

/** The way was alive until now. */
function lost() {
  if (isAlive && Date.now() - heard < SILENCE_MS) heard = Date.now();
  isAlive = false;
}

/** Say whether the numbers on the page can be trusted. */
function status() {
  const silent = Date.now() - heard;
  const isOpen = way?.isOpen && silent < SILENCE_MS;
  // Who asks by itself hears of the table now and then.
  const isAsking = way?.isShut && !isAway;
  const isRight = isOpen || silent < (isAsking ? 2 * PATIENCE_MS : PATIENCE_MS);
  const state = isRight ? "on" : way?.isOpen ? "stale" : isAway ? "away" : "off";
  if (document.body.dataset.live !== state) {
    document.body.dataset.live = state;
    element("live").dataset.state = state;
  }
  const since = state === "on" ? "" : `${Math.round(silent / 1000)} s`;
  const place = element("since");
  if (place.textContent !== since) place.textContent = since;
  if (Math.min(silent, Date.now() - tried) > SILENCE_MS && !document.hidden) open();
}

/** Load what draws this page; without it the server does. */
async function learn() {
  const { templates, template = "" } = document.body.dataset;
  if (!templates) return;
  const [{ drawing }, module] = await Promise.all([import("./draw.js"), import(templates)]);
  const render = drawing(module);
  draw = (view) => render(template, /** @type {Record<string, Plain>} */ (view));
}

/** Open the way, and open it again whenever the phone may have slept or changed its network. */
export async function live() {
  const wake = () => {
    if (!document.hidden) open();
  };
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("offline", () => {
    lost();
    wake();
  }); // some phones leave the line open, and deaf
  addEventListener("pageshow", (event) => {
    if (event.persisted) wake();
  });
  addEventListener("pagehide", () => way?.close());
  setInterval(status, 1_000);
  await learn().catch(() => {});
  open();
}
