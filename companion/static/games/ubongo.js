// The sand glass, by the server's clock: a phone's own clock, right or wrong, plays no part.

import { entered } from "../keys.js";
import { element, whenShown } from "../live.js";

const TRIES = 4;
const EVERY_MS = 100;
const STEPS = 400; // in which the sand falls: less than a hair each
const LAST_MS = 10_000; // in which everybody looks at the glass

const { then } = document.body.dataset; // the moment that is looked back at, in ms since 1970; "" where nobody knows
const plurals = new Intl.PluralRules(document.documentElement.lang);

/** @type {number | null} */
let ahead = null; // server's ms since 1970 less this page's own count of ms
let shortest = Infinity;

/** Ask the server for its time; the quickest answer is the truest. */
async function measureOnce() {
  const sent = performance.now();
  const answer = await fetch("/clock", { cache: "no-store" });
  const now = Number(await answer.text());
  const way = performance.now() - sent;
  if (!answer.ok || way > shortest) return;
  shortest = way;
  ahead = now - (sent + way / 2);
}

/**
 * Draw the sand that is left: 1 is all of it. What stands there is not drawn again.
 * @type {(clock: Element, left: number) => void}
 */
function pour(clock, left) {
  /** @type {(name: string, wide: number, high: number, x: number, y: number) => void} */
  const scale = (name, wide, high, x, y) => {
    const sand = clock.querySelector(`[data-sand=${name}]`);
    const transform = `translate(${x} ${y}) scale(${wide} ${high}) translate(${-x} ${-y})`;
    if (sand && sand.getAttribute("transform") !== transform) sand.setAttribute("transform", transform);
  };
  const part = Math.round(left * STEPS) / STEPS;
  // The glass narrows towards its neck.
  scale("above", Math.sqrt(part), part, 24, 35);
  scale("below", 1, 1 - part, 24, 64);
}

/**
 * Say on the page whether the sand runs: keys come and go with it, and those that came sleep for a moment.
 * @param {"runs" | "out" | undefined} sand
 */
function tell(sand) {
  const before = document.body.dataset.sand;
  if (sand && sand !== before) document.body.dataset.sand = sand;
  else if (!sand) delete document.body.dataset.sand;
  for (const hands of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-in-time]")))
    if (sand) hands.value = sand === "out" ? "true" : "";
  const key = document.querySelector("#time-up");
  if (before === "runs" && sand === "out" && key) entered(key);
}

/**
 * Say how many seconds are left, before somebody ends the glass.
 * @param {string} seconds
 */
function ask(seconds) {
  const really = document.getElementById("really");
  const question = (really?.dataset[plurals.select(Number(seconds))] ?? "").replace("*", seconds);
  if (really && really.textContent !== question) really.textContent = question;
}

/** The time by the server's clock, in ms since 1970; null while nobody knows. */
function now() {
  if (then !== undefined) return Number(then) || null;
  return ahead === null ? null : performance.now() + ahead;
}

function tick() {
  const clock = document.getElementById("clock");
  const time = now();
  if (!clock?.dataset.ends || time === null) {
    if (then === undefined) tell(undefined);
    else document.body.dataset.sand = "runs"; // and what the hands are said to have done stays
    return;
  }
  const runs = Number(clock.dataset.runs) * 1000;
  const left = Math.min(runs, Math.max(0, Number(clock.dataset.ends) - time));
  const text = String(Math.ceil(left / 1000));
  const place = element("clock-left");
  if (place.textContent !== text) {
    place.textContent = text;
    const unit = element("clock-unit");
    unit.textContent = unit.dataset[plurals.select(Number(text))] ?? "";
  }
  clock.classList.toggle("is-out", left === 0);
  clock.classList.toggle("is-last", left > 0 && left <= LAST_MS);
  ask(text);
  tell(left === 0 ? "out" : "runs");
  pour(clock, left / runs);
}

async function measure() {
  for (let count = 0; count < TRIES; count++) await measureOnce().catch(() => {});
  tick();
}

/** The server's clock may have been put right since it was asked. */
function measureAnew() {
  shortest = Infinity;
  measure();
}

/** When the glass that is shown runs out, by the server's clock; "" while none runs. */
const end = () => document.getElementById("clock")?.dataset.ends ?? "";

measure();
let measured = end();
for (const sign of ["online", "pageshow"]) addEventListener(sign, measureAnew);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) measureAnew();
});
setInterval(tick, EVERY_MS);
whenShown(() => {
  if (end() !== "" && end() !== measured) measureAnew();
  measured = end();
  tick();
});
