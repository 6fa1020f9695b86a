// Draws the live part of a page from plain data, as the server does: what compiled templates stand on. Truth, equality
// and printing are Python's, and the filters are those of `companion/rendering/law.py`.

import { speaker } from "./say.js";

/** @typedef {any} Value What JSON holds, or HTML that a template has made. */
/** @typedef {Record<string, (...args: Value[]) => Value>} Functions */
/** @typedef {import("./say.js").Language & {templates: (R: Functions) => Functions}} Module */

class Html {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}
/** @type {Record<string, string>} */
const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;" };
/** @type {Record<string, string>} */
const CONSTANTS = { true: "True", false: "False", null: "None", undefined: "" };

/** @type {(v: Value) => Value[]} */
const list = (v) => (Array.isArray(v) ? v : typeof v === "string" ? [...v] : Object.keys(v ?? {}));
/** @type {(v: Value) => boolean} */
const isObject = (v) => typeof v === "object" && v !== null;
/** @type {(of: Value, name: string) => boolean} */
const has = (of, name) => isObject(of) && Object.hasOwn(of, name);
/** @type {(a: Value, b: Value) => boolean} */
const areAlike = (a, b) =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => has(b, key) && R.eq(a[key], b[key]));
/** @type {(a: Value, b: Value) => number} */
const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** @type {Functions} */
const TESTS = {
  defined: (v) => v !== undefined,
  equalto: (v, other) => R.eq(v, other),
  in: (v, all) => R.among(v, all),
  none: (v) => v === null,
  true: (v) => R.is(v),
};

/** @type {Functions} */
const R = {
  list,
  safe: (text) => new Html(text),
  plain: (v) => (v instanceof Html ? v.text : typeof v === "string" ? v : (CONSTANTS[v] ?? String(v))),
  out: (v) => (v instanceof Html ? v.text : R.plain(v).replace(/[&<>"']/g, (/** @type {string} */ s) => SIGNS[s])),
  is: (v) => (v instanceof Html ? v.text !== "" : isObject(v) ? list(v).length > 0 : Boolean(v)),
  and: (v, next) => (R.is(v) ? next() : v),
  or: (v, next) => (R.is(v) ? v : next()),
  eq: (a, b) => a === b || (isObject(a) && isObject(b) && Array.isArray(a) === Array.isArray(b) && areAlike(a, b)),
  among: (v, all) => (typeof all === "string" ? all.includes(v) : list(all).some((one) => R.eq(one, v))),
  add: (a, b) => (Array.isArray(a) ? a.concat(b) : a + b),
  text: (...parts) => parts.map(R.plain).join(""),
  joined: (parts) =>
    list(parts).some((one) => one instanceof Html) ? new Html(parts.map(R.out).join("")) : R.text(...parts),
  item: (of, key) => {
    if (typeof key !== "number") return has(of, key) ? of[key] : undefined;
    return typeof of === "string" || Array.isArray(of) ? of.at(key) : undefined;
  },
  at: (of, path) => (path ? path.split(".").reduce(R.item, of) : of),
  each: (v, draw) => list(v).map(draw).length,
  range: (a, b, step = 1) => {
    const [from, to] = b === undefined ? [0, a] : [a, b];
    return Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, i) => from + i * step);
  },
  url: (way, facts) => {
    const path = list(way).map((part, i) => (i % 2 ? encodeURIComponent(facts[part]) : part));
    const places = list(way).filter((_, i) => i % 2);
    const rest = Object.keys(facts).filter((name) => !places.includes(name) && (facts[name] ?? null) !== null);
    return path.join("") + rest.map((name, i) => `${"?&"[i && 1]}${name}=${encodeURIComponent(facts[name])}`).join("");
  },
  from: (T, name) => T[name]({}),
  default: (v, other) => (v === undefined ? other : v),
  length: (v) => list(v).length,
  join: (v, sign = "") => R.joined(list(v).flatMap((one, i) => (i ? [sign, one] : [one]))),
  map: (v, path) => list(v).map((one) => R.at(one, path)),
  max: (v) => [...list(v)].sort(order).at(-1),
  replace: (v, a, b) => R.plain(v).replaceAll(a, () => b),
  sort: (v, path) => [...list(v)].sort((a, b) => order(R.at(a, path), R.at(b, path))),
  sum: (v, path) => list(v).reduce((all, one) => all + R.at(one, path), 0),
  unique: (v) => [...new Set(list(v))],
  selectattr: (v, path, test = "true", other) => list(v).filter((one) => TESTS[test](R.at(one, path), other)),
  rejectattr: (v, path, test = "true", other) => list(v).filter((one) => !TESTS[test](R.at(one, path), other)),
  reject: (v, test = "true", other) => list(v).filter((one) => !TESTS[test](one, other)),
};

/**
 * Make what draws the parts of a game out of its module: by a template's name, and what it is told.
 * @param {Module} module
 * @returns {(name: string, told: Record<string, Value>) => string}
 */
export function drawing(module) {
  const templates = module.templates(R);
  return (name, told) => templates[name]({ ...told, say: speaker(module, told.names, R.plain) });
}
