/** The engine in this browser: lines of a position as they get deeper, and the best lines of a whole game. */

import { api, ApiError } from '../lib/api.js';
import { CoreWorker, isCoreFailure } from './core-worker.js';

/** @import { EngineResultView } from '../lib/messages.js' */
/** @import { FoundLine } from './scores.js' */

/**
 * @typedef {object} Place in a game
 * @property {string} rulebook
 * @property {string} fen
 * @property {string[]} moves
 * @property {string} game id of a game of this server, or empty
 */

/** Nodes searched for each move of a report. */
const REPORT_NODES = 100_000;
/** The moves of a line that a report has, and of a long game's, which must fit into one request. */
const LINE_MOVES = 12, LONG_GAME_LINE_MOVES = 4;
const LONG_GAME_PLIES = 250;
/** A module with one SIMD instruction: browsers without them do not take the core. */
const SIMD_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10,
  1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

/** Whether the core can run here. */
export function canRunCore() {
  return 'Worker' in window && 'WebAssembly' in window && WebAssembly.validate(SIMD_MODULE);
}

/** @type {CoreWorker | null} */
let core = null;

/** Ends a worker whose search failed, with whatever its threads still search. @param {CoreWorker} worker */
function close(worker) {
  worker.close();
  if (core === worker) core = null;
}

/**
 * Throws an `ApiError` where the visitor is playing this game: nobody gets help then. Without a network
 * nobody can say, and nothing can be played on the server either.
 * @param {Place} place
 */
async function checkFairPlay({ rulebook, fen, moves, game }) {
  try {
    await api.post('/api/analysis/fair', { rulebook, fen, moves, game });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 0) throw error;
  }
}

/**
 * The messages of the server's stream, from this browser. Ends when `signal` is aborted. Throws an `ApiError`
 * where help is refused, and a `CoreFailure` where the core cannot run.
 * @param {Place} place @param {number} lines @param {AbortSignal} signal
 * @returns {AsyncGenerator<EngineResultView>}
 */
export async function* deviceLines(place, lines, signal) {
  const { rulebook, fen, moves } = place;
  const controller = new AbortController();
  signal.addEventListener('abort', () => controller.abort());
  /** @type {{result: EngineResultView | null, isDone: boolean}} */
  const latest = { result: null, isDone: false };
  let wake = () => {};
  const report = (/** @type {EngineResultView} */ result) => {
    latest.result = result;
    wake();
  };
  const worker = core ??= new CoreWorker('threads');
  const search = worker.ask('analyse', { rulebook, fen, moves, lines }, { report, signal: controller.signal })
    .then(report).finally(() => {
      latest.isDone = true;
      wake();
    });
  search.catch(() => {}); // it is awaited below, unless help is refused before
  try {
    await checkFairPlay(place);
    while (latest.result || !latest.isDone) {
      if (!latest.result) await new Promise((resolve) => { wake = () => resolve(undefined); });
      const { result } = latest;
      latest.result = null;
      if (result) yield result;
    }
    await search;
  } catch (error) {
    if (isCoreFailure(error)) close(worker);
    throw error;
  } finally {
    controller.abort();
  }
}

/**
 * The best line at each ply of a game, the position after its last move included: from the last to the first,
 * as what comes later is then in the memory of the search.
 * @param {Place} place @param {(done: number) => void} onProgress @param {AbortSignal} signal
 * @returns {Promise<FoundLine[]>}
 */
export async function searchGame(place, onProgress, signal) {
  await checkFairPlay(place);
  const { rulebook, fen, moves } = place;
  const shown = moves.length > LONG_GAME_PLIES ? LONG_GAME_LINE_MOVES : LINE_MOVES;
  /** @type {FoundLine[]} */
  const found = [];
  const worker = new CoreWorker(); // of its own, so that lines on the board do not wait
  try {
    for (let ply = moves.length; ply >= 0; ply -= 1) {
      await whileHidden();
      signal.throwIfAborted();
      const question = { rulebook, fen, moves: moves.slice(0, ply), goesOn: ply < moves.length };
      /** @type {FoundLine} */
      const best = await worker.ask('best', { ...question, nodes: REPORT_NODES });
      found.unshift({ ...best, moves: best.moves.slice(0, shown) });
      onProgress(found.length);
    }
    return found;
  } finally {
    worker.close();
  }
}

/** Waits until somebody looks at the page. */
async function whileHidden() {
  if (!document.hidden) return;
  await new Promise((resolve) => { document.addEventListener('visibilitychange', resolve, { once: true }); });
}
