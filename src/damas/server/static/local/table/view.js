/** A table in the browser as the page of a game shows it: the view that the server sends of its own. */

import { other } from './clock.js';
import { reportable } from './hand.js';
import { articleWords, registerViews } from './register.js';

/** @import { GameView, RefusalView } from '../../lib/messages.js' */
/** @import { Game } from '../../core/core.js' */
/** @import { Count, Refusal } from '../../core/types.js' */
/** @import { Sentences } from '../sentences.js' */
/** @import { Cited, ProcedureRefused } from './refused.js' */
/** @import { Table } from './table.js' */

/** @param {Table} table @param {Sentences} sentences @param {number} now @returns {GameView} */
export function tableView(table, sentences, now) {
  const { game, terms, touched, chain, outcome, clocks } = table;
  const { preset, rulebook, time } = terms;
  const cited = (/** @type {Cited} */ id) => citation(id, table, sentences);
  const counts = game.counts.map((count) => ({
    ...count, ...cited(count.article), since: count.since + table.stretch.move - 1,
      name: sentences.limitName(count),
    message: sentences.count({ ...count, since: count.since + table.stretch.move - 1 }),
  }));
  const claims = openClaims(table, sentences);
  const conduct = reportable(table).map(({ conduct: name, article }) =>
    ({ conduct: name, message: sentences.word('conduct', name),
      article: articleWords(article, table, sentences) }));
  const onBoard = game.counts.find(({ rule }) => rule === outcome?.rule)?.ending;
  const message = outcome ? sentences.outcome(outcome, preset, onBoard) : '';
  const at = Math.max(now, table.now);
  const view = {
    ...game.view, pieces: standingPieces(table), ply: table.ply, moves: playedMoves(table),
    legal: table.crowning && !outcome ? game.legal : table.playable,
    to_move: table.toMove, awaited: table.awaited, counts, claims, offer: table.offer,
      take_back: table.takeBack,
    touched, touched_square: touched === null ? null : table.names.indexOf(touched),
    adjusting: table.adjusting.toSorted(), unfinished: chain && {
      ...chain, article: sentences.citation(table.wholeCapture(chain.route[0]), preset) },
    lifting: table.lifting.length
      ? { by: other(table.toMove), squares: table.lifting.map((name) => table.names.indexOf(name)) } : null,
    crowning: crowningView(table, sentences), conduct, ...registerViews(table, sentences), absent: {},
      calls: [],
    outcome: outcome && { ...outcome, ...cited(outcome.article), message, sentence: message },
    clocks: { white: clocks.remaining('white', at), black: clocks.remaining('black', at),
      running: clocks.running },
    suspended: false, hints: table.rules.hints, touch_move: terms.terms.touch_move, preset, rulebook, time,
    can: can(table, claims.map(({ kind }) => kind), conduct.length > 0), corrected: false, waiting: false,
  };
  return /** @type {GameView} */ (/** @type {unknown} */ (view));
}

/** @param {Cited} id @param {Table} table @param {Sentences} sentences */
function citation(id, { terms: { preset, rulebook } }, sentences) {
  return id.startsWith('regulation.') ? { rulebook: preset, article_id: id,
    article: id.slice('regulation.'.length) }
    : { rulebook, article_id: id, article: sentences.cited(id).article };
}

/** @param {Table} table @param {Sentences} sentences */
function openClaims(table, sentences) {
  if (table.outcome) return [];
  const claim = (/** @type {'claim' | 'attention'} */ kind, /** @type {Count} */ count,
    /** @type {Cited} */ article = count.article) => ({
    kind, rule: count.rule, have: kind === 'claim' ? count.need : 0, need: count.need,
    article: sentences.cited(article).article, article_id: article,
    message: sentences.claim(kind, { ...count, article }),
  });
  const topic = table.topic('attention');
  return [...table.game.claimable.map((count) => claim('claim', count)),
    ...table.game.view.attention.map((count) => claim('attention', count, topic ?? count.article))];
}

/**
 * The pieces as they stand: with captured ones that are not lifted yet, and without a crown that nobody has
 * put on.
 * @param {Table} table
 */
