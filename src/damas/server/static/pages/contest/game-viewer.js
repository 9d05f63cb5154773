/** A finished game on a board, to step through, with the way to its certificate and to the analysis. */

import { DamasBoard } from '../../board/damas-board.js';
import { api, messageOf } from '../../lib/api.js';
import { openDialog } from '../../lib/dialog.js';
import { h, icon, toast } from '../../lib/dom.js';
import { prepareSteps } from '../../lib/replay-steps.js';
import { t } from '../../lib/words.js';

/** @import { ReplayView } from '../../lib/messages.js' */
/** @import { FinishedGame } from './messages.js' */

const STEPS = ['first', 'previous', 'next', 'last'];

/** @param {string} name */
const stepButton = (name) => h('button.button-quiet.button-icon', {
  type: 'button', dataset: { step: name, testid: `view-${name}` },
  'aria-label': t(`play.${name}`), title: t(`play.${name}`),
}, icon(name));

/** @param {string} contest @param {FinishedGame} game @param {string} tail the query of the run */
export async function showGame(contest, game, tail) {
  const { id, white, black, result, reason_text: reason } = game;
  /** @type {ReplayView | void} */
  const replay = await api.get(`/api/arena/${contest}/games/${id}/replay${tail}`)
    .catch((error) => toast(messageOf(error)));
  if (!replay) return;
  const board = new DamasBoard();
  board.dataset.testid = 'view-board';
  const label = h('p.contest-view-move.numbers', { role: 'status', testid: 'view-move' });
  const buttons = STEPS.map(stepButton);
  const moves = replay.frames.map(({ last }) => last?.text).filter(Boolean).join(' ');
  const query = new URLSearchParams({ rulebook: replay.book.id, fen: replay.frames[0].fen, moves });
  const dialog = openDialog('finished-game', `${white} – ${black}`,
    h('p.contest-seat.seat-black', black),
    board,
    h('p.contest-seat.seat-white', white),
    h('div.toolbar.contest-view-steps', { role: 'group', 'aria-label': t('play.moves_nav') }, buttons, label),
    h('p', { testid: 'view-result' }, h('b.numbers', result), ' ', reason),
    h('div.contest-view-links',
      h('a.button-quiet', { href: `/arena/${contest}/games/${id}/certificate${tail}`,
        testid: 'view-certificate' }, icon('print'), t('paper.certificate')),
      h('a.button-quiet', { href: `/analysis?${query}`, testid: 'view-analysis' }, t('arena.analyse'))));
  dialog.addEventListener('keydown', prepareSteps({ board, replay, buttons, label }));
}
