/** Endings to practise: the endgame tables that the core makes in this browser judge and defend. */

import { notFound } from './errors.js';
import { frameView } from './games.js';
import { playedGame } from './rules.js';

/** @import { BoardProbedMoveView, BoardProbeView, Ending, EndingReply } from '../../lib/types.js' */
/** @import { LocalLearningView, NoProbeView, RulebookPageView } from '../../lib/types.js' */
/** @import { GameView as CoreView } from '../../core/types.js' */
/** @import { Judgement, JudgedMove, Value } from '../endings.js' */
/** @import { Sentences } from '../sentences.js' */
/** @import { Handler, Handlers, Tools } from './handler.js' */

const LETTER = { platformRules: false, claims: false };
const SEEDS = 2 ** 31;

/** @param {Value} value @returns {Value} */
const turned = (value) => /** @type {const} */ ({ win: 'loss', draw: 'draw', loss: 'win' })[value];

/** win, cursed-win, draw, blessed-loss or loss. @param {Value} value @param {Value} unlimited */
function verdictName(value, unlimited) {
  if (value !== 'draw' || unlimited === 'draw') return value;
  return unlimited === 'win' ? 'cursed-win' : 'blessed-loss';
}

/** @param {JudgedMove} move @param {Sentences} sentences @returns {BoardProbedMoveView} */
function probedMove({ text, route, captured, promotes, value, ends, after }, sentences) {
  const verdict = verdictName(value, after ? turned(after.unlimited) : value);
  const plies = after?.plies === null || !after ? null : after.plies + 1;
  return { text, route, captured, promotes, verdict, value, plies, ends,
    name: sentences.sentence(`tablebase.name.${verdict}`) };
}

/**
 * What the tables say of a position and of each of its moves. The count in force is in the value, and not in
 * words: `limit` and `budget` stay empty.
 * @param {Judgement} judgement @param {CoreView} view @param {Sentences} sentences @returns {BoardProbeView}
 */
function probeView({ value, free, moves }, view, sentences) {
  const { unlimited, plies } = free;
  const other = view.turn === 'white' ? 'black' : 'white';
  const decided = value === 'draw' ? unlimited : value;
  const winner = decided === 'win' ? view.turn : other;
  const ownMoves = Math.floor(((plies ?? 0) + (decided === 'win' ? 1 : 0)) / 2);
  const message = sentences.sentence(`tablebase.${sentenceKey(value, unlimited)}`,
    { winner: sentences.sentence(`color.${winner}`), moves: ownMoves });
  return {
    there: true, verdict: verdictName(value, unlimited), value, unlimited, plies, budget: null,
    winner: value === 'draw' ? null : winner, limit: null, left_out: [], message, sentence: message,
    moves: moves.map((move) => probedMove(move, sentences)),
  };
}

/** @param {Value} value @param {Value} unlimited */
function sentenceKey(value, unlimited) {
  if (value !== 'draw') return 'wins';
  return unlimited === 'draw' ? 'draw' : 'cursed_later';
}

/**
 * A game with what the tables say of it; without them where it is over.
 * @param {string} rulebook @param {string} fen @param {string[]} moves @param {Tools} tools
 */
async function judged(rulebook, fen, moves, tools) {
  const game = { fen, moves, customs: LETTER };
  /** @type {CoreView} */
  const view = await tools.core.ask('view', { rulebook, game });
  const sentences = await tools.sentences(rulebook);
  /** @type {Judgement | null} */
  const judgement = view.outcome ? null : await tools.core.ask('judge', { rulebook, game });
  const verdict = judgement && probeView(judgement, view, sentences);
  return { view, frame: frameView(view, sentences), verdict };
}

/** @type {Handler} */
async function ending({ body }, tools) {
  /** @type {{rulebook: string, ending: string, seed?: number}} */
  const { rulebook, ending: id, seed = Math.floor(Math.random() * SEEDS) } = body;
  /** @type {LocalLearningView} */
  const { endings } = await tools.load(`/words/learning/${tools.language}.json`);
  const chosen = endings.find((each) => each.id === id);
  if (!chosen) throw await notFound(tools);
  /** @type {RulebookPageView} */
  const { board } = await tools.load(`/api/rulebook/${rulebook}`);
  const pieces = piecesOf(chosen, board);
  const { goal } = chosen;
  /** @type {string} */
  const fen = await tools.core.ask('exercise', { rulebook, pieces, goal, seed });
  const { frame, verdict } = await judged(rulebook, fen, [], tools);
  /** @type {Ending} */
  const view = { rulebook, ending: id, goal, fen, view: frame,
    verdict: /** @type {BoardProbeView} */ (verdict) };
  return view;
}

