// Numbers by taps: one less, one more; and what they come to. Without script they are fields to type in.

import { strike } from "../keys.js";
import { part, whenShown } from "../live.js";

const LEAST = "0";

/**
 * All numbers of a form that count the same: those of its players, or the one alone.
 * @param {HTMLInputElement} field
 */
function alike(field) {
  const kind = field.name.split("-")[0];
  return [...(field.form?.elements ?? [])]
    .filter((other) => other instanceof HTMLInputElement)
    .filter(({ name }) => name.split("-")[0] === kind);
}

/**
 * How many more of a card there can be: of three of them, all players together have three.
 * @param {HTMLInputElement} field
 */
function isFull(field) {
  const more = alike(field).reduce((sum, other) => sum + Number(other.value) - Number(other.min), 0);
  return more >= Number(field.max) - Number(field.min);
}

/** @type {(field: HTMLInputElement, by: number) => void} */
function step(field, by) {
  const next = Number(field.value) + by;
  const isRound = field.matches(".adder-count") && isFull(field);
  if (isRound) field.value = field.min;
  else field.value = String(Math.min(Number(field.max), Math.max(Number(field.min), next)));
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** @param {Event} event */
function tapped(event) {
  const key = event.target instanceof Element ? event.target.closest("[data-add]") : null;
  const field = key?.closest(".stepper, .adder")?.querySelector("input");
  if (key && field) step(field, Number(key.getAttribute("data-add")));
}

/** Which +5 and −5 a row has, while they are not looked at. */
function fives(/** @type {Element} */ row) {
  /** @type {(name: string, text: string) => string} */
  const each = (name, text) => {
    const field = row.querySelector(`input[name^=${name}-]`);
    return field instanceof HTMLInputElement ? ` ${text}`.repeat(Number(field.value)) : "";
  };
  return (each("plus", "+5") + each("minus", "−5")).trim();
}

/** Mark what differs from the bid, and let nothing be written down that does not add up. */
function look() {
  for (const row of part.querySelectorAll(".counts-row")) {
    const field = row.querySelector(".stepper input");
    const bid = row.getAttribute("data-bid");
    if (field instanceof HTMLInputElement) row.toggleAttribute("data-differs", bid !== null && field.value !== bid);
    const line = row.querySelector("[data-fives]");
    if (line) line.textContent = fives(row);
  }
  for (const field of part.querySelectorAll(".adder-count"))
    if (field instanceof HTMLInputElement) field.toggleAttribute("data-some", field.value !== LEAST);
  const foot = /** @type {HTMLFormElement | null} */ (part.querySelector("#tally"));
  const first = foot?.elements.namedItem("tricks-0");
  const key = foot?.querySelector("button");
  if (!(key && first instanceof HTMLInputElement)) return;
  const sum = alike(first).reduce((total, field) => total + Number(field.value), 0);
  strike(key, sum !== Number(foot?.querySelector(".sum")?.getAttribute("data-of")));
}

part.addEventListener("click", tapped);
part.addEventListener("input", () => {
  document.getElementById("refusal")?.remove(); // it was of what stood there before
  look();
});
whenShown(look);
