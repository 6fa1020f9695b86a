// A whole Rage with hidden bids, with types that a generator has made of the description alone.
//
// It listens all the time, takes a move back and puts it back, amends a bid, and fetches the sheet and a spreadsheet.
// Compiled under --strict and run with the address of a companion's API; prints what it has seen, as JSON.

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

// Fetch a file, of the kind that the description names.
async function fetched<Name extends keyof operations>(
  _operation: Name,
  path: string,
  kind: keyof (operations[Name]["responses"] extends { 200: { content: infer Content } } ? Content : never),
): Promise<Response> {
  const answer = await fetch(address + path);
  if (answer.headers.get("Content-Type")?.split(";")[0] !== kind) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

// Hear what seat 1 sees, until the game is over.
async function listened(code: string, token: string): Promise<Schemas["View"][]> {
  const heard: Schemas["View"][] = [];
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${address}/tables/${code}/events?seat=1`, { headers });
  const decoder = new TextDecoder();
  const reader = answer.body?.getReader();
  for (let text = ""; reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (text + decoder.decode(value, { stream: true })).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines.filter((line) => line.startsWith("data: {"))) {
      const look: Schemas["View"] = JSON.parse(line.slice("data: ".length));
      heard.push(look);
      if (look.is_finished) {
        await reader.cancel();
        return heard;
      }
    }
  }
  throw new Error("The stream has ended before the game.");
}

async function firstBid(code: string) {
  const { moves } = await asked("table_record", "GET", `/tables/${code}/record`);
  const bid = moves.find((move) => move.move === "bid");
  if (bid?.move !== "bid") throw new Error("Nobody has bid.");
  return bid;
}

// Let the first bid have been another one.
async function amendFirstBid(code: string, token: string): Promise<void> {
  const first: Schemas["RageBid"] & { at?: string } = await firstBid(code);
  const { entries } = await asked("history", "GET", `/tables/${code}/history?to=100`, token);
  const number = entries.find((entry) => entry.may_amend && entry.at === first.at)?.number;
  const other: Posted<"amend"> = { move: "bid", seat: first.seat, tricks: (first.tricks + 1) % 10 };
  const path = `/tables/${code}/moves/${number}`;
  const tried = await asked("amend", "PUT", `${path}?try=1`, token, other);
  const amended = await asked("amend", "PUT", path, token, other);
  if (!tried.is_trial || tried.number !== amended.number) throw new Error("It was tried otherwise.");
  if ((await firstBid(code)).tricks !== other.tricks) throw new Error("The bid is as it was.");
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
      const { moves } = await asked("open_moves", "GET", `/tables/${code}/moves${query}`, token);
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
    const look = await asked("view", "GET", `/tables/${code}/view?seat=${seat}`, token);
    if (look.game !== "rage") throw new Error(look.game);
    hidden += look.view.players.filter(
      (player, other) => other !== seat && player.has_bid && player.bid === null,
    ).length;
  }
  return hidden;
}

async function main(): Promise<void> {
  const opening: Schemas["Opening"] = { game: "rage", players: ["Ann", "Bo", "Cy"], options: { bidding: "hidden" } };
  const { table, token } = await asked("open_table", "POST", "/tables", "", opening);
  const code = table.code;
  const tokens: string[] = [];
  for (const seat of table.seats.keys()) {
    const path = `/tables/${code}/seats/${seat}`;
    tokens.push((await asked("sit_down", "PUT", path, seat ? "" : token, { name: "" })).token);
  }
  const listening = listened(code, tokens[1] ?? "");
  let [moves, hidden, isFinished] = [0, 0, false];
  while (!isFinished) {
    const choice = chosen(await open(code, tokens));
    const ruled = await asked("move", "POST", `/tables/${code}/moves`, choice.token, choice.move);
    isFinished = ruled.is_finished;
    moves += 1;
    hidden += await hiddenBids(code, tokens);
  }
  const last = (await asked("history", "GET", `/tables/${code}/history`, token)).entries.at(-1);
  if (last) await asked("take_back", "POST", `/tables/${code}/take-back`, token, { after: last.number });
  await asked("put_back", "POST", `/tables/${code}/put-back`, token, {});
  const heard = await listening;
  await amendFirstBid(code, token);
  const end = await asked("standing", "GET", `/tables/${code}/standing`);
  if (end.game !== "rage" || end.summary.rounds.length !== 10) throw new Error("Ten rounds were played.");
  const record = await asked("table_record", "GET", `/tables/${code}/record`);
  const sheet = await fetched("table_sheet", `/tables/${code}/sheets/score_sheet`, "application/pdf");
  const pdf = new TextDecoder("latin1").decode((await sheet.arrayBuffer()).slice(0, 5));
  const plays = await fetched("table_plays_csv", `/tables/${code}/files/plays.csv`, "text/csv");
  const csv = await plays.text();
  console.log(JSON.stringify({ moves, hidden, end, record, heard: heard.length, pdf, csv }));
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
  // @ts-expect-error: a verdict of another game
  (verdict: Schemas["RageVerdict"]) => verdict.data.fits,
  // @ts-expect-error: a moment of a play shows what the game shows
  (then: Extract<Schemas["Then"], { game: "rage" }>) => then.view.fireworks,
  // @ts-expect-error: a spreadsheet is no PDF
  () => fetched("table_plays_csv", "", "application/pdf"),
  // @ts-expect-error: a move that no game has
  { move: "dance" } satisfies Schemas["Amend"],
];

await main();
