/** What is heard when the game changes: sounds, speech, and sentences for screen readers. */

import { moveWords } from '../../board/spoken.js';
import { endOf } from '../../board/selection.js';
import { playSound, speak } from '../../lib/sound.js';
import { t } from '../../lib/words.js';
import { lastMoveWords, resultWords } from './status.js';
import { isPlayer, state } from './state.js';

/** @import { EventMessage, GameView } from '../../lib/messages.js' */

/** Sounds and speech for a new position. @param {GameView} before @param {GameView} next */
export function playChange(before, next) {
  if (next.ply > before.ply) playMove(before, next);
  if (!before.outcome && next.outcome) playSound('end');
}

/** @param {GameView} before @param {GameView} next */
function playMove(before, { last, pieces, moves }) {
  if (!last) return;
  const piece = before.pieces[last.route[0]];
  const isCrowned = piece && piece !== pieces[endOf(last.route)];
  const moveSound = last.captured.length ? 'capture' : 'move';
  playSound(isCrowned ? 'crown' : moveSound);
  const by = moves[moves.length - 1]?.by;
  if (by && by !== state.you) speak(moveWords(by, last.text, last.captured.length));
}

/** The end of the game or a new request, if any. @param {GameView} before @param {GameView} next */
export function newsWords(before, next) {
  if (next.outcome && !before.outcome) {
    return [next.ply > before.ply && lastMoveWords(), resultWords()].filter(Boolean).join('. ');
  }
  const isNew = (/** @type {'offer' | 'take_back'} */ request) =>
    next[request] && next[request] !== before[request] && next[request] !== state.you
      && isPlayer();
  if (isNew('offer')) return t('play.offer_theirs');
  return isNew('take_back') ? t('play.take_back_theirs') : '';
}

/**
 * That the visitor's request was declined, also by a move instead of an answer; empty if it was not.
 * @param {GameView} before @param {EventMessage['event']} event
 */
export function declinedWords(before, { kind, by }) {
  if (by === state.you || !['declined', 'take_back_refused', 'moved'].includes(kind)) return '';
  const request = /** @type {const} */ (['offer', 'take_back']).find((name) => before[name] === state.you);
  return request && state.view[request] !== state.you ? t(`play.declined.${request}`) : '';
}
