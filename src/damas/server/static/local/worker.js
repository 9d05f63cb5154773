/** The core in a thread of its own: answers one question after the other, and sleeps when there is none. */

import { CoreError, loadCore } from '../core/core.js';
import { findExercise, judge } from './endings.js';
import { compare } from './lens.js';
import { withoutLaws } from './rulebook-texts.js';

/** @import { Engine } from '../core/engine.js' */
/** @import { GameSettings } from '../core/types.js' */
/** @import { Exercise } from './endings.js' */

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

/**
 * A game under a rulebook; `bare`: a position, which no law on draws can end.
 * @param {{rulebook: string, game: GameSettings, bare?: boolean}} question
 */
async function gameOf({ rulebook, game, bare = false }) {
  const core = await loading;
  return (bare ? withoutLaws(core, rulebook) : core.rulebook(rulebook)).game(game);
}

const answers = {
  /** The names of the squares, in FEN and in moves. @param {{rulebook: string}} question */
  async names({ rulebook }) {
    const { squareNames, moveNames } = (await loading).rulebook(rulebook);
    return { squareNames, moveNames };
  },
  /** @param {{rulebook: string, game: GameSettings, bare?: boolean}} question */
  async view(question) {
    return (await gameOf(question)).view;
  },
  /** @param {{rulebook: string, game: GameSettings, bare?: boolean, move: string}} question */
  async refusal(question) {
    return (await gameOf(question)).refusal(question.move);
  },
  /** @param {{rulebook: string, game: GameSettings, level: number, seed: number}} question */
  async choose({ rulebook, game, level, seed }) {
    const engine = await engineOf(rulebook);
    return engine.choose((await loading).rulebook(rulebook).game(game), { level, seed, movetime: 1 });
  },
  /** @param {{rulebooks: string[], fen: string}} question */
  async lens(question) {
    return compare(await loading, question);
  },
  /** @param {{rulebook: string, game: GameSettings}} question */
  async judge({ rulebook, game }) {
    return judge(await loading, rulebook, game);
  },
  /** @param {Exercise} question */
  async exercise(question) {
    return findExercise(await loading, question);
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
