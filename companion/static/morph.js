// Merges new HTML into a page without losing what the hand is doing there: focus, half-made choices, open folds.

const dirty = new WeakSet();

/** Remember that a field holds a choice of the person, which no new page part may undo. */
export function touched(field) {
  dirty.add(field);
  if (field.type === "radio" && field.form)
    for (const other of field.form.elements) if (other.name === field.name) dirty.add(other);
}

/** Forget the choices in a form: they have been sent. */
export function settled(form) {
  for (const field of form.elements) dirty.delete(field);
}

/** Give `root` the content that the HTML describes. */
export function show(root, html) {
  const fresh = new DOMParser().parseFromString(`<main>${html}</main>`, "text/html").body.firstElementChild;
  children(root, fresh);
}

const key = (node) => (node.nodeType === 1 ? node.id || node.dataset.key || null : null);
const alike = (a, b) => a.nodeName === b.nodeName && key(a) === key(b);

function morph(from, to) {
  // Equal nodes may still differ in what was chosen in them.
  if (from.isEqualNode(to) && !from.matches?.("input, select") && !from.querySelector?.("input, select")) return;
  if (from.nodeType !== 1) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  attributes(from, to);
  if (from.matches("input, select") && !dirty.has(from)) {
    if (from.type === "radio" || from.type === "checkbox") from.checked = to.defaultChecked;
    else if (from !== document.activeElement) from.value = to.value;
  }
  children(from, to);
}

function attributes(from, to) {
  for (const { name, value } of to.attributes) if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  for (const { name } of [...from.attributes])
    if (!to.hasAttribute(name) && !(name === "open" && from.matches("details"))) from.removeAttribute(name);
}

function children(from, to) {
  const keyed = new Map();
  for (const child of from.children) if (key(child)) keyed.set(key(child), child);
  let here = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    const match = key(wanted) ? keyed.get(key(wanted)) : nextAlike(here, wanted);
    if (!match || match.nodeName !== wanted.nodeName) {
      from.insertBefore(document.importNode(wanted, true), here);
      continue;
    }
    if (match === here) here = here.nextSibling;
    else from.insertBefore(match, here);
    morph(match, wanted);
  }
  while (here) {
    const rest = here;
    here = here.nextSibling;
    rest.remove();
  }
}

function nextAlike(node, wanted) {
  while (node && !alike(node, wanted)) node = node.nextSibling;
  return node;
}
