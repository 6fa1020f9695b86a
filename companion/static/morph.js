// Merges new HTML into a page without losing what the hand is doing there: focus, half-made choices, open folds.

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/** @type {WeakSet<Element>} */
const dirty = new WeakSet();
const FIELDS = "input, select";
const TOUCHED = "button, [type=radio], [type=checkbox]";
const FILLED = "[data-filled]"; // by a script, which keeps it right
const mould = document.createElement("template");

/**
 * Remember that a field holds a choice of the person, which no new page part may undo.
 * @param {Field} field
 */
export function touched(field) {
  dirty.add(field);
  if (field.type === "radio" && field.form)
    for (const other of field.form.elements) if (other.getAttribute("name") === field.name) dirty.add(other);
}

/**
 * Forget the choices in a form: they have been sent. Gives what makes them again, as far as they still can be said;
 * who has chosen something else in the form meanwhile means that.
 * @param {HTMLFormElement} form
 */
export function settled(form) {
  const fields = () => /** @type {Field[]} */ ([...form.elements].filter((field) => field.matches(FIELDS)));
  const chosen = fields()
    .filter((field) => dirty.has(field))
    .map((field) => ({ field, name: field.name, value: field.value, is: isTicked(field) && field.checked }));
  for (const { field } of chosen) dirty.delete(field);
  return () => {
    if (fields().some((field) => dirty.has(field))) return;
    for (const { field, name, value, is } of chosen) {
      if (field.form !== form || field.name !== name || (isTicked(field) && field.value !== value)) continue;
      if (isTicked(field)) field.checked = is;
      else field.value = value;
      touched(field);
    }
  };
}

/** @type {Set<Element>} */
let changed = new Set();

/**
 * Give `root` the content that the HTML describes. Returns the elements that are new, or whose own text is another.
 * @param {Element} root
 * @param {string} html
 */
export function show(root, html) {
  changed = new Set();
  mould.innerHTML = html;
  const held = holding(root);
  children(root, mould.content);
  if (held && !held.isConnected) handOn(root, held);
  return changed;
}

/**
 * Give what a keyboard is at. What a finger has touched has the focus, which nobody sees: it lets go of it, for to drop
 * it with that would lay the page out once more.
 * @param {Element} root
 */
function holding(root) {
  const held = document.activeElement;
  if (!(held instanceof HTMLElement && root.contains(held))) return null;
  if (held.matches(":focus-visible") || !held.matches(TOUCHED)) return held;
  held.blur();
  return null;
}

/**
 * Give the focus of what is gone to its like, or to where one reads on: it would begin anew at the head of the page.
 * @type {(root: Element, gone: HTMLElement) => void}
 */
function handOn(root, gone) {
  const said = saying(gone);
  const like = [...root.querySelectorAll(gone.nodeName)].find((one) => saying(one) === said && one.checkVisibility());
  const next = like ?? root.querySelector("[tabindex='0']");
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}

/**
 * What a key says when it is pressed: by its name and value, or by what stands on it; of a field, by its name alone.
 * @param {Element} key
 */
const saying = (key) =>
  ["type", "name", ...(key.matches(TOUCHED) ? ["value"] : [])].map((name) => key.getAttribute(name)).join(" ") +
  (key.hasAttribute("name") ? "" : key.textContent?.trim());

/**
 * @param {Node} node
 * @returns {node is Element}
 */
const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;
/** @param {Node} node */
const key = (node) => (isElement(node) ? node.id || node.getAttribute("data-key") : null) || null;
/** @type {(a: Node, b: Node) => boolean} */
const alike = (a, b) => a.nodeName === b.nodeName && key(a) === key(b);

/** @type {(from: Node, to: Node) => void} */
function morph(from, to) {
  if (!(isElement(from) && isElement(to))) {
    if (from.nodeValue === to.nodeValue) return;
    from.nodeValue = to.nodeValue;
    if (from.parentElement) changed.add(from.parentElement);
    return;
  }
  // Equal nodes may still differ in what was chosen in them.
  if (from.isEqualNode(to) && !from.matches(FIELDS) && !from.querySelector(FIELDS)) return;
  attributes(from, to);
  if (from.matches(FIELDS) && !dirty.has(from)) choose(/** @type {Field} */ (from), /** @type {Field} */ (to));
  if (!from.matches(FILLED)) children(from, to);
}

/** @type {(from: Field, to: Field) => void} */
function choose(from, to) {
  if (isTicked(from) && isTicked(to)) from.checked = to.defaultChecked;
  else if (from !== document.activeElement && from.value !== to.value) from.value = to.value;
}

/**
 * @param {Field} field
 * @returns {field is HTMLInputElement}
 */
const isTicked = (field) => field.type === "radio" || field.type === "checkbox";

/**
 * Whether another fold of the same set is open: somebody has chosen it, and to open this one would shut it.
 * @param {Element} fold
 */
const isAnotherOpen = (fold) => {
  const set = fold.getAttribute("name");
  return set !== null && document.querySelector(`details[name="${CSS.escape(set)}"][open]`) !== null;
};

/** @type {(from: Element, to: Element) => void} */
function attributes(from, to) {
  for (const { name, value } of to.attributes)
    if (from.getAttribute(name) !== value && !(name === "open" && isAnotherOpen(from))) from.setAttribute(name, value);
  for (const { name } of [...from.attributes])
    if (!to.hasAttribute(name) && !(name === "open" && from.matches("details"))) from.removeAttribute(name);
}

/** @type {(from: Element, to: ParentNode) => void} */
function children(from, to) {
  let here = from.firstChild;
  for (let wanted = to.firstChild, next; wanted; wanted = next) {
    next = wanted.nextSibling;
    const match = here && alike(here, wanted) ? here : found(from, here, wanted);
    if (match) here = cleared(here, match, to);
    if (match && match === here) here = here.nextSibling;
    else from.insertBefore(match ?? wanted, here);
    if (match) morph(match, wanted);
    else if (wanted.textContent?.trim() || isElement(wanted)) changed.add(isElement(wanted) ? wanted : from);
  }
  while (here) {
    const rest = here;
    here = here.nextSibling;
    rest.remove();
  }
}

/**
 * Drop what lies before a match and is not wanted any more: a node that is moved is laid out anew, and loses the focus.
 * @type {(here: ChildNode | null, match: ChildNode, to: ParentNode) => ChildNode | null}
 */
function cleared(here, match, to) {
  /** @param {ChildNode} node */
  const isGone = (node) =>
    isElement(node) ? ![...to.children].some((one) => alike(one, node)) : !node.nodeValue?.trim();
  while (here && here !== match && isGone(here)) {
    const rest = here;
    here = here.nextSibling;
    rest.remove();
  }
  return here;
}

/**
 * Find what a wanted node was until now: by its key anywhere among its brothers, without one among those that are left.
 * @type {(within: Element, here: ChildNode | null, wanted: Node) => ChildNode | null}
 */
function found(within, here, wanted) {
  let node = key(wanted) ? within.firstChild : here;
  while (node && !alike(node, wanted)) node = node.nextSibling;
  return node;
}
