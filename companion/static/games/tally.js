// A number by steps. Without script it is a field to type in.

import { part, whenShown } from "../live.js";

/** @type {(field: HTMLInputElement, value: number) => void} */
function put(field, value) {
  field.value = String(Math.min(Number(field.max), Math.max(Number(field.min), value)));
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Mark the numbers that are others than the page has brought. */
function look() {
  for (const field of part.querySelectorAll(".tally-steps input"))
    if (field instanceof HTMLInputElement && field.value !== field.defaultValue) field.dataset.told = field.value;
}

part.addEventListener("click", (event) => {
  const key = event.target instanceof Element ? event.target.closest("[data-add], [data-turn]") : null;
  const field = key?.closest("form")?.querySelector("input[type=number]");
  if (!(key && field instanceof HTMLInputElement)) return;
  const by = key.getAttribute("data-add");
  put(field, by === null ? -Number(field.value) : Number(field.value) + Number(by));
});
part.addEventListener("input", ({ target }) => {
  if (target instanceof HTMLInputElement && target.closest(".tally-steps")) target.dataset.told = target.value;
});
whenShown(look);
