/** The row of actions: only what is possible now, with a question before what cannot be undone. */

import { api, ApiError } from '../../lib/api.js';
import { $, fill, h, icon, toast } from '../../lib/dom.js';
import { preference, setPreferences } from '../../lib/preferences.js';
import { openSettings } from '../../lib/settings.js';
import { openShare } from '../../lib/share.js';
import { t } from '../../lib/words.js';
import { openKeyList } from './keys.js';
import { askToConfirm, button } from './requests.js';
import { isOver, state } from './state.js';

/** @import { CommandName } from '../../lib/messages.js' */
/** @import { GameSocket } from '../../lib/socket.js' */

/** @param {GameSocket} socket @param {{flip: () => void, onChange: () => void}} page */
export function showActions(socket, { flip, onChange }) {
  const { view, you, rematch } = state;
  const container = $('#actions');
  if (container.querySelector('.two-steps') && !view.outcome) return; // a question is open
  const can = (/** @type {string} */ command) => you !== 'viewer' && view.can.includes(command);
  const send = (/** @type {CommandName} */ command) => () => socket.act(command);
  const confirmed = (/** @type {string} */ testid, /** @type {string} */ iconName,
    /** @type {CommandName} */ command, /** @type {string} */ question = command) => {
    /** @type {HTMLButtonElement} */
    const asking = h('button.button-quiet', {
      type: 'button', dataset: { testid },
      onclick: () => askToConfirm(asking, t(`play.sure.${question}`), send(command)),
    }, icon(iconName), h('span', null, t(`play.do.${command}`)));
    return asking;
  };
  const opponentIsAbsent = Object.keys(view.absent).some((side) => side !== you);
  const canRematch = isOver() && you !== 'viewer' && !rematch && !state.isCalledOff;
  fill(container,
    canRematch && button('rematch', 'rematch', t('play.do.rematch'),
      () => requestRematch(socket.game, onChange), 'button'),
    isOver() && h('a.button-quiet', { href: '/', dataset: { testid: 'new-game' } }, icon('plus'),
      h('span', null, t('play.do.new'))),
    can('adjust') && button('adjust', 'hand', t('play.do.adjust'), send('adjust')),
    can('press') && button('press', 'clock', t('play.do.press'), send('press')),
    can('take_back') && button('take-back', 'take-back', t('play.do.take_back'), send('take_back')),
    can('offer') && confirmed('offer-draw', 'draw', 'offer', you === 'both' ? 'agree' : 'offer'),
    can('absence') && opponentIsAbsent && button('absence', 'bell', t('play.do.absence'), send('absence')),
    !view.waiting && can('abort') && confirmed('abort', 'close', 'abort'),
    !can('abort') && can('resign') && confirmed('resign', 'resign', 'resign'),
    button('flip', 'flip', t('play.do.flip'), flip),
    button('share', 'share', t('play.do.share'), () => shareGame(socket.game)),
    button('zen', 'zen', t('play.do.zen'), () => setPreferences({ zen: !preference('zen') })),
    button('settings', 'settings', t('play.do.settings'), openSettings),
    button('keys', 'help', t('play.do.keys'), openKeyList));
}

/** @param {string} game @param {() => void} onChange */
async function requestRematch(game, onChange) {
  try {
    /** @type {{id: string | null}} */
    const rematch = await api.post(`/api/games/${game}/rematch`);
    if (rematch.id) return goToGame(rematch.id);
    state.rematchBy = state.you;
    onChange();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    toast(error.message);
  }
}

let isLeaving = false;

/** Opens another game, once: both the response and a message name it. @param {string} id */
export function goToGame(id) {
  if (isLeaving) return;
  isLeaving = true;
  location.assign(`/game/${id}`);
}

/** @param {string} game */
function shareGame(game) {
  const files = ['pdn', 'svg', 'gif', 'json'].map((kind) =>
    ({ kind: kind.toUpperCase(), href: `/game/export/${game}.${kind}`, name: `${game}.${kind}` }));
  openShare({ title: document.title, path: `/game/${game}`, files });
}
