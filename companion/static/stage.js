// The screen for everyone: what happened moves while somebody looks on, a reveal is held, and then gives way.

import { part, whenShown } from "./live.js";

const MOST_STEPS = 3; // after a longer break there is too much to look at

let number = Number(part.dataset.number);
/** @type {string | undefined} */
let revealed; // the reveal that is held, or has been
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Say what the screen shows of the two: the reveal, or what is played. */
function shows(/** @type {"reveal" | "play" | undefined} */ stage) {
  if (stage) document.body.dataset.shows = stage;
  else delete document.body.dataset.shows;
}

/**
 * Hold a reveal that is new for as long as it says; one that was over when the screen was opened is not told again.
 * @param {HTMLElement} wall
 * @param {boolean} isNews
 */
function hold(wall, isNews) {
  const { reveal, held } = wall.dataset;
  if (reveal === revealed) return;
  revealed = reveal;
  clearTimeout(timer);
  shows(undefined);
  if (!reveal || (wall.matches(".ends") && !isNews)) return;
  shows("reveal");
  timer = setTimeout(() => shows("play"), Number(held) * 1000);
}

// A tablet in the middle of the table is tapped: on to what is played.
part.addEventListener("click", () => {
  if (!revealed) return;
  clearTimeout(timer);
  shows("play");
});
whenShown(() => {
  const wall = /** @type {HTMLElement | null} */ (part.querySelector(".wall"));
  const steps = Number(part.dataset.number) - number;
  number += steps;
  const isNews = steps > 0 && steps <= MOST_STEPS;
  if (isNews) document.body.dataset.moves = "";
  else if (steps) delete document.body.dataset.moves;
  if (wall) hold(wall, isNews);
});
