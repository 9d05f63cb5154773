/** Endings, in the worker: what the endgame tables say of a game, and positions to practise. */

import { fenOfPieces } from './positions.js';
import { withLines } from './rulebook-texts.js';

/** @import { Core, Game, Rulebook } from '../core/core.js' */
/** @import { Engine } from '../core/engine.js' */
/** @import { GameSettings, PlayedMove, Verdict } from '../core/types.js' */

/**
 * @typedef {'win' | 'draw' | 'loss'} Value
 * @typedef {PlayedMove & {value: Value, ends: string | null, after: Verdict | null}} JudgedMove
 *   `value` is for the side that moves, `after` for the other
 * @typedef {{value: Value, free: Verdict, moves: JudgedMove[]}} Judgement `free` is without limits
 */

/** Scores beyond it say who wins. */
const DECIDED = 25_000;
const HASH_MB = 4;
/** A ply beyond the move itself: the tables judge what is then on the board. */
const DEPTH = 2;
/** Random positions that are tried for one exercise. */
const TRIES = 400;
/** An ending that is won in fewer plies is no exercise. */
const MIN_PLIES = 5;
const CUSTOMS = { platformRules: false, claims: false };

/** @type {Map<string, {book: Rulebook, engine: Engine}>} */
const prepared = new Map();

/**
 * A rulebook with its tables, made when they are first needed. Those with men are left out where no man is
 * on the board: they would take ten times as long.
 * @param {Core} core @param {string} id @param {Record<string, string>} pieces
 */
function withTables(core, id, pieces) {
  const letters = Object.values(pieces);
  const hasMen = letters.some((letter) => letter === letter.toLowerCase());
  const key = `${id} ${letters.length} ${hasMen}`;
  const cached = prepared.get(key);
  if (cached) return cached;
  const book = withLines(core, id, (line) => hasMen || !/^table (?!0 \d+ 0 )/.test(line));
  const engine = book.engine({ hashMb: HASH_MB, platformRules: false });
  core.call('use_tables', engine.number, letters.length, hasMen ? letters.length : 0);
  prepared.set(key, { book, engine });
  return { book, engine };
}

/** @param {number} score @returns {Value} */
function valueOf(score) {
  if (Math.abs(score) < DECIDED) return 'draw';
  return score > 0 ? 'win' : 'loss';
}

/** The most pieces of tables with men that do not keep anybody waiting. */
const MAX_WITH_MEN = 3;

/**
 * The most pieces, of kings alone and with men, whose tables are made here; none where the rules have no
 * tables, and `isLeftOut` where those of the server know what these do not.
 * @param {Core} core @param {string} id
 */
export function tableSizes(core, id) {
  const { tablePieces: kings, hasRests } = core.rulebook(id);
  return { kings, men: Math.min(kings, MAX_WITH_MEN), isLeftOut: hasRests };
}

/**
 * The value of a game's last position and of each of its moves, the best first: what the limits have counted
 * so far counts. For as many pieces as the core has tables for.
 * @param {Core} core @param {string} id @param {GameSettings} settings @returns {Judgement}
 */
export function judge(core, id, settings) {
  const { pieces } = core.rulebook(id).game({ ...settings, customs: CUSTOMS });
  const { book, engine } = withTables(core, id, pieces);
  const game = book.game({ ...settings, customs: CUSTOMS });
  const { lines } = engine.search(game, { depth: DEPTH, lines: game.legal.length });
  const values = new Map(lines.map(({ moves: [text], score }) => [text, valueOf(score)]));
  const moves = game.legal.map(({ text }) => judgedMove(book, game.play(text), values.get(text) ?? 'draw'))
    .sort((a, b) => compareOrders(orderOf(b), orderOf(a)));
  const free = book.probe(game);
  if (!free) throw new RangeError(`no table of ${id} has ${game.fen}`);
  return { value: moves[0].value, free, moves };
}

/** @param {Rulebook} book @param {Game} next @param {Value} value @returns {JudgedMove} */
function judgedMove(book, next, value) {
  const { last, outcome } = next;
  const played = /** @type {PlayedMove} */ (last);
  return { ...played, value, ends: outcome?.reason ?? null, after: outcome ? null : book.probe(next) };
}

const SIGNS = { win: 1, draw: 0, loss: -1 };

/**
 * By what moves are put in order: the value, what it is without limits, and then the soonest win and the
 * latest loss. What counts is in the value, so the soonest win among those that are in time is taken.
 * @param {JudgedMove} move
 */
function orderOf({ value, after }) {
  const sign = SIGNS[value];
  if (!after) return [sign, 1, 0];
  const free = -SIGNS[after.unlimited], plies = after.plies ?? 0;
  if (sign) return [sign, free * sign, -sign * plies];
  return [0, free, free > 0 ? -plies : plies];
}

/** @param {number[]} a @param {number[]} b */
function compareOrders(a, b) {
  return a.map((number, index) => number - b[index]).find((difference) => difference) ?? 0;
}

/** Numbers from 0 to 1, the same for the same seed. @param {number} seed */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * @typedef {object} Exercise
 * @property {string} rulebook
 * @property {{letter: string, squares: number[]}[]} pieces each with the squares where it may stand
 * @property {'win' | 'draw'} goal of White, who is to move
 * @property {number} seed
 */

/**
 * The FEN of a quiet position in which the goal can be reached, and not at once if there is such a one.
 * @param {Core} core @param {Exercise} exercise
 */
export function findExercise(core, { rulebook: id, pieces, goal, seed }) {
  const random = randomNumbers(seed);
  const { squareNames } = core.rulebook(id);
  let fallback = '';
  for (let tries = 0; tries < TRIES; tries += 1) {
    const placed = Object.fromEntries(pieces.map(({ letter, squares }) =>
      [squares[Math.floor(random() * squares.length)], letter]));
    if (Object.keys(placed).length < pieces.length) continue; // two on one square
    const fen = quietFen(core, id, placed, squareNames);
    if (!fen) continue;
    const { value, free } = judge(core, id, { fen });
    if (value !== goal) continue;
    if (goal !== 'win' || (free.plies ?? 0) >= MIN_PLIES) return fen;
    fallback ||= fen;
  }
  return fallback;
}

/**
 * The FEN if neither side can capture and the game goes on, else nothing.
 * @param {Core} core @param {string} id @param {Record<string, string>} placed
 * @param {readonly string[]} names
 */
function quietFen(core, id, placed, names) {
  try {
    const [own, other] = ['white', 'black'].map((turn) =>
      core.rulebook(id).game({ fen: fenOfPieces(placed, turn, names), customs: CUSTOMS }).view);
    const isQuiet = !own.must_capture && !other.must_capture && !own.outcome && own.legal.length > 0;
    return isQuiet ? own.fen : '';
  } catch {
    return ''; // pieces that may not stand so
  }
}
