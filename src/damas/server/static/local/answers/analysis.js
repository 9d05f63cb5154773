/** The analysis board without a network: positions, set-ups, reports, and PDN. */

import { AnswerError, badFen, badText, refusalError, refusalView } from './errors.js';
import { frameView } from './games.js';

/** @import { BadPdnGame, PdnGame } from '../../core/types.js' */
/** @import { GameView as CoreView } from '../../core/types.js' */
/** @import { CoreFailure } from '../core-worker.js' */
/** @import { Handler, Handlers, Tools } from './handler.js' */

/** @typedef {{rulebook: string, fen?: string, moves?: string[]}} Place in a game */

/**
 * Asks the core; what it cannot read or play is thrown as the server's error.
 * @param {Parameters<Tools['core']['ask']>[0]} name @param {Place} question @param {Tools} tools
 */
async function askCore(name, question, tools) {
  try {
    return await tools.core.ask(name, { ...question, fen: question.fen ?? '', moves: question.moves ?? [] });
  } catch (error) {
    const sentences = await tools.sentences(question.rulebook);
    const { refusal, problems } = /** @type {CoreFailure} */ (error);
    if (refusal) throw refusalError(refusal, sentences);
    throw problems?.length ? badFen(question.fen ?? '', problems, sentences) : error;
  }
}

/** @type {Handler} */
async function setup({ body: { rulebook, fen } }, tools) {
  try {
    /** @type {{views: CoreView[]}} */
    const { views: [view] } = await askCore('line', { rulebook, fen }, tools);
    /** @type {{views: CoreView[]}} */
    const { views: [start] } = await askCore('line', { rulebook }, tools);
    return { fits: true, fen: view.fen, standard: view.fen === start.fen };
  } catch (error) {
    if (error instanceof AnswerError) return { fits: false, ...error.body };
    throw error;
  }
}

/** @type {Handler} */
async function line({ body }, tools) {
  const sentences = await tools.sentences(body.rulebook);
  /** @type {{views: CoreView[], failure: (CoreFailure & {tried: string}) | null}} */
  const { views, failure } = await askCore('line', { ...body, since: body.since ?? 0 }, tools);
  const error = failure && (failure.refusal ? refusalView(failure.refusal, sentences)
    : badText(failure.tried, failure.problems ?? [], sentences));
  return { views: views.map((view) => frameView(view, sentences)), error };
}

/** @type {Handler} */
async function judge({ body }, tools) {
  const { words } = await tools.sentences(body.rulebook);
  return askCore('report', { ...body, better: { [words.lang]: words.sentences['analysis.better'] } }, tools);
}

/** @type {Handler} */
async function readPdn({ body: { pdn, rulebook = '' } }, tools) {
  /** @type {{games: PdnGame[], bad: BadPdnGame[], more: boolean}} */
  const { games, bad, more } = await tools.core.ask('readPdn', { text: pdn, rulebook });
  return { games, bad: await Promise.all(bad.map((game) => badGame(game, tools))), more };
}

/** What is wrong with a game, in words. @param {BadPdnGame} game @param {Tools} tools */
async function badGame({ problems, refusal, unknown, text, ...game }, tools) {
  /** @type {{rulebooks: {id: string}[]}} */
  const { rulebooks } = await tools.load('/api/rulebooks');
  const known = rulebooks.map(({ id }) => id);
  const sentences = await tools.sentences(game.rulebook ?? known[0]);
  if (unknown === null) {
    const unreadable = text === game.tags.FEN ? badFen(text, problems, sentences).body
      : badText(text, problems, sentences);
    const { code, message } = refusal ? refusalView(refusal, sentences) : unreadable;
    return { ...game, code, message, hint: null };
  }
  const message = sentences.sentence('error.unknown_rulebook', { name: unknown, known: known.join(', ') });
  return { ...game, code: 'UNKNOWN_RULEBOOK', message, hint: null };
}

/** @type {Handler} */
async function writePdn({ body }, tools) {
  return { pdn: await tools.core.ask('writePdn', body) };
}

/** @type {Handlers} */
export const ANALYSIS = {
  'POST /api/analysis/setup': setup,
  'POST /api/analysis/line': line,
  'POST /api/analysis/judge': judge,
  'POST /api/pdn/read': readPdn,
  'POST /api/pdn/write': writePdn,
};
