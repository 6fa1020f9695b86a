// Of what is chosen in two steps, one thing at a time: to touch another puts the first back.

import { touched } from "../morph.js";

const ALONE = "[data-alone]";

/** @param {HTMLInputElement} chosen */
function alone(chosen) {
  for (const other of document.querySelectorAll(ALONE)) {
    if (!(other instanceof HTMLInputElement) || other === chosen) continue;
    other.checked = false;
    touched(other);
  }
}

document.addEventListener("input", ({ target }) => {
  if (target instanceof HTMLInputElement && target.checked && target.matches(ALONE)) alone(target);
});
