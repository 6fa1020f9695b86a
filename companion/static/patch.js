// Puts what has changed into a view that this phone has already; `companion/rendering/differences.py` finds it.

/** @typedef {null | boolean | number | string | Plain[] | {[name: string]: Plain}} Plain */

/**
 * Give the view after a difference; the one before stays as it was.
 * @param {Plain} view
 * @param {{[path: string]: Plain}} difference
 */
export function patched(view, difference) {
  let result = view;
  for (const [path, value] of Object.entries(difference)) {
    result = path === "" ? value : put(result, path.split("."), 0, value);
  }
  return result;
}

/**
 * @param {any} part
 * @param {string[]} path
 * @param {number} step
 * @param {any} value
 * @returns {Plain}
 */
function put(part, path, step, value) {
  if (step === path.length) return value;
  if (Array.isArray(part) && path[step] === "-") return part.filter((_, place) => !value.includes(place));
  const copy = Array.isArray(part) ? [...part] : { ...part };
  if (Array.isArray(copy) && path[step].includes(":")) {
    const [start, end] = path[step].split(":").map(Number);
    copy.splice(start, end - start, ...value);
    return copy;
  }
  copy[path[step]] = put(part[path[step]], path, step + 1, value);
  return copy;
}
