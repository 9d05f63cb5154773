/** The core in a thread of its own: answers one question after the other, and sleeps when there is none. */

import { CoreError, loadCore } from '../core/core.js';
import { LevelPlayer } from '../core/levels.js';
import { gameAfter, lineOf, startOf } from '../core/lines.js';
import { readPdn } from '../core/pdn-reader.js';
import { writePdn } from '../core/pdn-writer.js';
import { LEVELS } from '../core/rulebooks.js';
import { findExercise, judge, tableSizes } from './endings.js';
import { compare } from './lens.js';
import { reportOf } from './report.js';
import { ENDS_AFTER_MOVE_MS, SearchThreads, threadsHere } from './search-threads.js';
import { withoutLaws } from './rulebook-texts.js';
import { searchView } from './scores.js';
import { Session } from './table/session.js';

/** @import { Engine } from '../core/engine.js' */
/** @import { GameSettings, PdnTree, Result } from '../core/types.js' */
/** @import { CommandMessage } from '../lib/messages.js' */
/** @import { Exercise } from './endings.js' */
/** @import { LocalWordsView } from './messages.js' */
/** @import { LocalGameRecord } from './records.js' */
/** @import { FoundLine } from './scores.js' */

/** @typedef {{record: LocalGameRecord, language: string, now_ms: number}} AtTable */

/** @typedef {{signal: AbortSignal, report: (progress: unknown) => void}} Progress of a long answer */
/** @typedef {{rulebook: string, fen: string, moves: string[]}} Place in a game */

/** How long and how deep a position is searched. */
const ANALYSIS_S = 30;
const MAX_DEPTH_PLIES = 60;

/** Memory of a level's engine as on the server, where what it plays depends on it; and of an analysis. */
const LEVEL_HASH_MB = 2;
const ANALYSIS_HASH_MB = 16;

const loading = loadHere();
/** @type {Map<string, Promise<Engine>>} */
const engines = new Map();
/** @type {Map<string, Promise<Engine>>} */
const levelEngines = new Map();
/** @type {Map<string, Promise<LocalWordsView>>} */
const words = new Map();
/** The game that is being played. @type {{id: string, language: string, session: Session} | null} */
let current = null;

/**
 * What a map has, or what is loaded into it; a failure is tried again the next time.
 * @template Value
 * @param {Map<string, Promise<Value>>} map @param {string} key @param {(key: string) => Promise<Value>} load
 */
function loaded(map, key, load) {
  const known = map.get(key) ?? load(key);
  map.set(key, known);
  known.catch(() => map.delete(key));
  return known;
}

/** The core that this worker was started for; one thread where more cannot be had. */
async function loadHere() {
  const single = new URL('../core/damas-core.wasm', import.meta.url);
  if (self.name !== 'threads' || threadsHere() === 1) return loadCore(single);
  return loadCore(new URL('../core/damas-core-threads.wasm', import.meta.url)).catch(() => loadCore(single));
}

const loadingThreads = loading.then((core) => new SearchThreads(core));

/** @param {string} id @param {number} hashMb @param {number} [threads] */
async function makeEngine(id, hashMb, threads = 1) {
  const book = (await loading).rulebook(id);
  const network = book.network ? await fetch(`/static/networks/${book.network}`) : null;
  const bytes = network?.ok ? new Uint8Array(await network.arrayBuffer()) : null;
  return book.engine({ network: bytes, hashMb, threads });
}

/**
 * The engine of an analysis. That of another rulebook gives its memory back first: threads share no more than
 * a few engines need.
 * @param {string} id
 */
async function engineOf(id) {
  for (const [other, engine] of engines) {
    if (other === id) continue;
    engines.delete(other);
    (await engine.catch(() => null))?.free();
  }
  const { count } = await loadingThreads;
  return loaded(engines, id, () => makeEngine(id, ANALYSIS_HASH_MB, count));
}

/** Whether a level thinks by the clock, as it counts no positions. @param {number} level */
const isTimed = (level) => LEVELS.levels[level - 1][1] === null;

/** @param {string} id @param {number} level */
function levelEngineOf(id, level) {
  return isTimed(level) ? engineOf(id) : loaded(levelEngines, id, () => makeEngine(id, LEVEL_HASH_MB));
}

/**
 * Lets a level choose. One thread and always the same memory find the same on every device; the level that
 * thinks by the clock has what an analysis has.
 * @template Answer
 * @param {string} id @param {number} level @param {(engine: Engine) => Answer} choose
 * @returns {Promise<Answer>}
 */
async function atLevel(id, level, choose) {
  const engine = await levelEngineOf(id, level), threads = await loadingThreads;
  if (!isTimed(level)) return choose(engine);
  return threads.during(async () => {
    await threads.started();
    return choose(engine);
  }, ENDS_AFTER_MOVE_MS);
}

/** @param {string} language @returns {Promise<LocalWordsView>} */
async function loadWords(language) {
  return (await fetch(`/words/local/${language}.json`)).json();
}

