// A number by steps. Without script it is a field to type in.

import { part, whenShown } from "../live.js";

/** @type {(field: HTMLInputElement, value: number) => void} */
function put(field, value) {
  field.value = String(Math.min(Number(field.max), Math.max(Number(field.min), value)));
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Mark a number that is another than the page has brought. */
function look() {
  for (const field of part.querySelectorAll(".tally-steps input"))
    if (field instanceof HTMLInputElement) field.toggleAttribute("data-told", field.value !== field.defaultValue);
}

part.addEventListener("click", (event) => {
  const key = event.target instanceof Element ? event.target.closest("[data-add], [data-turn]") : null;
  const field = key?.closest("form")?.querySelector("input[type=number]");
  if (!(key && field instanceof HTMLInputElement)) return;
  const by = key.getAttribute("data-add");
  put(field, by === null ? -Number(field.value) : Number(field.value) + Number(by));
});
part.addEventListener("input", look);
whenShown(look);