function standingPieces({ game, lifting, crowning, names }) {
  if (!lifting.length && crowning === null) return game.pieces;
  const before = game.takeBack(1).pieces, standing = { ...game.pieces };
  for (const name of lifting) standing[names.indexOf(name)] = before[names.indexOf(name)];
  if (crowning !== null) standing[names.indexOf(crowning)] = standing[names.indexOf(crowning)].toLowerCase();
  return standing;
}

/** @param {Table} table @param {Sentences} sentences */
function crowningView({ crowning, lifting, toMove, names }, sentences) {
  if (crowning === null || lifting.length) return null;
  return { by: toMove, square: names.indexOf(crowning), name: sentences.squares[crowning] ?? crowning };
}

/**
 * The moves of the game as it stands; a capture that was accepted unfinished was a turn as well.
 * @param {Table} table
 */
export function playedMoves(table) {
  return table.stretches.flatMap((stretch, index) => {
    const { game, ply: first, brokenOff } = stretch, before = table.stretches[index - 1];
    const starter = game.ply % 2 ? other(game.turn) : game.turn;
    const played = game.moves.map((text, at) => ({
      text, by: at % 2 ? other(starter) : starter, number: table.moveNumber(at + 1, stretch),
      clock_ms: table.clockMs[first + at] ?? null, unfinished: false,
      start: before && at === 0 ? game.settings.fen ?? null : null,
    }));
    if (!before || !brokenOff) return played;
    const number = table.moveNumber(before.game.ply + 1, before);
    return [{ text: brokenOff, by: before.game.turn, number, clock_ms: null, unfinished: true, start: null },
      ...played];
  });
}

/**
 * What people may do at this table now. The arbiter still decides on each attempt.
 * @param {Table} table @param {string[]} claims kinds of what may be claimed @param {boolean} mayReport
 */
function can(table, claims, mayReport) {
  if (table.outcome) return [];
  const { chain, offer, rules, terms: { terms } } = table;
  const isWaiting = chain !== null && !chain.demanded;
  const allowed = {
    move: table.playable.length, resign: true,
    offer: !offer && table.nextMove >= rules.offers_from_move && terms.agreement,
    accept: offer || isWaiting, decline: offer, withdraw: offer,
    claim: claims.includes('claim'), attention: claims.includes('attention'),
    take_back: rules.take_back && !table.takeBack && table.game.ply > 0 && !isWaiting,
    grant: table.takeBack, refuse: table.takeBack, abort: table.ply < rules.abort_before_ply,
    touch: terms.touch_move, adjust: terms.touch_move, press: rules.clock_stopped_by === 'press',
    stop: (terms.judges_chain || terms.first_invalid_loses) && !chain && table.game.mustCapture,
    demand: isWaiting, lift: table.lifting.length, crown: table.crowning && !table.lifting.length,
    blow: rules.registers && table.topic('blowing'), report: mayReport,
  };
  return Object.entries(allowed).filter(([, isOpen]) => isOpen).map(([word]) => word);
}

/**
 * Why a command is refused, with what a board shows about it. Where the regulation forbids aids, nothing is
 * shown that could be played.
 * @param {ProcedureRefused} refused @param {Table} table before the command @param {Sentences} sentences
 * @returns {RefusalView}
 */
export function refusalView(refused, table, sentences) {
  const { code, cause, facts, cited } = refused;
  if (cause?.refusal) return illegalMoveView(cause.refusal, table.game, table, sentences);
  const message = sentences.procedure(refused, table.terms.preset);
  const tried = cause ? cause.text.slice(0, 80) : undefined;
  const marks = table.names.flatMap((name, square) => (name === facts.square || name === tried ? [square]
    : []));
  const where = cited === null ? { rulebook: '', article: '', article_id: '' }
    : citation(cited, table, sentences);
  return { code, message, tried, alternatives: [], marks, ...where };
}

/**
 * @param {Refusal} refusal @param {Game} game @param {Table} table @param {Sentences} sentences
 * @returns {RefusalView}
 */
export function illegalMoveView(refusal, game, table, sentences) {
  const why = table.rules.hints ? refusal : { ...refusal, legal: [] };
  const alternatives = game.legal.filter(({ text }) => why.legal.includes(text));
  const marks = [...new Set(alternatives.map(({ routes }) => routes[0][0]))].toSorted((a, b) => a - b);
  return { code: why.code, message: sentences.refusal(why), tried: why.tried, alternatives, marks,
    ...citation(why.article, table, sentences) };
}
