/** The title of the page: the players and, first, that it is the visitor's turn. */

import { t } from '../../lib/words.js';
import { playerName } from './players.js';
import { state } from './state.js';

/** Before the words, while nobody looks at the page. */
const MARK = '●';

let isTurn = false;

/** The players and the rulebook. */
export function gameTitle() {
  const names = { white: playerName('white'), black: playerName('black') };
  return `${t('play.title', { ...names, rulebook: state.book?.name ?? '' })} · damas`;
}

/** @param {boolean} isOwnTurn whether the visitor is to move */
export function showTitle(isOwnTurn) {
  isTurn = isOwnTurn;
  const turn = isTurn && [document.hidden && MARK, t('play.your_turn')].filter(Boolean).join(' ');
  document.title = turn ? `${turn} · ${gameTitle()}` : gameTitle();
}

document.addEventListener('visibilitychange', () => { if (state.book) showTitle(isTurn); });
