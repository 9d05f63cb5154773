/** Positions and games as boards draw them: the views that the server makes of what the core decides. */

/** @import { CountView, FrameView, OutcomeView, PositionView } from '../../lib/types.js' */
/** @import { Count, GameView as CoreView, Outcome } from '../../core/types.js' */
/** @import { Sentences } from '../sentences.js' */

/** A position and its legal moves. @param {CoreView} view @returns {PositionView} */
export function positionView({ rulebook, fen, turn, pieces, legal, must_capture }) {
  return { rulebook, fen, turn, pieces, legal, must_capture };
}

/**
 * A game that is played at no table, after its last move.
 * @param {CoreView} view @param {Sentences} sentences @returns {FrameView}
 */
export function frameView(view, sentences) {
  const { ply, last } = view;
  const outcome = view.outcome && outcomeView(view.outcome, view, sentences);
  const counts = view.counts.map((count) => countView(count, sentences));
  return { ...positionView(view), ply, last, counts, outcome };
}

/** @param {Count} count @param {Sentences} sentences @returns {CountView} */
function countView(count, sentences) {
  const { rule, have, need, since, article, platform } = count;
  return {
    rule, name: sentences.limitName(count), have: Math.min(have, need), need, since,
    rulebook: sentences.rulebook, article: sentences.cited(article).article, article_id: article, platform,
    message: sentences.count(count),
  };
}

/** @param {Outcome} outcome @param {CoreView} view @param {Sentences} sentences @returns {OutcomeView} */
function outcomeView(outcome, view, sentences) {
  const { result, winner, reason, article, rule, platform, facts } = outcome;
  const ending = view.counts.find((count) => count.rule === rule)?.ending;
  const message = sentences.outcome({ ...outcome, void: false }, '', ending);
  return {
    result, winner, reason, rulebook: sentences.rulebook, article: sentences.cited(article).article,
    article_id: article, rule, platform, void: false, facts, message, sentence: message,
  };
}
