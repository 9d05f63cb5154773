/** The two halves of the clock, and what stands on them. */

import { pieceIcon } from '../../board/pieces.js';
import { h, icon } from '../../lib/dom.js';
import { clockFace, lowTimeMs } from '../../lib/times.js';
import { t } from '../../lib/words.js';
import { remaining, sideAt } from './match-clock.js';

/** @import { Half, MatchClock } from './match-clock.js' */
/** @typedef {ReturnType<typeof createHalf>} FaceHalf */

/** @param {Half} half */
export function createHalf(half) {
  const piece = h('span.half-piece'), side = h('span.half-side');
  const state = h('span.half-state', { testid: `state-${half}` });
  const dial = h('span.half-dial', { testid: `dial-${half}` });
  const moves = h('span.half-moves', { testid: `moves-${half}` });
  const writing = h('span.half-writing', { testid: `writing-${half}` });
  const button = h('button.half', { testid: `half-${half}` },
    h('span.half-head', piece, side, state), dial, h('span.half-foot', moves, writing));
  const place = h(`div.half-place.half-place-${half}`, button);
  return { half, place, button, piece, side, state, dial, moves, writing, shownSide: '' };
}

/** @param {FaceHalf} face @param {MatchClock} match @param {number} at */
export function showHalf(face, match, at) {
  const side = sideAt(match, face.half), left = remaining(match, side, at);
  const isTurn = match.turn === side && match.stage !== 'ready';
  const isRunning = isTurn && match.stage === 'running', isFallen = isTurn && match.stage === 'fallen';
  const isLow = left < lowTimeMs(match.terms.time);
  const { button } = face;
  button.classList.toggle('running', isRunning);
  button.classList.toggle('fallen', isFallen);
  button.classList.toggle('low', isLow);
  button.dataset.side = side;
  if (face.shownSide !== side) {
    face.shownSide = side;
    face.piece.replaceChildren(pieceIcon(side === 'white' ? 'w' : 'b'));
    write(face.side, t(`board.side.${side}`));
  }
  const text = clockFace(left);
  write(face.dial, text);
  face.dial.classList.toggle('long', text.length > 5);
  write(face.state, stateWords(match, isTurn), symbolOf(isFallen, isRunning));
  write(face.moves, match.stage === 'ready' ? '' : t('clock.moves', { n: match.moves[side] }));
  write(face.writing, writingWords(match, side), match.terms.writes ? 'edit' : '');
  face.writing.classList.toggle('freed', match.freed[side]);
}

/** @param {boolean} isFallen @param {boolean} isRunning */
function symbolOf(isFallen, isRunning) {
  if (isFallen) return 'flag';
  return isRunning ? 'play' : '';
}

/** @param {MatchClock} match @param {boolean} isTurn of the player of this half */
function stateWords({ stage }, isTurn) {
  if (stage === 'ready') return t('clock.state.ready');
  if (stage === 'paused') return t(isTurn ? 'clock.state.paused_turn' : 'clock.state.paused');
  if (stage === 'fallen') return t(isTurn ? 'clock.state.fallen' : 'clock.state.over');
  return t(isTurn ? 'clock.state.running' : 'clock.state.waiting');
}

/** @param {MatchClock} match @param {'white' | 'black'} side */
function writingWords({ terms, freed }, side) {
  if (!terms.writes) return '';
  return t(freed[side] ? 'clock.writing.over' : 'clock.writing.on');
}

/**
 * Changes an element only if its text differs.
 * @param {HTMLElement} element @param {string} text @param {string} [symbol]
 */
function write(element, text, symbol = '') {
  if (element.dataset.text === text) return;
  element.dataset.text = text;
  element.hidden = !text;
  element.replaceChildren(...(symbol ? [icon(symbol)] : []), text);
}
