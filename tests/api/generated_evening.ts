// A whole Rage with hidden bids, with types that a generator has made of the description alone.
//
// Compiled under --strict and run with the address of a companion; prints what it has seen, as JSON.

import type { components, operations } from "./companion.js";

type Schemas = components["schemas"];
type Answer<Name extends keyof operations> = operations[Name]["responses"] extends {
  200: { content: { "application/json": infer Body } };
}
  ? Body
  : operations[Name]["responses"] extends { 201: { content: { "application/json": infer Body } } }
    ? Body
    : never;
type Posted<Name extends keyof operations> = operations[Name] extends {
  requestBody: { content: { "application/json": infer Body } };
}
  ? Body
  : never;

declare const process: { argv: string[] };
const address = process.argv[2];

async function asked<Name extends keyof operations>(
  _operation: Name,
  method: string,
  path: string,
  token = "",
  body?: Posted<Name>,
): Promise<Answer<Name>> {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(address + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) {
    const problem: Schemas["Problem"] = await answer.json();
    throw new Error(`${method} ${path}: ${problem.status} ${problem.type} ${problem.detail}`);
  }
  return answer.json() as Promise<Answer<Name>>;
}

// Chance that always deals the same.
let dealt = 7;
function chance(most: number): number {
  dealt = (dealt * 48271) % 2147483647;
  return dealt % most;
}

type Choice = { token: string; move: Schemas["Move"] };

async function open(code: string, tokens: string[]): Promise<Choice[]> {
  const found: Choice[] = [];
  for (const [place, token] of tokens.entries()) {
    for (const query of place ? [`?seat=${place}`] : [`?seat=${place}`, ""]) {
      const { moves } = await asked("open_moves", "GET", `/api/tables/${code}/moves${query}`, token);
      found.push(...moves.map((move) => ({ token, move })));
    }
  }
  return found;
}

function chosen(found: Choice[]): Choice {
  const kinds = [...new Set(found.map(({ move }) => move.move))].sort();
  const kind = kinds[chance(kinds.length)];
  const some = found.filter(({ move }) => move.move === kind);
  const choice = some[chance(some.length)];
  if (!choice) throw new Error("Nobody can move.");
  return choice;
}

async function hiddenBids(code: string, tokens: string[]): Promise<number> {
  let hidden = 0;
  for (const [seat, token] of tokens.entries()) {
    const look = await asked("view", "GET", `/api/tables/${code}/view?seat=${seat}`, token);
    if (look.game !== "rage") throw new Error(look.game);
    hidden += look.view.players.filter(
      (player, other) => other !== seat && player.has_bid && player.bid === null,
    ).length;
  }
  return hidden;
}

async function main(): Promise<void> {
  const opening: Schemas["Opening"] = { game: "rage", players: ["Ann", "Bo", "Cy"], options: { bidding: "hidden" } };
  const { table, token } = await asked("open_table", "POST", "/api/tables", "", opening);
  const code = table.code;
  const tokens: string[] = [];
  for (const seat of table.seats.keys()) {
    const path = `/api/tables/${code}/seats/${seat}`;
    tokens.push((await asked("sit_down", "PUT", path, seat ? "" : token, { name: "" })).token);
  }
  let [moves, hidden, isFinished] = [0, 0, false];
  while (!isFinished) {
    const choice = chosen(await open(code, tokens));
    const ruled = await asked("move", "POST", `/api/tables/${code}/moves`, choice.token, choice.move);
    isFinished = ruled.is_finished;
    moves += 1;
    hidden += await hiddenBids(code, tokens);
  }
  const last = (await asked("history", "GET", `/api/tables/${code}/history`, token)).entries.at(-1);
  if (last) await asked("take_back", "POST", `/api/tables/${code}/take-back`, token, { after: last.number });
  await asked("put_back", "POST", `/api/tables/${code}/put-back`, token, {});
  const end = await asked("standing", "GET", `/api/tables/${code}/standing`);
  if (end.game !== "rage" || end.summary.rounds.length !== 10) throw new Error("Ten rounds were played.");
  const record = await asked("table_record", "GET", `/api/tables/${code}/record`);
  console.log(JSON.stringify({ moves, hidden, end, record }));
}

// What the description does not allow does not compile.
type RageEnd = Extract<Schemas["Standing"], { game: "rage" }>;
export const wrong: unknown[] = [
  // @ts-expect-error: what another game counts
  (end: RageEnd) => end.summary.fireworks,
  // @ts-expect-error: an option that a table of this game does not have
  (table: Schemas["RageTable"]) => table.options.glass_s,
  // @ts-expect-error: a bid of no seat
  { move: "bid", tricks: 3 } satisfies Schemas["Move"],
  // @ts-expect-error: an option of another game
  { game: "rage", players: ["Ann"], options: { glass_s: 50 } } satisfies Schemas["Opening"],
  // @ts-expect-error: a move that no game has
  { move: "dance" } satisfies Schemas["Amend"],
];

await main();
