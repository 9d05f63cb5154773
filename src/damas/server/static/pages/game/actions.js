/** The row of actions: only what can be done now, and twice asked where it cannot be undone. */

import { api, ApiProblem } from '../../lib/api.js';
import { $, fill, h, icon, toast } from '../../lib/dom.js';
import { prefer, preference } from '../../lib/preferences.js';
import { openSettings } from '../../lib/settings.js';
import { openShare } from '../../lib/share.js';
import { t } from '../../lib/words.js';
import { button, twoSteps } from './asks.js';
import { openKeys } from './keys.js';
import { isOver, now } from './now.js';

/** @param {import('../../lib/socket.js').GameSocket} socket @param {{flip: () => void, changed: () => void}} page */
export function showActions(socket, { flip, changed }) {
  const { view, you, rematch } = now;
  const place = $('#actions');
  if (place.querySelector('.two-steps') && !view.outcome) return; // a question is being asked there
  const can = you === 'viewer' ? [] : view.can;
  const over = isOver();
  const act = (/** @type {string} */ what) => () => socket.act(what);
  const sure = (/** @type {string} */ id, /** @type {string} */ name, /** @type {string} */ what, question = what) => {
    const made = button(id, name, t(`play.do.${what}`), () => twoSteps(made, t(`play.sure.${question}`), act(what)));
    return made;
  };
  fill(place,
    over && you !== 'viewer' && !rematch && !now.calledOff && button('rematch', 'rematch', t('play.do.rematch'), () => askRematch(socket.game, changed), 'button'),
    over && link('analyse', 'analysis', t('play.do.analyse'), `/analysis?game=${socket.game}`),
    over && link('new-game', 'plus', t('play.do.new'), '/'),
    can.includes('adjust') && button('adjust', 'hand', t('play.do.adjust'), act('adjust')),
    can.includes('press') && button('press', 'clock', t('play.do.press'), act('press')),
    can.includes('take_back') && button('take-back', 'take-back', t('play.do.take_back'), act('take_back')),
    can.includes('offer') && sure('offer-draw', 'draw', 'offer', you === 'both' ? 'agree' : 'offer'), // who plays both sides asks nobody else
    can.includes('absence') && Object.keys(view.absent).some((side) => side !== you) && button('absence', 'bell', t('play.do.absence'), act('absence')),
    !view.waiting && can.includes('abort') && sure('abort', 'close', 'abort'),
    !can.includes('abort') && can.includes('resign') && sure('resign', 'resign', 'resign'),
    button('flip', 'flip', t('play.do.flip'), flip),
    button('share', 'share', t('play.do.share'), () => share(socket.game)),
    button('zen', 'zen', t('play.do.zen'), () => prefer({ zen: !preference('zen') })),
    button('settings', 'settings', t('play.do.settings'), openSettings),
    button('keys', 'help', t('play.do.keys'), openKeys));
}

/** @param {string} testid @param {string} name @param {string} words @param {string} href */
function link(testid, name, words, href) {
  return h('a.button-quiet', { href, dataset: { testid } }, icon(name), h('span', null, words));
}

/** @param {string} game @param {() => void} changed */
async function askRematch(game, changed) {
  try {
    const made = await api.post(`/api/games/${game}/rematch`);
    if (made.id) return goTo(made.id);
    now.rematchBy = now.you;
    changed();
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem;
    toast(problem.message);
  }
}

let leaving = false;

/** Once: the answer and the message both say where. @param {string} id */
export function goTo(id) {
  if (leaving) return;
  leaving = true;
  location.assign(`/game/${id}`);
}

/** @param {string} game */
function share(game) {
  const files = ['pdn', 'svg', 'gif', 'json'].map((kind) => ({ kind: kind.toUpperCase(), href: `/game/export/${game}.${kind}`, name: `${game}.${kind}` }));
  openShare({ title: document.title, path: `/game/${game}`, files });
}
