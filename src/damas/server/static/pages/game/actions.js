/** The row of actions: only what is possible now, with a question before what cannot be undone. */

import { api, tryAction } from '../../lib/api.js';
import { $, fill, h, icon, iconButton, toast } from '../../lib/dom.js';
import { preference, setPreferences } from '../../lib/preferences.js';
import { openSettings } from '../../lib/settings.js';
import { openShare, saveText } from '../../lib/share.js';
import { t } from '../../lib/words.js';
import { arbiterLinkRow, keepArbiterLink } from './arbiter-link.js';
import { openConduct } from './by-hand.js';
import { openKeyList } from './keys.js';
import { openPapers } from './papers.js';
import { askToConfirm } from './requests.js';
import { isOver, isPlayer, state } from './state.js';
import { gameTitle } from './title.js';

/** @import { CommandName } from '../../lib/messages.js' */
/** @import { GameSocket } from '../../lib/socket.js' */

/** @param {GameSocket} socket @param {{flip: () => void, onChange: () => void}} page */
export function showActions(socket, { flip, onChange }) {
  const { view, you, rematch } = state;
  const container = $('#actions');
  if (container.querySelector('.two-steps') && !view.outcome) return; // a question is open
  const can = (/** @type {string} */ command) => isPlayer() && view.can.includes(command);
  const send = (/** @type {CommandName} */ command) => () => socket.act(command);
  const confirmed = (/** @type {string} */ testid, /** @type {string} */ iconName,
    /** @type {CommandName} */ command, /** @type {string} */ question = command) => {
    /** @type {HTMLButtonElement} */
    const asking = iconButton(testid, iconName, t(`play.do.${command}`),
      () => askToConfirm(asking, t(`play.sure.${question}`), send(command)));
    return asking;
  };
  const isOpponentAbsent = Object.keys(view.absent).some((side) => side !== you);
  const canRematch = isOver() && isPlayer() && !rematch && !state.isCalledOff && !state.local;
  fill(container,
    canRematch && iconButton('rematch', 'rematch', t('play.do.rematch'),
      () => requestRematch(socket.game, onChange), 'button'),
    isOver() && h('a.button-quiet', { href: '/', testid: 'new-game' }, icon('plus'),
      h('span', t('play.do.new'))),
    can('adjust') && iconButton('adjust', 'hand', t('play.do.adjust'), send('adjust')),
    (can('report') || can('blow'))
      && iconButton('conduct', 'claim', t('table.conduct.open'), () => openConduct(socket)),
    can('call') && state.hasArbiter && !view.calls.some((side) => side === you)
      && iconButton('call-arbiter', 'bell', t('table.arbiter.call'), send('call')),
    can('press') && iconButton('press', 'clock', t('play.do.press'), send('press')),
    can('take_back') && iconButton('take-back', 'take-back', t('play.do.take_back'), send('take_back')),
    can('offer') && confirmed('offer-draw', 'draw', 'offer', you === 'both' ? 'agree' : 'offer'),
    can('absence') && isOpponentAbsent
      && iconButton('absence', 'bell', t('play.do.absence'), send('absence')),
    !view.waiting && can('abort') && confirmed('abort', 'close', 'abort'),
    !can('abort') && can('resign') && confirmed('resign', 'resign', 'resign'),
    can('give') && you !== 'both' && iconButton('give-time', 'plus', t('play.do.give'), send('give')),
    iconButton('flip', 'flip', t('play.do.flip'), flip),
    state.local ? iconButton('export-pdn', 'download', t('play.local.export'), exportGame)
      : iconButton('share', 'share', t('play.do.share'), () => shareGame(socket.game)),
    state.local && iconButton('analyse', 'analysis', t('games.analyse'), analyseGame),
    !state.local && iconButton('paper', 'print', t('paper.print'), () => openPapers(socket.game)),
    iconButton('zen', 'zen', t('play.do.zen'), () => setPreferences({ zen: !preference('zen') })),
    iconButton('settings', 'settings', t('play.do.settings'), openSettings),
    iconButton('keys', 'help', t('play.do.keys'), openKeyList));
}

/** Opens a game of this browser on the analysis board. */
function analyseGame() {
  location.assign(`/analysis?local=${encodeURIComponent(state.local?.game ?? '')}`);
}

/** Saves a game of this browser as a file. */
async function exportGame() {
  if (state.local) saveText(await state.local.pdn(), `damas-${state.local.game}.pdn`, 'text/x-pdn');
}

/** @param {string} game @param {() => void} onChange */
async function requestRematch(game, onChange) {
  await tryAction(async () => {
    /** @type {{id: string | null}} */
    const rematch = await api.post(`/api/games/${game}/rematch`);
    if (rematch.id) return goToGame(rematch.id);
    state.rematchBy = state.you;
    onChange();
  }, ({ message }) => toast(message));
}

let isLeaving = false;

/** Opens another game, once: both the response and a message name it. @param {string} id */
export function goToGame(id) {
  if (isLeaving) return;
  isLeaving = true;
  location.assign(`/game/${id}`);
}

/** @param {string} game */
async function shareGame(game) {
  await keepArbiterLink(game);
  const files = ['pdn', 'svg', 'gif', 'json'].map((kind) =>
    ({ kind: kind.toUpperCase(), href: `/game/export/${game}.${kind}`, name: `${game}.${kind}` }));
  const path = `/game/${game}`;
  openShare({ title: gameTitle(), path, files, embed: `/embed${path}`, more: arbiterLinkRow(game) });
}
