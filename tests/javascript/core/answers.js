// Answers requests to the core, a JSON list on stdin, by a JSON list on stdout: for ../test_core.py.

import { readFileSync } from "node:fs";

import { CoreError, loadCore } from "../../../src/damas/server/static/core/core.js";
import { readPdn } from "../../../src/damas/server/static/core/pdn-reader.js";
import { writePdn } from "../../../src/damas/server/static/core/pdn-writer.js";
import { reportOf } from "../../../src/damas/server/static/local/report.js";

const MODULES = new URL("../../../src/damas/server/static/core/", import.meta.url);
const core = await loadCore(new URL(process.argv[2] ?? "damas-core.wasm", MODULES));
/** @type {Map<string, import("../../../src/damas/server/static/core/engine.js").Engine>} */
const engines = new Map();

/** @param {string} id @param {string} [network] */
function engineOf(id, network) {
  let engine = engines.get(id);
  if (!engine) {
    engine = core.rulebook(id).engine({ network: network ? readFileSync(network) : null, hashMb: 1 });
    engines.set(id, engine);
  }
  engine.forget();
  return engine;
}

/** @param {() => unknown} ask */
function caught(ask) {
  try {
    return ask();
  } catch (error) {
    if (error instanceof CoreError) return { problems: error.problems, refusal: error.refusal };
    throw error;
  }
}

/** @type {Record<string, (request: any) => unknown>} any: each kind of request has its own fields */
const ANSWERS = {
  ids: () => core.ids,
  perft: ({ book, fen, depth }) => core.rulebook(book).perft(fen, depth),
  view: ({ book, settings }) => caught(() => core.rulebook(book).game(settings).view),
  refusal: ({ book, settings, text }) =>
    caught(() => ({ refusal: core.rulebook(book).game(settings).refusal(text) })),
  search: ({ book, settings, limits, network }) => {
    const game = core.rulebook(book).game(settings);
    const { seconds: _, ...result } = engineOf(book, network).search(game, limits);
    return result;
  },
  report: ({ book, searched, better }) => reportOf(core.rulebook(book), searched, better),
  readPdn: ({ text, rulebook }) => readPdn(core, text, { rulebook }),
  writePdn: ({ tree }) => writePdn(core, tree),
  choose: ({ book, settings, network, level, seed }) =>
    engineOf(book, network).choose(core.rulebook(book).game(settings), { level, seed }),
  /** The result of a game between two levels, and the pieces that were left. */
  playOut: ({ book, fen, network, levels }) => {
    let game = core.rulebook(book).position(fen);
    const engine = engineOf(book, network);
    while (!game.outcome) game = game.play(/** @type {string} */ (engine.choose(game,
      { level: levels[game.turn] })));
    return [game.outcome.result, game.outcome.reason];
  },
  probe: ({ book, fen }) => core.rulebook(book).probe(core.rulebook(book).position(fen)),
};

/** @type {{kind: string}[]} */
const requests = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(requests.map((request) => ANSWERS[request.kind](request))));
