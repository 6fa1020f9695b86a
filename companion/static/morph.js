// Merges new HTML into a page without losing what the hand is doing there: focus, half-made choices, open folds.

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/** @type {WeakSet<Element>} */
const dirty = new WeakSet();
const FIELDS = "input, select";
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
 * Forget the choices in a form: they have been sent.
 * @param {HTMLFormElement} form
 */
export function settled(form) {
  for (const field of form.elements) dirty.delete(field);
}

/**
 * Give `root` the content that the HTML describes.
 * @param {Element} root
 * @param {string} html
 */
export function show(root, html) {
  mould.innerHTML = html;
  children(root, mould.content);
}

/** @param {Node} node */
const key = (node) => (node instanceof Element ? node.id || node.getAttribute("data-key") || null : null);
/** @type {(a: Node, b: Node) => boolean} */
const alike = (a, b) => a.nodeName === b.nodeName && key(a) === key(b);

/** @type {(from: Node, to: Node) => void} */
function morph(from, to) {
  if (!(from instanceof Element && to instanceof Element)) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  // Equal nodes may still differ in what was chosen in them.
  if (from.isEqualNode(to) && !from.matches(FIELDS) && !from.querySelector(FIELDS)) return;
  attributes(from, to);
  if (from.matches(FIELDS) && !dirty.has(from)) choose(/** @type {Field} */ (from), /** @type {Field} */ (to));
  children(from, to);
}

/** @type {(from: Field, to: Field) => void} */
function choose(from, to) {
  if (isTicked(from) && isTicked(to)) from.checked = to.defaultChecked;
  else if (from !== document.activeElement) from.value = to.value;
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
  /** @type {Map<string | null, ChildNode>} */
  const keyed = new Map();
  for (const child of from.children) if (key(child)) keyed.set(key(child), child);
  let here = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    const match = key(wanted) ? keyed.get(key(wanted)) : nextAlike(here, wanted);
    if (!match || match.nodeName !== wanted.nodeName) {
      from.insertBefore(wanted, here);
      continue;
    }
    if (match === here) here = match.nextSibling;
    else from.insertBefore(match, here);
    morph(match, wanted);
  }
  while (here) {
    const rest = here;
    here = here.nextSibling;
    rest.remove();
  }
}

/** @type {(node: ChildNode | null, wanted: Node) => ChildNode | null} */
function nextAlike(node, wanted) {
  while (node && !alike(node, wanted)) node = node.nextSibling;
  return node;
}
