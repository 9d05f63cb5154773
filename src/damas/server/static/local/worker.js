/** The core in a thread of its own: answers one question after the other, and sleeps when there is none. */

import { CoreError, loadCore } from '../core/core.js';

/** @import { Engine } from '../core/engine.js' */
/** @import { GameSettings } from '../core/types.js' */

const loading = loadCore();
/** @type {Map<string, Promise<Engine>>} */
const engines = new Map();

/** @param {string} id */
async function makeEngine(id) {
  const book = (await loading).rulebook(id);
  const network = book.network ? await fetch(`/static/networks/${book.network}`) : null;
  const bytes = network?.ok ? new Uint8Array(await network.arrayBuffer()) : null;
  return book.engine({ network: bytes, hashMb: 16 });
}

/** @param {string} id */
function engineOf(id) {
  let engine = engines.get(id);
  if (!engine) {
    engines.set(id, (engine = makeEngine(id)));
    engine.catch(() => engines.delete(id)); // it may succeed the next time
  }
  return engine;
}

const answers = {
  /** The names of the squares, in FEN and in moves. @param {{rulebook: string}} question */
  async names({ rulebook }) {
    const { squareNames, moveNames } = (await loading).rulebook(rulebook);
    return { squareNames, moveNames };
  },
  /** @param {{rulebook: string, game: GameSettings}} question */
  async view({ rulebook, game }) {
    return (await loading).rulebook(rulebook).game(game).view;
  },
  /** @param {{rulebook: string, game: GameSettings, move: string}} question */
  async refusal({ rulebook, game, move }) {
    return (await loading).rulebook(rulebook).game(game).refusal(move);
  },
  /** @param {{rulebook: string, game: GameSettings, level: number, seed: number}} question */
  async choose({ rulebook, game, level, seed }) {
    const engine = await engineOf(rulebook);
    return engine.choose((await loading).rulebook(rulebook).game(game), { level, seed, movetime: 1 });
  },
};

const worker = /** @type {DedicatedWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener('message', async ({ data: { n, ask, question } }) => {
  try {
    const answerTo = /** @type {(question: unknown) => unknown} */ (
      /** @type {unknown} */ (answers[/** @type {keyof typeof answers} */ (ask)]));
    const answer = await answerTo(question);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    worker.postMessage({ n, answer });
  } catch (error) {
    const problems = error instanceof CoreError ? error.problems : null;
    const refusal = error instanceof CoreError ? error.refusal : null;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    worker.postMessage({ n, error: { message: String(error), problems, refusal } });
  }
});