/**
 * The pieces of an ending with the squares where each may stand: no man on its last two rows, and a lone king
 * on the main diagonal or off it, where the ending says so.
 * @param {LocalLearningView['endings'][number]} ending @param {RulebookPageView['board']} board
 */
function piecesOf({ mine, theirs, on_diagonal: onDiagonal }, { squares, size, main_diagonal: diagonal }) {
  const all = squares.map((_, square) => square);
  const place = (/** @type {string} */ kind, /** @type {boolean} */ isOwn, /** @type {boolean} */ isLone) => {
    const rowsBehind = (/** @type {number} */ square) =>
      (isOwn ? squares[square].row : size - 1 - squares[square].row);
    const letter = isOwn ? 'W' : 'B';
    if (kind === 'M') {
      return { letter: letter.toLowerCase(), squares: all.filter((square) => rowsBehind(square) < size - 2) };
    }
    const bound = isLone && onDiagonal !== null;
    return { letter, squares: all.filter((square) => !bound || diagonal.includes(square) === onDiagonal) };
  };
  const isOwnLone = mine.length === 1;
  return [
    ...[...mine].map((kind) => place(kind, true, isOwnLone)),
    ...[...theirs].map((kind, index) => place(kind, false, !isOwnLone && index === theirs.length - 1)),
  ];
}

/** @type {Handler} */
async function endingReply({ body }, tools) {
  /** @type {{rulebook: string, fen: string, moves: string[]}} */
  const { rulebook, fen, moves } = body;
  const before = await judged(rulebook, fen, moves.slice(0, -1), tools);
  const after = await judged(rulebook, fen, moves, tools);
  const played = after.view.last?.text ?? '';
  const [best] = before.verdict?.moves ?? [];
  const own = before.verdict?.moves.find(({ text }) => text === played);
  const reply = after.verdict?.moves[0]?.text ?? null;
  const last = reply === null ? after : await judged(rulebook, fen, [...moves, reply], tools);
  /** @type {EndingReply} */
  const view = {
    played, kept: own?.value === best.value, best, reply, after_move: after.frame, view: last.frame,
    verdict: last.verdict, won: last.view.outcome?.winner === 'white',
  };
  return view;
}

/** What the tables say of a position on the analysis board, or why they say nothing here. @type {Handler} */
async function tablebase({ body }, tools) {
  /** @type {{rulebook: string, fen?: string, moves?: string[]}} */
  const { rulebook, fen = '', moves = [] } = body;
  const view = await playedGame({ rulebook, fen, moves, customs: LETTER }, tools);
  const sentences = await tools.sentences(rulebook);
  const { outcome } = frameView(view, sentences);
  if (outcome) return noProbe('OVER', outcome.message);
  const letters = Object.values(view.pieces), pieces = letters.length;
  /** @type {{kings: number, men: number, isLeftOut: boolean}} */
  const { isLeftOut, ...most } = await tools.core.ask('tableSizes', { rulebook });
  if (!most.kings) {
    const message = sentences.sentence('error.no_tables_for_rules', { book: rulebook });
    return noProbe('NO_TABLES_FOR_RULES', message);
  }
  if (isLeftOut) return noProbe('NO_TABLE_HERE', sentences.sentence('tablebase.rules_not_here'));
  const hasMen = letters.some((letter) => letter === letter.toLowerCase());
  if (pieces > (hasMen ? most.men : most.kings)) {
    return noProbe('NO_TABLE_HERE', sentences.sentence('tablebase.not_here', { pieces, ...most }));
  }
  /** @type {Judgement} */
  const judgement = await tools.core.ask('judge', { rulebook, game: { fen, moves, customs: LETTER } });
  return probeView(judgement, view, sentences);
}

/** @param {string} code @param {string} message @returns {NoProbeView} */
const noProbe = (code, message) => ({ there: false, code, message, sentence: message });

/** @type {Handlers} */
export const ENDINGS = {
  'POST /api/endings': ending,
  'POST /api/endings/reply': endingReply,
  'POST /api/tablebase': tablebase,
};
