// A tap that was meant for the turn before is not sent: keys whose meaning has changed, and those beside a key that has
// just entered something, sleep for a moment. Chips and steppers enter nothing, and never sleep.

const SLEEP_MS = 400;
const HOLD_MS = 2_000; // so long what has come to its end is looked at, where a part says so (`data-holds`)
const AREAS = ".hand, .undo, .table-top";
const KEYS = "button:not([type=button])";
const TAPPED = `${KEYS}, .hand a`; // a way that comes where a key was is not meant either
const OF_ITS_TIME = new Set(["after", "key"]);

/** @type {Map<string, {meaning: string, until: number}>} */
const areas = new Map();

/**
 * What the keys of an area say, in their order: the text where a key's effect stands in it, and what would be sent.
 * @param {Element} area
 */
function meaning(area) {
  /** @type {string[]} */
  const said = area.matches(".undo") ? [area.querySelector("p")?.textContent ?? ""] : [];
  const held = holds(area);
  if (held) said.push(held);
  for (const key of /** @type {NodeListOf<HTMLButtonElement>} */ (area.querySelectorAll(KEYS))) {
    said.push(
      `${key.form?.getAttribute("action")} ${key.name} ${key.value} ${key.disabled} ${key.getAttribute("formaction")}`,
    );
    for (const field of key.form?.querySelectorAll("input[type=hidden]") ?? [])
      if (field instanceof HTMLInputElement && !OF_ITS_TIME.has(field.name)) said.push(`${field.name} ${field.value}`);
  }
  return said.join("\n");
}

/** @param {Element} area */
const name = (area) => area.className.split(" ")[0];

/**
 * What an area holds before the next keys wake, if anything.
 * @param {Element} area
 */
const holds = (area) => area.matches(".hand") && area.querySelector("[data-holds]")?.getAttribute("data-holds");

/** @type {(state: {until: number}, long?: number) => void} */
function lull(state, long = SLEEP_MS) {
  state.until = performance.now() + long;
  stir();
  setTimeout(stir, long + 1);
}

/** Say whose keys sleep, and when all are awake. */
function stir() {
  const now = performance.now();
  const asleep = [...areas].filter(([, { until }]) => until > now).map(([area]) => area);
  if (asleep.length) document.body.setAttribute("data-asleep", asleep.join(" "));
  else document.body.removeAttribute("data-asleep");
}

/**
 * Look at what the keys mean now; where that is something else than before, they sleep.
 * @param {ParentNode} root
 */
export function changed(root) {
  for (const area of root.querySelectorAll(AREAS)) {
    const now = meaning(area);
    const before = areas.get(name(area));
    const state = before ?? { meaning: now, until: 0 };
    if (!before) areas.set(name(area), state);
    else if (before.meaning !== now) lull(state, holds(area) ? HOLD_MS : SLEEP_MS);
    state.meaning = now;
  }
}

/**
 * Strike a key out, or let it be tapped: struck out it asks why not, where its form says by which way.
 * @param {HTMLButtonElement} key
 * @param {boolean} isStruck
 */
export function strike(key, isStruck) {
  const why = key.form?.dataset.why;
  key.disabled = isStruck && !why;
  if (!why) return;
  if (isStruck) key.setAttribute("formaction", why);
  else key.removeAttribute("formaction");
  key.ariaDisabled = isStruck ? "true" : null;
}

/**
 * A key has entered something: what lies around it takes no tap for a moment.
 * @param {Element} form
 */
export function entered(form) {
  const area = form.closest(AREAS);
  const state = area && areas.get(name(area));
  if (state) lull(state);
}

/**
 * The keys of a page that has just come sleep at first: another tap may have led to it.
 * @param {HTMLElement} root
 */
export function rest(root) {
  watch(root);
  changed(root);
  for (const state of areas.values()) lull(state);
}

/**
 * Take no tap on keys that sleep, and one alone from Enter that is held down: it taps again and again.
 * @param {HTMLElement} root
 */
export function watch(root) {
  root.addEventListener("keydown", (event) => {
    const isStep = event.target instanceof Element && event.target.matches("[type=button]");
    if (event.key === "Enter" && event.repeat && !isStep) event.preventDefault();
  });
  root.addEventListener(
    "click",
    (event) => {
      const key = event.target instanceof Element && event.target.closest(TAPPED);
      const area = key ? key.closest(AREAS) : null;
      // By when it was tapped: a page that was busy drawing hears of it later.
      if (!area || (areas.get(name(area))?.until ?? 0) <= event.timeStamp) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
}
