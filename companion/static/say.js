// Says plain data in the reader's language: a card, a colour, a number, a list of them. The twin of `Speaker` in
// `companion/rendering/vocabulary.py`, by the same words.

/** @typedef {any} Value What JSON holds. */
/** @typedef {Record<string, string>} Names */
/** @typedef {Record<string, Value>} Sentences */
/** @typedef {{names: Names, members: Record<string, Names>, sentences: Sentences, lists: string[]}} Words */
/** @typedef {{words: Words, plural: (n: number) => number}} Language */

/**
 * @param {Language} language
 * @param {string[]} players One name per seat.
 * @param {(v: Value) => string} plain Prints what has no word.
 * @returns {(v: Value) => string}
 */
export function speaker({ words, plural }, players, plain) {
  const [two, start, middle, end, sound, easedTwo, easedEnd] = words.lists;
  const eased = sound === undefined ? null : new RegExp(`^${sound}`, "iu");
  /** @type {(pattern: string, a: string, b: string) => string} */
  const put = (pattern, a, b) => pattern.replace(/\{(.)\}/g, (_, place) => (place === "0" ? a : b));
  /** @type {(parts: string[]) => string} */
  const listed = (parts) => {
    const last = parts[parts.length - 1];
    const isEased = eased?.test(last);
    if (parts.length < 3) return parts.length > 1 ? put(isEased ? easedTwo : two, parts[0], last) : parts.join("");
    const most = parts.slice(2, -1).reduce((all, part) => put(middle, all, part), put(start, parts[0], parts[1]));
    return put(isEased ? easedEnd : end, most, last);
  };
  /** @type {(seat: Value) => string} */
  const player = (seat) => (Array.isArray(seat) ? listed(seat.map(player)) : players[seat]);
  /** @type {(v: Value) => string} */
  const say = (v) => {
    if (typeof v === "string") return Object.hasOwn(words.names, v) ? words.names[v] : v;
    if (Array.isArray(v)) return listed(v.map(say));
    if (v?.$ === undefined) return plain(v).replaceAll("-", "−");
    if (Object.hasOwn(words.members, v.$)) return words.members[v.$][v.value];
    const said = words.sentences[v.$];
    const member = v[said.$];
    const [by, ...forms] = [said.$ === undefined ? said : said[member?.value ?? member]].flat();
    /** @type {(all: string, name: string, how: string) => string} */
    const fact = (_, name, how) => (name ? (how === "p" ? player : say)(v[name]) : "%");
    return (forms.length ? forms[plural(v[by])] : by).replace(/%(?:\((\w+)\)([sp])|%)/g, fact);
  };
  return say;
}
