// What a bouquet is worth while it is touched together, as `companion/games/ikebana/bouquet.py` reads it: a test holds
// the two together, and the referee alone scores. Knows no page. A card is its name: `K3`.

/** @typedef {{kind: string, points: number}} Combination */
/** @typedef {{combinations: Combination[], base: number, mix: number, total: number}} Reading */
/** @typedef {{wild: string, isDoubled: boolean}} Rules */

export const SIZE = 5;

const WILD = "M";
const VALUES = [1, 2, 3, 4, 5];
const KINDS = ["", "", "pair", "trio", "quartet", "quintet"];
/** @type {[number[], number][]} */
const RUNS = [
  [[1, 2, 3, 4, 5], 15],
  [[2, 3, 4, 5], 12],
  [[1, 2, 3, 4], 8],
];

/** @type {(combinations: Combination[]) => number} */
const sum = (combinations) => combinations.reduce((all, { points }) => all + points, 0);

/**
 * The combinations with most points, the highest first; a run goes before sets of equal points.
 * @param {number[]} values
 */
function plan(values) {
  const sets = VALUES.map((value) => ({ value, count: values.filter((own) => own === value).length }))
    .filter(({ count }) => count > 1)
    .map(({ value, count }) => ({ kind: KINDS[count], points: value * count, count }))
    .sort((a, b) => b.points - a.points || b.count - a.count);
  for (const [run, points] of RUNS)
    if (run.every((value) => values.includes(value)) && points >= sum(sets)) return [{ kind: "run", points }];
  return sets.map(({ kind, points }) => ({ kind, points }));
}

/**
 * Every choice of so many values.
 * @param {number} count
 * @returns {number[][]}
 */
const chosen = (count) =>
  count ? chosen(count - 1).flatMap((values) => VALUES.map((value) => [...values, value])) : [[]];

/** @type {(cards: string[], rules: Rules) => Combination[]} */
function combined(cards, { wild }) {
  const isFree = (/** @type {string} */ card) => wild === "colour_and_value" && card[0] === WILD;
  const fixed = cards.filter((card) => !isFree(card)).map((card) => Number(card[1]));
  const printed = cards
    .filter(isFree)
    .map((card) => Number(card[1]))
    .sort();
  const plans = chosen(printed.length).map((values) => {
    const combinations = plan([...fixed, ...values]);
    const kept = values.filter((value, i) => value === printed[i]).length;
    return { combinations, merit: sum(combinations) * 10 + kept };
  });
  return plans.reduce((best, one) => (one.merit > best.merit ? one : best)).combinations;
}

/** @type {(cards: string[], rules: Rules) => number} */
function multiplier(cards, { wild }) {
  const colours = cards.map((card) => card[0]).filter((colour) => wild === "none" || colour !== WILD);
  const different = new Set(colours).size;
  if (different <= 1) return 4;
  if (cards.length === SIZE && different === colours.length) return 3;
  return different === 2 ? 2 : 1;
}

/**
 * Read a bouquet, or the part of it that is there, for its owner's best.
 * @type {(cards: string[], rules: Rules) => Reading}
 */
export function bestReading(cards, rules) {
  const combinations = combined(cards, rules);
  const [base, mix] = [sum(combinations), multiplier(cards, rules)];
  return { combinations, base, mix, total: base * mix * (rules.isDoubled ? 2 : 1) };
}

/**
 * The card that makes most of a bouquet, of those that can still come; undefined where none makes it more.
 * @type {(cards: string[], left: string[], rules: Rules) => {card: string, reading: Reading} | undefined}
 */
export function bestCard(cards, left, rules) {
  const now = bestReading(cards, rules).total;
  const more = left.map((card) => ({ card, reading: bestReading([...cards, card], rules) }));
  const best = more.reduce((a, b) => (b.reading.total > a.reading.total ? b : a), more[0]);
  return best && best.reading.total > now ? best : undefined;
}
