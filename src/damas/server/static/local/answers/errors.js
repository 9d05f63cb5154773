/** Errors and refused moves, in the form of the server's. */

/** @import { ErrorBody } from '../../lib/api.js' */
/** @import { RefusalView } from '../../lib/types.js' */
/** @import { Problem, Refusal } from '../../core/types.js' */
/** @import { LocalWordsView } from '../messages.js' */
/** @import { Sentences } from '../sentences.js' */
/** @import { Tools } from './handler.js' */

/** As many reasons as one sentence gives. */
const MAX_REASONS = 8;
/** As the codes of problems begin that make a FEN unreadable; others are about where the pieces stand. */
const UNREADABLE = 'FEN_';
const BAD_REQUEST = 400;

/** The server would answer with this error. */
export class AnswerError extends Error {
  name = 'AnswerError';

  /** @param {number} status @param {ErrorBody} body */
  constructor(status, body) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

/** What is asked for is not there. @param {Tools} tools */
export async function notFound({ language, load }) {
  /** @type {LocalWordsView} */
  const { sentences } = await load(`/words/local/${language}.json`);
  return new AnswerError(404, { code: 'NOT_FOUND', message: sentences['pages.errors.NOT_FOUND'] });
}

/**
 * A move that the rules refuse.
 * @param {Refusal} refusal @param {Sentences} sentences @returns {RefusalView}
 */
export function refusalView(refusal, sentences) {
  const { code, tried, article, facts, legal, further } = refusal;
  return {
    code, message: sentences.refusal(refusal), lang: sentences.words.lang, rulebook: sentences.rulebook,
    article: sentences.cited(article).article, article_id: article, ...facts, tried, legal,
    also: further.map((broken) => broken.code),
  };
}

/** @param {Refusal} refusal @param {Sentences} sentences */
export function refusalError(refusal, sentences) {
  return new AnswerError(BAD_REQUEST, refusalView(refusal, sentences));
}

/**
 * A text that cannot be read, or pieces that cannot stand so.
 * @param {'NOTATION' | 'SETUP'} code @param {string} text @param {Problem[]} problems
 * @param {Sentences} sentences
 */
function textError(code, text, problems, sentences) {
  const described = problems.map((problem) => ({ ...problem, squares: /** @type {string[]} */ ([]),
    message: sentences.sentence(`problem.${problem.code}`,
      { token: problem.token, offset: problem.offset, most: problem.offset }) }));
  const reasons = [...new Set(described.map(({ message }) => message))];
  const shown = reasons.slice(0, MAX_REASONS).join('; ') + (reasons.length > MAX_REASONS ? '; …' : '');
  const message = sentences.sentence(`error.${code.toLowerCase()}`, { text, reasons: shown });
  return { code, message, lang: sentences.words.lang, text, problems: described };
}

/** A FEN that cannot be read. @param {string} fen @param {Problem[]} problems @param {Sentences} sentences */
export function badFen(fen, problems, sentences) {
  const code = problems.some((problem) => problem.code.startsWith(UNREADABLE)) ? 'NOTATION' : 'SETUP';
  return new AnswerError(BAD_REQUEST, textError(code, fen, problems, sentences));
}

/** A bad game of a PDN. @param {string} text @param {Problem[]} problems @param {Sentences} sentences */
export function badText(text, problems, sentences) {
  return textError('NOTATION', text, problems, sentences);
}

/**
 * A text that is no move at all, as a refusal: every legal move may be played instead.
 * @param {string} tried @param {Problem[]} problems @param {string[]} legal @param {Sentences} sentences
 * @returns {RefusalView}
 */
export function unreadable(tried, problems, legal, sentences) {
  return { ...textError('NOTATION', tried, problems, sentences), rulebook: sentences.rulebook,
    article: '', article_id: '', tried, legal, also: [], best: legal };
}
