// Searches with two threads in node, for `../test_core.py`: prints what happened as JSON.

import { Worker } from "node:worker_threads";

import { loadCore } from "../../../src/damas/server/static/core/core.js";
import { Threads } from "../../../src/damas/server/static/core/threads.js";

const CORE = new URL("../../../src/damas/server/static/core/", import.meta.url);
const NODES = 200_000;

/** A worker of node with the functions of a browser's. @param {string} thread module that it runs */
function makeWorker(thread) {
  const worker = new Worker(`
    const { parentPort } = require('node:worker_threads');
    globalThis.self = {
      addEventListener: (_, listener) => parentPort.once('message', (data) => listener({ data })),
      postMessage: (message) => parentPort.postMessage(message),
      close: () => parentPort.close(),
    };
    import(${JSON.stringify(thread)});`, { eval: true });
  return /** @type {globalThis.Worker} */ (/** @type {unknown} */ ({
    addEventListener: (/** @type {string} */ type, /** @type {(event: unknown) => void} */ listener) =>
      worker.on(type, (data) => listener({ data })),
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    postMessage: (/** @type {unknown} */ data) => worker.postMessage(data),
    terminate: () => worker.terminate(),
  }));
}

/** @param {Threads} threads @param {number} count */
async function waitFor(threads, count) {
  while (threads.ready !== count) await new Promise((resolve) => setTimeout(resolve, 5));
}

const core = await loadCore(new URL("damas-core-threads.wasm", CORE));
const book = core.rulebook("brasileira"), game = book.game();
const threads = new Threads(core, 2, () => makeWorker(new URL("thread.js", CORE).href));
const engine = book.engine({ hashMb: 1, threads: 2 });
const alone = engine.search(game, { nodes: NODES });
const counts = [threads.ready];
for (let round = 0; round < 3; round += 1) {
  threads.start();
  await waitFor(threads, 2);
  counts.push(threads.ready);
  engine.forget();
  const { nodes, lines } = engine.search(game, { nodes: NODES });
  if (nodes < NODES || !lines[0].moves.length) throw new Error(`${nodes} nodes`);
  threads.end();
  await waitFor(threads, 1);
  counts.push(threads.ready);
}
engine.forget();
const again = engine.search(game, { nodes: NODES });

const failing = new Threads(core, 2, () => makeWorker("file:///nowhere.js"));
failing.start();
const withoutHelp = engine.search(game, { nodes: NODES }).lines.length;
const single = await loadCore();
const nothing = new Threads(single, 8, () => { throw new Error("not asked"); });
nothing.start();
process.stdout.write(JSON.stringify({
  counts, withoutHelp, single: nothing.ready,
  same: alone.nodes === again.nodes && alone.depth === again.depth,
}));
