// Keys whose taps are on their way stay pressed. A tap is known again by what it says: keys come and go meanwhile.

import { isFrom, saidLast } from "./taps.js";

/** @typedef {import("./taps.js").Tap} Tap */
/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLButtonElement} Control */

const CHOSEN = new Set(["radio", "checkbox", "submit"]); // these say nothing unless somebody touches them

/**
 * Mark the keys of these taps, and no others; where a key cannot be found any more, nothing.
 * @param {ParentNode} root
 * @param {Tap[]} taps
 */
export function press(root, taps) {
  const pressed = taps.length > 0 ? found(root, taps) : new Set();
  for (const marked of root.querySelectorAll("[aria-busy]"))
    if (!pressed.has(marked)) marked.removeAttribute("aria-busy");
  for (const key of pressed) key.setAttribute("aria-busy", "true");
}

/**
 * @param {ParentNode} root
 * @param {Tap[]} taps
 */
function found(root, taps) {
  /** @type {Set<Element>} */
  const pressed = new Set();
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (root.querySelectorAll("form[data-live]"))) {
    const controls = controlsOf(form);
    const said = saying(form, controls);
    for (const tap of taps) {
      // A secret of the phone marks no key: all look alike.
      const key = isFrom(tap, said) ? (form.dataset.remember ? form : keyOf(tap, controls)) : undefined;
      if (key) pressed.add(key);
    }
  }
  return pressed;
}

/** @type {(form: HTMLFormElement) => Control[]} */
const controlsOf = (form) => /** @type {Control[]} */ ([...form.elements]).filter(({ disabled }) => !disabled);

/**
 * Whether a form, as it is now, can say what a tap says.
 * @type {(form: HTMLFormElement, tap: Tap) => boolean}
 */
export const canSay = (form, tap) => isFrom(tap, saying(form, controlsOf(form)));

/**
 * @param {HTMLFormElement} form
 * @param {Control[]} controls
 * @returns {import("./taps.js").Form}
 */
function saying(form, controls) {
  const named = controls.filter(({ name }) => name);
  return {
    url: form.getAttribute("action") ?? "",
    own: named
      .filter(({ type }) => !CHOSEN.has(type))
      .map(({ name, type, value }) => [name, type === "hidden" ? value : null]),
    names: new Set(named.map(({ name }) => name)),
  };
}

/**
 * @param {Tap} tap
 * @param {Control[]} controls
 */
function keyOf(tap, controls) {
  const keys = controls.filter(({ type }) => type === "submit");
  const [name, value] = saidLast(tap);
  return keys.find((key) => key.name === name && key.value === value) ?? keys.find((key) => !key.name);
}
