// Cards are chosen where they lie. What cannot be of those that are touched is shut, and of one's own card only what it
// can still be is shown, or all where it is none of these: a hint may be entered wrong. To touch another hand puts back
// what was touched before. Without this a form says the same.

import { entered, strike } from "../keys.js";
import { part, whenShown } from "../live.js";
import { touched } from "../morph.js";

/** @typedef {HTMLInputElement} Field */

/** @type {Field | null} */
let belied = null; // the own card that is none of those that the hints leave

/** @type {<Kind extends Element>(selector: string, within?: ParentNode) => Kind[]} */
const all = (selector, within = part) =>
  [...within.querySelectorAll(selector)].map((found) => /** @type {any} */ (found));

/** @type {(field: Field, is: boolean) => void} */
function tick(field, is) {
  if (field.checked === is) return;
  field.checked = is;
  touched(field);
}

/** @type {(field: Field, name: string) => string[] | undefined} */
const words = (field, name) => field.dataset[name]?.split(" ");

/** Put back what was touched, but for one field and those of its hand. */
function putBack(/** @type {Field | null} */ but) {
  const hand = but?.matches("[data-touch]") ? but.closest("ol") : null;
  for (const field of /** @type {Field[]} */ (all("[data-touch], [data-alone]"))) {
    if (but && field.matches("[data-tile]") && !but.matches("[data-tile]")) continue; // what it asks for goes with it
    const isOfIt =
      hand !== null && field.closest("ol") === hand && (field.value === "none") === (but?.value === "none");
    if (field !== but && !isOfIt) tick(field, false);
  }
  for (const field of /** @type {Field[]} */ (all("#lay input[name=move]"))) tick(field, field.defaultChecked);
}

/**
 * Shut what a hint cannot say: what a touched card is known not to be, and what an untouched one is. Where nobody could
 * tell why, for the table wants no wrong hint noticed, all is open.
 */
function shut() {
  const hand = part.querySelector("#hint[data-why]") && part.querySelector("[data-touch]:checked")?.closest("ol");
  const cards = hand ? /** @type {Field[]} */ (all("[data-touch]", hand)) : [];
  const isOpen = (/** @type {string} */ clue) =>
    cards.every((card) => words(card, card.checked ? "shows" : "misses")?.includes(clue) ?? true);
  for (const key of /** @type {HTMLButtonElement[]} */ (all("#hint button[name]"))) strike(key, !isOpen(key.value));
}

/** The own card that is touched. */
const touchedCard = () => /** @type {Field | null} */ (part.querySelector("[name=slot]:checked"));

/** Show of one's own card only what it can still be. */
function narrow() {
  const card = touchedCard();
  const may = card && card !== belied ? words(card, "may") : undefined;
  for (const key of /** @type {HTMLButtonElement[]} */ (all("#lay button[name=card]")))
    key.hidden = may ? !may.includes(key.value) : false;
  for (const key of /** @type {HTMLButtonElement[]} */ (all("#lay [data-none]"))) key.hidden = !may;
}

function look() {
  shut();
  narrow();
}

part.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.matches("[data-touch], [data-alone]")) return;
  if (target.checked) putBack(target);
  belied = null;
  const to = target.closest(".hand-of")?.querySelector(".to");
  if (to instanceof HTMLInputElement) tick(to, true);
  look();
});

// What is opened to be tapped is seen whole.
part.addEventListener(
  "toggle",
  ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.open && target.querySelector("[data-alone]"))
      target.scrollIntoView({ block: "nearest" });
  },
  true,
);

// A card that fits is played, another one discarded, unless somebody says otherwise. After the keys that sleep.
document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return;
  const cancel = target.closest("[data-cancel]");
  if (cancel) {
    const [chosen] = /** @type {Field[]} */ (all(":is([data-touch], [data-alone]):checked"));
    putBack(null);
    look();
    if (cancel.matches(":focus-visible")) chosen?.focus({ preventScroll: true });
  }
  const none = target.closest("[data-none]");
  if (none?.parentElement) {
    // Other cards have come to where the finger is.
    entered(none);
    belied = touchedCard();
    look();
    if (none.matches(":focus-visible")) none.parentElement.querySelector("button")?.focus({ preventScroll: true });
  }
  const key = target.closest("#lay button[name=card]");
  if (!key || part.querySelector("#lay [name=move]:checked")) return;
  const act = part.querySelector(`#lay [value=${key.matches(".fits-it") ? "play" : "discard"}]`);
  if (act instanceof HTMLInputElement) tick(act, true);
});
whenShown(look);
