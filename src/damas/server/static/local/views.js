/** A game in the browser as the page of a game shows it: the view that the server sends of its own. */

/** @import { ClocksView, GameView, RulebookView, Side } from '../lib/messages.js' */
/** @import { GameView as CoreView, Outcome } from '../core/types.js' */
/** @import { LocalGameRecord } from './records.js' */
/** @import { Sentences } from './sentences.js' */

/**
 * @param {LocalGameRecord} record @param {CoreView} view
 * @param {Outcome | null} outcome @param {Sentences} sentences
 * @param {RulebookView} book @param {ClocksView} clocks
 * @returns {GameView}
 */
export function tableView(record, view, outcome, sentences, book, clocks) {
  const sides = /** @type {Side[]} */ (book.start.turn === 'white' ? ['white', 'black'] : ['black', 'white']);
  const { moves, clocks_ms: left, rulebook } = record;
  const cited = (/** @type {{article: string}} */ { article: id }) =>
    ({ rulebook, article_id: id, article: sentences.cited(id).article });
  const played = moves.map((text, ply) => ({
    text, by: sides[ply % 2], number: Math.floor(ply / 2) + 1, clock_ms: left[ply] ?? null, unfinished: false,
    start: null,
  }));
  const counts = view.counts.map((count) => ({
    ...count, ...cited(count), name: sentences.limitName(count), message: sentences.count(count),
  }));
  const claims = outcome ? [] : view.claimable.map((count) => ({
    kind: 'claim', rule: count.rule, have: count.need, need: count.need, ...cited(count),
    message: sentences.claim('claim', count),
  }));
  const ending = outcome?.rule ? view.counts.find(({ rule }) => rule === outcome.rule)?.ending : 0;
  const isByRegulation = ['RESIGNATION', 'FLAG', 'AGREEMENT'].includes(outcome?.reason ?? '');
  /** @type {'regulation' | undefined} */
  const by = isByRegulation ? 'regulation' : undefined;
  const message = outcome ? sentences.outcome({ ...outcome, ending, by }) : '';
  const can = outcome ? [] : [
    'move', 'resign', ...(moves.length ? ['take_back'] : []), ...(record.you === 'both' ? ['offer'] : []),
    ...(claims.length ? ['claim'] : []),
  ];
  const table = {
    ...view, moves: played, to_move: view.turn, awaited: view.turn, counts, claims, can, clocks,
    outcome: outcome && { ...outcome, ...cited(outcome), void: false, message, sentence: message },
    legal: outcome ? [] : view.legal, offer: null, take_back: null, touched: null, touched_square: null,
    adjusting: [], unfinished: null, lifting: null, crowning: null, conduct: [],
    register: { entries: [], totals: [] }, news: [], absent: {}, calls: [],
    suspended: false, hints: true, touch_move: false, preset: 'casual', time: record.time,
    corrected: false, waiting: false,
  };
  return /** @type {GameView} */ (/** @type {unknown} */ (table));
}
