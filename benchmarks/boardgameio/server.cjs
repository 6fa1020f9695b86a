// The same work for boardgame.io: a table of Rage whose bids are sealed.
// usage: node server.cjs PORT memory|flatfile|postgres PLACE   (its packages lie in the folder where it is started)
const from = require("module").createRequire(process.cwd() + "/");
const { Server, FlatFile } = from("boardgame.io/server");

const PLAYERS = 4;
const rage = {
  name: "rage",
  // Taking back would make its state grow with every move; it may do without.
  disableUndo: true,
  setup: () => ({ round: 1, bids: Array(PLAYERS).fill(null), totals: Array(PLAYERS).fill(0), sheet: [] }),
  turn: { activePlayers: { all: null } },
  moves: {
    bid: {
      client: false,
      redact: true,
      move: ({ G, playerID }, tricks) => {
        const cards = 11 - G.round;
        if (!Number.isInteger(tricks) || tricks < 0 || tricks > cards) return "INVALID_MOVE";
        if (!G.bids.includes(null)) return "INVALID_MOVE";
        G.bids[Number(playerID)] = tricks;
      },
    },
    tally: ({ G }, tricks, plus, minus) => {
      if (G.bids.includes(null) || tricks.reduce((a, b) => a + b) !== 11 - G.round) return "INVALID_MOVE";
      const points = tricks.map((taken, seat) => taken + (taken === G.bids[seat] ? (taken ? 10 : 5) : -5) + 5 * plus[seat] - 5 * minus[seat]);
      G.sheet.push({ bids: G.bids, tricks, points });
      points.forEach((more, seat) => { G.totals[seat] += more; });
      G.round += 1;
      G.bids = Array(PLAYERS).fill(null);
    },
  },
  playerView: ({ G, playerID }) => ({
    ...G,
    bids: G.bids.includes(null) ? G.bids.map((bid, seat) => (String(seat) === playerID || bid === null ? bid : "sealed")) : G.bids,
  }),
};

const [, , port, kind, place] = process.argv;
const kinds = {
  memory: () => undefined,
  flatfile: () => new FlatFile({ dir: place }),
  postgres: () => new (from("bgio-postgres").PostgresStore)(place, { logging: false }),
};
const server = Server({ games: [rage], db: kinds[kind](), origins: ["http://127.0.0.1"] });
server.run({ port: Number(port), callback: () => console.log("ready") });
