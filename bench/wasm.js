// Measures the core in node: one JSON request a line, one answer a line. Asked by bench/wasm.py.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

import { loadCore } from "../src/damas/server/static/core/core.js";

/** Processor time is counted in steps of some milliseconds: a round lasts longer. */
const LEAST_S = 0.3;

const core = await loadCore();
for await (const line of createInterface({ input: process.stdin })) {
  const { book: id, depth, nodes, network } = JSON.parse(line);
  const book = core.rulebook(id);
  const engine = nodes ? book.engine({ network: network ? readFileSync(network) : null, hashMb: 16 }) : null;
  const game = book.game();
  const before = process.threadCpuUsage();
  let count = 0;
  let seconds = 0;
  while (seconds < LEAST_S) {
    engine?.forget();
    count += engine ? engine.search(game, { nodes }).nodes : book.perft("", depth);
    const { user, system } = process.threadCpuUsage(before);
    seconds = (user + system) / 1e6;
  }
  engine?.free();
  console.log(JSON.stringify({ count, seconds }));
}
