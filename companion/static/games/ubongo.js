// The sand glass, by the server's clock: a phone's own clock, right or wrong, plays no part.

import { entered } from "../keys.js";
import { element, whenShown } from "../live.js";

const TRIES = 4;
const EVERY_MS = 100;
const LAST_MS = 10_000; // in which everybody looks at the glass

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
 * Draw the sand that is left: 1 is all of it.
 * @type {(clock: Element, left: number) => void}
 */
function pour(clock, left) {
  /** @type {(name: string, wide: number, high: number, x: number, y: number) => void} */
  const scale = (name, wide, high, x, y) => {
    clock
      .querySelector(`[data-sand=${name}]`)
      ?.setAttribute("transform", `translate(${x} ${y}) scale(${wide} ${high}) translate(${-x} ${-y})`);
  };
  // The glass narrows towards its neck.
  scale("above", Math.sqrt(left), left, 24, 35);
  scale("below", 1, 1 - left, 24, 64);
}

/**
 * Say on the page whether the sand runs: keys come and go with it, and those that came sleep for a moment.
 * @param {"runs" | "out" | undefined} sand
 */
function tell(sand) {
  const before = document.body.dataset.sand;
  if (sand) document.body.dataset.sand = sand;
  else delete document.body.dataset.sand;
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
  if (really) really.textContent = (really.dataset[plurals.select(Number(seconds))] ?? "").replace("*", seconds);
}

function tick() {
  const clock = document.getElementById("clock");
  if (!clock?.dataset.ends || ahead === null) {
    tell(undefined);
    return;
  }
  const runs = Number(clock.dataset.runs) * 1000;
  const left = Math.min(runs, Math.max(0, Number(clock.dataset.ends) - performance.now() - ahead));
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

measure();
for (const sign of ["online", "pageshow"])
  addEventListener(sign, () => {
    shortest = Infinity;
    measure();
  });
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) {
    shortest = Infinity;
    measure();
  }
});
setInterval(tick, EVERY_MS);
whenShown(tick);
