// Games for boardgame.io whose states and moves are as large as ours, and whose rules cost nothing.
// usage: node server.cjs PORT memory|flatfile|postgres PLACE GAMES   (its packages lie in the folder where it is started)
// GAMES is a JSON file: {"rage": {"moves": ["bid", …], "shared": {what all see}, "own": [{what a seat sees otherwise}, …]}, …}
const from = require("module").createRequire(process.cwd() + "/");
const { Server, FlatFile } = from("boardgame.io/server");

const [, , port, kind, place, file] = process.argv;

const move = ({ G, playerID }, data) => {
  if (typeof data !== "object" || data === null) return "INVALID_MOVE";
  G.made += 1;
  G.last = data.seat ?? null;
  G.own[Number(playerID)].made = G.made;
};

const game = ([name, { moves, shared, own }]) => ({
  name,
  // Taking back would make its state grow with every move; it may do without.
  disableUndo: true,
  setup: () => structuredClone({ shared, own, made: 0, last: null }),
  turn: { activePlayers: { all: null } },
  // A sealed bid stands in its log, too.
  moves: Object.fromEntries(moves.map((each) => [each, { client: false, redact: each === "bid", move }])),
  playerView: ({ G, playerID }) => ({ ...G.shared, ...G.own[playerID], made: G.made, last: G.last }),
});

const kinds = {
  memory: () => undefined,
  flatfile: () => new FlatFile({ dir: place }),
  postgres: () => new (from("bgio-postgres").PostgresStore)(place, { logging: false }),
};
const games = Object.entries(JSON.parse(require("fs").readFileSync(file, "utf8"))).map(game);
const server = Server({ games, db: kinds[kind](), origins: ["http://127.0.0.1"] });
server.run({ port: Number(port), callback: () => console.log("ready") });