/** The table of a record: the one that is open, or made from its events. @param {AtTable} question */
async function sessionOf({ record, language }) {
  const { id, rulebook, events } = record;
  const isOpen = current?.id === id && current.language === language
    && current.session.hasSeen(events);
  if (current && isOpen) return current.session;
  // It is asked soon, and its network comes while the words do.
  if (record.level !== null && !record.result) levelEngineOf(rulebook, record.level).catch(() => {});
  const book = (await loading).rulebook(rulebook);
  const session = new Session(book, await loaded(words, language, loadWords), record);
  current = { id, language, session };
  return session;
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
  /**
   * How a move text is read.
   * @param {{rulebook: string, game: GameSettings, bare?: boolean, move: string}} question
   */
  async reading(question) {
    return (await gameOf(question)).reading(question.move);
  },
  /**
   * The move of a level.
   * @param {{rulebook: string, game: GameSettings, level: number, seed: number, movetime?: number}} question
   *   `movetime`: seconds of the level that thinks by the clock
   */
  async choose({ rulebook, game, level, seed, movetime }) {
    const place = (await loading).rulebook(rulebook).game(game);
    return atLevel(rulebook, level, (engine) => engine.choose(place, { level, seed, movetime }));
  },
  /** The table as the page shows it. @param {AtTable} question */
  async table(question) {
    return (await sessionOf(question)).view(question.now_ms);
  },
  /**
   * The position of a game after other moves, or another position, as the page shows it.
   * @param {AtTable & {fen?: string, moves: string[]}} question
   */
  async position({ fen, moves, ...question }) {
    return (await sessionOf(question)).earlier(moves, fen);
  },
  /**
   * Why a move may not be played at the table or in a position.
   * @param {AtTable & {fen?: string, move: string}} question
   */
  async explain({ fen, move, ...question }) {
    return (await sessionOf(question)).explain(move, fen);
  },
  /** What a command of the page does. @param {AtTable & {command: CommandMessage}} question */
  async command({ command, ...question }) {
    return (await sessionOf(question)).command(command, question.now_ms);
  },
  /** Whether a flag has fallen, and what then. @param {AtTable} question */
  async flag(question) {
    return (await sessionOf(question)).flag(question.now_ms);
  },
  /** What the computer does, if it has anything to do. @param {AtTable} question */
  async computer(question) {
    const session = await sessionOf(question), { record, now_ms: began } = question;
    if (!session.isComputerAwaited || record.level === null) return null;
    const { rulebook, level, created_ms: createdMs } = record, asked = performance.now();
    const now = () => began + Math.round(performance.now() - asked);
    return atLevel(rulebook, level, (engine) =>
      session.letComputerAct(new LevelPlayer(engine, level, createdMs % 2 ** 31), began, now));
  },
  /** @param {{rulebooks: string[], fen: string}} question */
  async lens(question) {
    return compare(await loading, question);
  },
  /** @param {{rulebook: string, game: GameSettings}} question */
  async judge({ rulebook, game }) {
    return judge(await loading, rulebook, game);
  },
  /** @param {{rulebook: string}} question */
  async tableSizes({ rulebook }) {
    return tableSizes(await loading, rulebook);
  },
  /** @param {Exercise} question */
  async exercise(question) {
    return findExercise(await loading, question);
  },
  /**
   * The positions of a line from a ply on; where a move cannot be played it ends, and `failure` says why.
   * @param {Place & {since?: number}} question
   */
  async line({ rulebook, fen, moves, since = 0 }) {
    return lineOf((await loading).rulebook(rulebook), { fen, moves, since });
  },
  /** The games of a PDN. @param {{text: string, rulebook: string}} question */
  async readPdn({ text, rulebook }) {
    return readPdn(await loading, text, { rulebook });
  },
  /** A game as PDN. @param {PdnTree} tree */
  async writePdn(tree) {
    return writePdn(await loading, tree);
  },
  /**
   * The best lines, reported as they get deeper.
   * @param {Place & {lines: number}} question @param {Progress} progress
   */
  async analyse({ lines, ...place }, { signal, report }) {
    const game = gameAfter((await loading).rulebook(place.rulebook), place);
    if (!game.legal.length) return { done: 'over', lines: [] };
    const engine = await engineOf(place.rulebook), threads = await loadingThreads;
    const limits = { movetime: ANALYSIS_S, depth: MAX_DEPTH_PLIES, lines };
    const onInfo = (/** @type {Result} */ result) => report(searchView(game, result, threads.ready));
    const result = await threads.during(() => engine.analyse(game, limits, { signal, onInfo }));
    return searchView(game, result, threads.ready, 'time');
  },
  /**
   * The best line; none where the game is over, unless the players went on.
   * @param {Place & {nodes: number, goesOn: boolean}} question @returns {Promise<FoundLine>}
   */
  async best({ nodes, goesOn, ...place }) {
    const book = (await loading).rulebook(place.rulebook);
    const played = gameAfter(book, place);
    const game = played.outcome && goesOn ? startOf(book, played.fen) : played;
    if (!game.legal.length) return { score: 0, moves: [] };
    const [line] = (await engineOf(place.rulebook)).search(game, { nodes }).lines;
    return { score: line.score, moves: line.moves };
  },
  /**
   * The report on a game by the best line at each ply; `better` is the sentence of a mistake.
   * @param {Place & {lines: FoundLine[], better: Record<string, string>}} question
   */
  async report({ rulebook, better, ...searched }) {
    return reportOf((await loading).rulebook(rulebook), searched, better);
  },
};

const worker = /** @type {DedicatedWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** Long answers that are under way, by the number of their question. @type {Map<number, AbortController>} */
const running = new Map();

/** @param {object} message */
function send(message) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
  worker.postMessage(message);
}

worker.addEventListener('message', async ({ data: { n, ask, question } }) => {
  if (ask === 'stop') return running.get(n)?.abort();
  const controller = new AbortController();
  running.set(n, controller);
  try {
    const answerTo = /** @type {(question: unknown, progress: Progress) => unknown} */ (
      /** @type {unknown} */ (answers[/** @type {keyof typeof answers} */ (ask)]));
    const report = (/** @type {unknown} */ progress) => send({ n, progress });
    send({ n, answer: await answerTo(question, { signal: controller.signal, report }) });
  } catch (error) {
    const problems = error instanceof CoreError ? error.problems : null;
    const refusal = error instanceof CoreError ? error.refusal : null;
    send({ n, error: { message: String(error), problems, refusal } });
  } finally {
    running.delete(n);
  }
});
