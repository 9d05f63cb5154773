/** What its organiser may do with a tournament now, and nothing that cannot be done. */

import { api, ApiError } from '../../lib/api.js';
import { byId, h, icon } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

let prepared = false;
let shown = '';

/** @param {any} contest @param {string} address @param {() => void} again */
export function showOrganiser(contest, address, again) {
  const said = byId('organiser-said');
  /** @param {string} text @param {boolean} [wrong] */
  const say = (text, wrong = false) => { said.textContent = text; said.classList.toggle('is-fault', wrong); };
  /** @param {() => Promise<unknown>} work @param {string} [done] */
  const attempt = async (work, done = '') => {
    say('');
    try {
      await work();
      say(done);
    } catch (trouble) {
      if (!(trouble instanceof ApiError)) throw trouble;
      say(trouble.message, true);
    }
    again();
  };
  byId('code-row').hidden = !contest.code;
  byId('code').textContent = contest.code ?? '';
  const played = ['running', 'queued', 'paused', 'stuck'].includes(contest.status);
  const now = `${contest.status} ${contest.entries.length > 1}`;
  if (now !== shown) {
    shown = now;
    /** @param {string} name @param {string} label @param {string} picture @param {() => unknown} act @param {string} [look] */
    const button = (name, label, picture, act, look = 'button-quiet') => h(`button.${look}`, { type: 'button', dataset: { testid: name }, onclick: act }, icon(picture), label);
    byId('controls').replaceChildren(...[
      !contest.started_ms && contest.entries.length > 1 && button('start', t('arena.start'), 'play', () => attempt(() => api.post(`${address}/start`)), 'button'),
      contest.status === 'open' && button('close-entries', t('arena.close_entries'), 'hand', () => attempt(() => api.post(`${address}/closed`, { closed: true }))),
      contest.status === 'closed' && button('open-entries', t('arena.open_entries'), 'plus', () => attempt(() => api.post(`${address}/closed`, { closed: false }))),
      ['running', 'queued'].includes(contest.status) && button('pause', t('arena.pause'), 'pause', () => attempt(() => api.post(`${address}/pause`), t('arena.pausing'))),
      ['paused', 'stuck'].includes(contest.status) && button('go-on', t('arena.go_on'), 'play', () => attempt(() => api.post(`${address}/go-on`)), 'button'),
      button('call-off', t('arena.call_off'), 'trash', () => callOff(address, attempt)),
    ].filter(Boolean));
  }
  const form = byId('out-form');
  byId('out-details').hidden = !played;
  const card = byId('organiser'), last = card.parentElement.lastElementChild;
  if (contest.status === 'finished' && card !== last) last.after(card); // hardly anything left to do
  const choice = byId('out-name'), before = choice.value;
  const left = contest.entries.filter((/** @type {any} */ entry) => contest.table?.rows.find((/** @type {any} */ row) => row.name === entry.name)?.disqualified === null);
  choice.replaceChildren(...left.map((/** @type {any} */ entry) => h('option', { value: entry.name }, entry.name)));
  if (left.some((/** @type {any} */ entry) => entry.name === before)) choice.value = before;
  if (prepared) return;
  prepared = true;
  form.addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    const told = new FormData(form);
    form.elements.reason.value = '';
    attempt(() => api.post(`${address}/disqualify`, { name: told.get('name'), reason: told.get('reason') }));
  });
}

/** @param {string} address @param {(work: () => Promise<unknown>) => Promise<void>} attempt */
function callOff(address, attempt) {
  if (!window.confirm(t('arena.call_off_sure'))) return;
  attempt(async () => {
    await api.delete(address);
    location.assign('/arena');
  });
}
