// A bouquet is told by touching its cards: what they are worth is said as they come, and what a drawn card would make.

import { entered } from "../keys.js";
import { part, whenShown } from "../live.js";
import { touched } from "../morph.js";
import { bestCard, bestReading, SIZE } from "./bouquet.js";

/** @typedef {import("./bouquet.js").Reading} Reading */

/** @type {WeakMap<HTMLInputElement, number>} */
const since = new WeakMap(); // when a copy was touched
let touches = 0;

/**
 * @template {Element} E
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {E[]}
 */
const all = (root, selector) => /** @type {any} */ ([...root.querySelectorAll(selector)]);

/** @type {(root: ParentNode) => HTMLInputElement[]} */
const copies = (root) => all(root, "input[type=checkbox]");

/** @type {(form: HTMLElement) => HTMLInputElement[]} */
const chosen = (form) =>
  copies(form)
    .filter(({ checked }) => checked)
    .sort((a, b) => (since.get(a) ?? 0) - (since.get(b) ?? 0));

/** @type {(form: HTMLElement) => import("./bouquet.js").Rules} */
const rules = ({ dataset }) => ({ wild: dataset.wild ?? "", isDoubled: "final" in dataset });

/** @type {(form: HTMLElement, card: string) => Element | null} */
const cell = (form, card) => form.querySelector(`[data-card="${card}"]`);

/** @type {(form: HTMLElement, card: string) => Node[]} */
const face = (form, card) =>
  all(/** @type {Element} */ (cell(form, card)), ".copy:first-child :is(.flower, b)").map(copied);

/** @type {(node: Element) => Node} */
const copied = (node) => node.cloneNode(true);

/**
 * Say something with a number in it, in the sentence that the page has for it.
 * @type {(place: HTMLElement, what: string | number) => string}
 */
const said = (place, what) => (place.dataset.text ?? "").replace("{n}", String(what));

/** @type {(form: HTMLElement) => string} */
const twice = (form) => (rules(form).isDoubled ? " × 2" : "");

/** @type {(form: HTMLElement, reading: Reading) => string} */
const sum = (form, { base, mix, total }) => `${base} × ${mix}${twice(form)} = ${total}`;

/**
 * Touch a copy, or let go of it.
 * @param {HTMLInputElement} copy
 */
function set(copy, isChosen = true) {
  copy.checked = isChosen;
  since.set(copy, ++touches);
  touched(copy);
}

/**
 * One copy more; where there is none, or the bouquet is complete, none at all.
 * @type {(form: HTMLElement, cell: Element) => void}
 */
function touch(form, cell) {
  const free = copies(cell).find(({ checked }) => !checked);
  if (free && chosen(form).length < SIZE) set(free);
  else for (const copy of copies(cell)) set(copy, false);
}

/**
 * The cards touched, each a key that takes it out again; the key that is pressed stays for the card after it.
 * @type {(form: HTMLElement, cards: HTMLInputElement[]) => void}
 */
function fill(form, cards) {
  const slots = /** @type {HTMLElement} */ (document.getElementById("slots"));
  /** @type {HTMLElement | undefined} */
  let before = copies(form)[0];
  for (const [n, slot] of [...slots.children].entries()) {
    const card = cards[n];
    const key = slot.querySelector("button") ?? document.createElement("button");
    if (!card) {
      if (key.matches(":focus-visible")) before?.focus({ preventScroll: true });
      key.remove();
      continue;
    }
    key.type = "button";
    key.ariaLabel = said(slots, card.parentElement?.querySelector(".vh")?.textContent ?? card.value);
    key.replaceChildren(...face(form, card.value));
    key.onclick = () => {
      set(card, false);
      read();
    };
    if (!key.isConnected) slot.append(key);
    before = key;
  }
}

/** @type {(form: HTMLElement, names: string[]) => void} */
function tell(form, names) {
  const place = /** @type {HTMLElement} */ (document.getElementById("reading"));
  const reading = bestReading(names, rules(form));
  const [total, words, figures, more] = all(place, ".num, .reading-why > *");
  place.toggleAttribute("data-read", names.length > 0);
  total.textContent = String(reading.total);
  const parts = reading.combinations.map(({ kind, points }) => `${place.dataset[kind]} ${points}`);
  words.textContent = parts.join(" + ") + (parts.length > 1 ? ` = ${reading.base}` : "");
  figures.textContent = `× ${reading.mix}${twice(form)}: ${place.getAttribute(`data-mix-${reading.mix}`)}`;
  const left = names.length < SIZE ? copies(form).filter(({ checked }) => !checked) : [];
  const best =
    names.length > 1 ? bestCard(names, [...new Set(left.map(({ value }) => value))], rules(form)) : undefined;
  more.replaceChildren(...(best ? ["+ ", ...face(form, best.card), `: ${sum(form, best.reading)}`] : []));
}

/** Show the cards that are touched, and what they are worth; a bouquet that is not complete cannot be told. */
function read() {
  const form = document.getElementById("tell");
  if (!form) return;
  const cards = chosen(form);
  const names = cards.map(({ value }) => value);
  fill(form, cards);
  tell(form, names);
  for (const one of all(form, "[data-card]")) {
    const count = copies(one).filter(({ checked }) => checked).length;
    if (count > 1) one.setAttribute("data-count", String(count));
    else one.removeAttribute("data-count");
  }
  form.classList.toggle("is-full", cards.length === SIZE);
  const key = /** @type {HTMLButtonElement} */ (document.getElementById("told"));
  key.disabled = cards.length !== SIZE;
  if (!key.disabled) key.textContent = said(key, bestReading(names, rules(form)).total);
}

/** Offer the values that are left of the colour of a drawn card, and say what the card would make. */
function weigh() {
  const place = document.getElementById("then-worth");
  const form = place?.closest("form");
  if (!(place && form)) return;
  const colour = new FormData(form).get("card-colour");
  for (const one of /** @type {HTMLInputElement[]} */ (all(form, "[data-colours]"))) {
    one.disabled = !(one.dataset.colours ?? "").includes(String(colour ?? ""));
    if (one.disabled) one.checked = false; // it was touched before its colour
  }
  const value = new FormData(form).get("card");
  const card = `${value}`.replace("*", `${colour}`);
  const cards = [...(form.dataset.bouquet ?? "").split(" ").filter(Boolean), card];
  place.textContent = colour && value ? said(place, bestReading(cards, rules(form)).total) : "";
}

part.addEventListener("click", (event) => {
  const found = event.target instanceof Element ? event.target.closest("[data-card]") : null;
  const form = found?.closest("form");
  if (!(found && form) || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  touch(form, found);
  read();
});
part.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  // Prices have come to where the names were, and to where the finger is.
  if (field.name === "from" && field.form) entered(field.form);
  if (field.name === "cards") since.set(field, ++touches);
  weigh();
  read();
});
// The prices go, and with them the key that says so: a keyboard is at the pile again.
part.addEventListener("reset", ({ target }) => {
  const isByKey = document.activeElement?.matches("[type=reset]:focus-visible");
  const pile = target instanceof HTMLFormElement && isByKey ? target.querySelector("[name=from]:checked") : null;
  if (pile instanceof HTMLElement) setTimeout(() => pile.focus({ preventScroll: true }));
});
whenShown(() => {
  weigh();
  read();
});
