// The screen for everyone: what happened moves while somebody looks on, a reveal is held, and then gives way.

import { element, part, whenShown } from "./live.js";

const MOST_STEPS = 3; // after a longer break there is too much to look at

let number = Number(part.dataset.number);
/** @type {string | undefined} */
let revealed; // the reveal that is held, or has been
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {Map<string, number>} */
let points = new Map(); // by seat, as the screen has shown them last

/** Say which of its stages the screen shows; undefined: the one that it would without this script. */
function shows(/** @type {"reveal" | "play" | "next" | undefined} */ stage) {
  if (stage) document.body.dataset.shows = stage;
  else delete document.body.dataset.shows;
}

/**
 * Hold a reveal that is new for as long as it says; one that was over when the screen was opened is not told again.
 * @param {HTMLElement} wall
 * @param {boolean} isNews
 */
function hold(wall, isNews) {
  if (isNews && wall.querySelector(".next-stage")) {
    clearTimeout(timer);
    shows("next");
    return;
  }
  const { reveal, held } = wall.dataset;
  if (reveal === revealed) return;
  revealed = reveal;
  clearTimeout(timer);
  shows(undefined);
  if (!reveal || (wall.matches(".ends") && !isNews)) return;
  shows("reveal");
  timer = setTimeout(() => shows("play"), Number(held) * 1000);
}

/**
 * Let points run up to what they are when a round is counted: what runs lies over the number, which is right at once.
 * @param {HTMLElement} wall
 * @param {boolean} isNews
 */
function count(wall, isNews) {
  const before = points;
  points = new Map();
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (wall.querySelectorAll("[data-seat] .points"))) {
    const seat = place.closest("[data-seat]")?.getAttribute("data-seat") ?? "";
    const now = Number((place.textContent ?? "").trim().replace("−", "-"));
    points.set(seat, now);
    const was = before.get(seat) ?? now;
    const isNew = Number.isInteger(now) && was !== now && place.closest(".player-row") !== null;
    if (!isNews || !isNew || !place.checkVisibility()) continue;
    place.style.setProperty("--was", String(was));
    place.style.setProperty("--run", String(now));
    place.classList.add("runs");
  }
}

// A tablet in the middle of the table is tapped: on to what is played.
part.addEventListener("click", () => {
  if (!revealed) return;
  clearTimeout(timer);
  shows("play");
});
// A phone that is laid on the table, or a tablet on its stand, may show nothing but the stage.
if (document.fullscreenEnabled) {
  const key = element("full-screen");
  key.hidden = false;
  key.addEventListener("click", () => {
    key.setAttribute("aria-pressed", String(!document.fullscreenElement));
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen().catch(() => {});
  });
  document.addEventListener("fullscreenchange", () => {
    key.setAttribute("aria-pressed", String(Boolean(document.fullscreenElement)));
  });
}

const RINGS_S = 2;

/** A gong when the glass has run out: seen as well, and heard only where sounds are chosen. */
function gong() {
  const air = new AudioContext();
  for (const [tone, loud] of [
    [110, 0.3],
    [166, 0.15],
    [277, 0.08],
  ]) {
    const [voice, volume] = [air.createOscillator(), air.createGain()];
    voice.frequency.value = tone;
    volume.gain.setValueAtTime(loud, air.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, air.currentTime + RINGS_S);
    voice.connect(volume).connect(air.destination);
    voice.start();
    voice.stop(air.currentTime + RINGS_S);
  }
  setTimeout(() => air.close(), RINGS_S * 1000);
}

if ("sounds" in document.documentElement.dataset) {
  let wasOut = true; // who opens the screen after the glass hears nothing
  new MutationObserver(() => {
    const isOut = part.querySelector(".clock.is-out") !== null;
    if (isOut && !wasOut) gong();
    wasOut = isOut;
  }).observe(part, { subtree: true, childList: true, attributeFilter: ["class"] });
}

whenShown(() => {
  const wall = /** @type {HTMLElement | null} */ (part.querySelector(".wall"));
  const steps = Number(part.dataset.number) - number;
  number += steps;
  const isNews = steps > 0 && steps <= MOST_STEPS;
  if (isNews) document.body.dataset.moves = "";
  else if (steps) delete document.body.dataset.moves;
  if (!wall) return;
  hold(wall, isNews);
  count(wall, isNews);
});
