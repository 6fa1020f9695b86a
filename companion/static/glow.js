// What the last move has changed is underlined for a moment. It hides no number and no word, and nothing moves.

/** @typedef {import("./patch.js").Plain} Plain */

const MOST_STEPS = 3; // after a longer break there is too much to look at
const STAYS_MS = 1_200; // in which nothing is drawn, and no battery used
const GOES_MS = 300;
const PLACES = "td, li, .num";
const NUMBERS = ".num:not(td)"; // below them stands what they count: the line keeps to the digits
const ELSEWHERE = ".dock, .undo, .wall"; // keys; and the stage, which has motions of its own
const LINE = { boxShadow: ["inset 0 -4px var(--brass)", "inset 0 -4px transparent"] };
const DIGITS = {
  textDecorationLine: ["underline", "underline"],
  textDecorationThickness: ["4px", "4px"],
  textDecorationColor: ["var(--brass)", "transparent"],
};

/** @type {Animation[]} */
let glowing = []; // by the move before, whose turn is over

/**
 * Whether somebody who looks at the page sees a view come about: not the first one, not after a break, and not what is
 * taken back.
 * @param {Plain} before
 * @param {any} view
 * @param {number} steps entries between them
 */
export function isNews(before, view, steps) {
  return before !== null && view.redo === null && steps > 0 && steps <= MOST_STEPS;
}

/**
 * @param {Iterable<Element>} changed
 */
export function glow(changed) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  /** @type {Set<Element>} */
  const places = new Set();
  for (const one of changed) {
    const place = one.closest(PLACES);
    if (place && !place.closest(ELSEWHERE)) places.add(place);
  }
  for (const one of glowing) one.cancel();
  glowing = [...places].map((place) =>
    place.animate(place.matches(NUMBERS) ? DIGITS : LINE, { delay: STAYS_MS, duration: GOES_MS, fill: "backwards" }),
  );
}
