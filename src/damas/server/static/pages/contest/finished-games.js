/** The finished games, newest first: board, certificate, and a receipt where a fault lost a game. */

import { byId, h, icon } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { showGame } from './game-viewer.js';

/** @import { ContestView, FinishedGame } from './messages.js' */

/** What is drawn now, to draw it only when it changes and so keep the focus. */
let shownGames = '';

/** @param {ContestView} contest @param {(id: string) => void} openReceipt */
export function showFinishedGames(contest, openReceipt) {
  const { id, table } = contest;
  byId('games-card').hidden = !table;
  if (!table) return;
  const { games, counted } = table;
  const line = byId('games-line');
  if (!counted) line.textContent = t('arena.games_none');
  else line.textContent = counted === games.length
    ? '' : t('arena.games_last', { n: games.length, total: counted });
  const tail = runQuery(contest);
  const state = JSON.stringify([tail, games]);
  if (state === shownGames) return;
  shownGames = state;
  byId('games').replaceChildren(...games.map((game) => row(id, game, tail, openReceipt)));
}

/** The query that names the run shown; empty where there are no runs. @param {ContestView} contest */
export const runQuery = ({ standing, shown_run: run }) => (standing ? `?run=${run}` : '');

/**
 * @param {string} contest @param {FinishedGame} game @param {string} tail
 * @param {(id: string) => void} openReceipt
 */
function row(contest, game, tail, openReceipt) {
  const { id, round, white, black, result, offender, reason_text, receipt, played, recorded } = game;
  const names = `${white} – ${black}`;
  return h('li.contest-game', { dataset: { testid: 'game', game: id } },
    h('span.muted.numbers.contest-round', round),
    h('span.contest-pairing', white, ' ', h('b.numbers', result), ' ', black,
      h('small', { class: offender ? 'is-fault' : 'muted' }, reason_text)),
    h('span.contest-game-links',
      recorded && h('button.button-quiet', {
        testid: 'open-game', 'aria-label': `${t('arena.view_game')} ${names}`,
        onclick: () => showGame(contest, game, tail),
      }, icon('board'), t('arena.view_game')),
      receipt && h('button.button-quiet', {
        testid: 'open-receipt', onclick: () => openReceipt(receipt),
      }, icon('info'), t('arena.receipt')),
      recorded && h('a', {
        href: `/arena/${contest}/games/${id}/certificate${tail}`, testid: 'open-certificate',
        'aria-label': `${t('paper.certificate')} ${names}`,
      }, t('paper.certificate')),
      played && h('a', {
        href: `/api/arena/${contest}/games/${id}.pdn${tail}`, download: '', 'aria-label': `PDN ${names}`,
      }, 'PDN')));
}
