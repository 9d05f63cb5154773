/** Positions, and why a move may not be played. */

import { badFen, refusalError, refusalView, unreadable } from './errors.js';
import { frameView } from './games.js';

/** @import { BoardExplanationView, BoardMoveView } from '../../lib/types.js' */
/** @import { RefusalView, RulebookPageView } from '../../lib/types.js' */
/** @import { Customs, GameView as CoreView, Reading, Refusal } from '../../core/types.js' */
/** @import { CoreFailure } from '../core-worker.js' */
/** @import { Handler, Handlers, Tools } from './handler.js' */

/** @typedef {{rulebook: string, fen?: string, moves?: string[]}} AskPosition */
/** @typedef {{rulebook: string, fen?: string, move?: string, route?: number[]}} AskExplain */

/**
 * A game as the core plays it; what the server would refuse is thrown as its error. `bare`: a position, which
 * no law on draws can end.
 * @param {AskPosition & {bare?: boolean, customs?: Customs}} line @param {Tools} tools
 * @returns {Promise<CoreView>}
 */
export async function playedGame({ rulebook, fen = '', moves = [], bare = false, customs }, tools) {
  try {
    const game = { fen, moves, ...(customs && { customs }) };
    return await tools.core.ask('view', { rulebook, game, bare });
  } catch (error) {
    const failure = /** @type {CoreFailure} */ (error), sentences = await tools.sentences(rulebook);
    if (failure.refusal) throw refusalError(failure.refusal, sentences);
    if (failure.problems?.length) throw badFen(fen, failure.problems, sentences);
    throw error;
  }
}

/** @type {Handler} */
async function position({ body }, tools) {
  /** @type {AskPosition} */
  const line = body;
  return frameView(await playedGame(line, tools), await tools.sentences(line.rulebook));
}

/** @type {Handler} */
async function explain({ body }, tools) {
  /** @type {AskExplain} */
  const { rulebook, fen = '', move, route } = body;
  const game = await playedGame({ rulebook, fen, bare: true }, tools);
  const sentences = await tools.sentences(rulebook);
  const tried = move ?? await written(game, route ?? [], tools);
  const question = { rulebook, game: { fen: game.fen }, bare: true, move: tried };
  /** @type {Reading} */
  const reading = await tools.core.ask('reading', question);
  /** @type {{squareNames: string[], moveNames: string[]}} */
  const { squareNames, moveNames } = await tools.core.ask('names', { rulebook });
  try {
    const refusal = await tools.core.ask('refusal', question);
    return refusal ? refused(refusal) : await legal();
  } catch (error) {
    const failure = /** @type {CoreFailure} */ (error);
    if (!failure.problems?.length) throw error;
    const texts = game.legal.map(({ text }) => text);
    return notLegal(unreadable(tried, failure.problems, texts, sentences), game.legal, '');
  }

  async function legal() {
    const after = await playedGame({ rulebook, fen: game.fen, moves: [tried], bare: true }, tools);
    const names = (after.last?.route ?? []).map((square) => squareNames[square]);
    const played = game.legal.find(({ text }) => text === after.last?.text);
    return explanation({
      legal: true, refusal: null, after: after.fen,
      move: { .../** @type {BoardMoveView} */ (played), from: names[0], to: names[names.length - 1],
        route: names },
    });
  }

  /** @param {Refusal} refusal */
  async function refused(refusal) {
    const instead = game.legal.filter(({ text }) => refusal.legal.includes(text));
    const view = { ...refusalView(refusal, sentences), best: refusal.legal,
      ...('asks' in refusal.facts ? { best_takes: Number(refusal.facts.asks) } : {}) };
    const hint = reading.bottom_left === null ? null
      : { scheme: 'bottom_left', move: reading.bottom_left,
        message: sentences.sentence('hint.bottom_left', { tried: tried.trim(), move: reading.bottom_left }) };
    const article_text = await articleText(refusal.article, rulebook, tools);
    return { ...notLegal(view, instead, article_text), hint };
  }

  /** @param {RefusalView} refusal @param {BoardMoveView[]} alternatives @param {string} article_text */
  function notLegal(refusal, alternatives, article_text) {
    const starts = new Set(alternatives.flatMap(({ routes }) => routes.map(([first]) => first)));
    return explanation({
      legal: false, refusal, article_text, alternatives,
      marks: [...starts].sort((a, b) => a - b),
    });
  }

  /**
   * @param {Pick<BoardExplanationView, 'legal' | 'refusal'> & Partial<BoardExplanationView>} facts
   * @returns {BoardExplanationView}
   */
  function explanation(facts) {
    const { scheme, squares } = reading;
    return { rulebook, fen: game.fen, tried, scheme, route: squares, not_crowned: notCrowned(), hint: null,
      ...facts };
  }

  /** Where a man only passes the last row. */
  function notCrowned() {
    if (!reading.uncrowned) return null;
    const { square, article: article_id } = reading.uncrowned;
    const { article, where } = sentences.cited(article_id);
    const message = sentences.sentence('cli.explain.passes',
      { square: moveNames[square], article: where });
    return { square: squareNames[square], article, article_id, message };
  }
}

/** What an article says, in our words. @param {string} id @param {string} rulebook @param {Tools} tools */
async function articleText(id, rulebook, tools) {
  /** @type {RulebookPageView} */
  const { articles, readings } = await tools.load(`/api/rulebook/${rulebook}`);
  return [...articles, ...readings].find((article) => article.id === id)?.text ?? '';
}

/**
 * An attempt by squares, as one would write it: `x` where it passes over a piece of the other side.
 * @param {CoreView} game @param {number[]} route @param {Tools} tools
 */
async function written({ rulebook, pieces, turn }, route, tools) {
  /** @type {RulebookPageView} */
  const { board: { squares, scheme } } = await tools.load(`/api/rulebook/${rulebook}`);
  const names = route.map((square) => squares[square][/** @type {'alg'} */ (scheme)]);
  if (scheme === 'rc') return names.join(' ');
  const theirs = turn === 'white' ? 'b' : 'w';
  const at = new Map(squares.map(({ row, column }, square) => [`${row} ${column}`, pieces[square]]));
  const jumps = route.slice(1).some((end, index) => {
    const from = squares[route[index]], to = squares[end];
    const rows = to.row - from.row, columns = to.column - from.column;
    const steps = Math.max(Math.abs(rows), Math.abs(columns));
    if (rows && columns && Math.abs(rows) !== Math.abs(columns)) return false;
    return Array.from({ length: Math.max(0, steps - 1) }, (_, step) =>
      at.get(`${from.row + (rows / steps) * (step + 1)} ${from.column + (columns / steps) * (step + 1)}`))
      .some((piece) => piece?.toLowerCase() === theirs);
  });
  return names.join(jumps ? 'x' : '-');
}

/** @type {Handlers} */
export const RULES = {
  'POST /api/position': position,
  'POST /api/explain': explain,
};
