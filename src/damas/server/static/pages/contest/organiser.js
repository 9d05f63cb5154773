/** The organiser's controls: only what can be done with the tournament now. */

import { api } from '../../lib/api.js';
import { byId, fill, h, iconButton } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { tryWithStatus } from './entries.js';

/** @import { ContestStatus, ContestView } from './messages.js' */

let isPrepared = false;
/** What the buttons depend on, to draw them only when it changes and so keep the focus. */
let shownButtons = '';

/** @param {ContestView} contest @param {string} address @param {() => void} onChange */
export function showOrganiser(contest, address, onChange) {
  const attempt = async (/** @type {() => Promise<unknown>} */ action, message = '') => {
    await tryWithStatus(byId('organiser-status'), () => action().then(() => message));
    onChange();
  };
  byId('code-row').hidden = !contest.code;
  byId('code').textContent = contest.code ?? '';
  const needed = `${contest.status} ${contest.takes_entries} ${contest.entries.length > 1}`;
  if (needed !== shownButtons) fill(byId('controls'), buttons(contest, address, attempt));
  shownButtons = needed;
  showDisqualification(contest);
  const card = byId('organiser'), last = card.parentElement?.lastElementChild;
  if (contest.status === 'finished' && card !== last) last?.after(card); // hardly anything is left to do
  if (isPrepared) return;
  isPrepared = true;
  const form = byId('out-form', HTMLFormElement);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { name, reason } = Object.fromEntries(new FormData(form));
    const field = form.elements.namedItem('reason');
    if (field instanceof HTMLInputElement) field.value = '';
    void attempt(() => api.post(`${address}/disqualify`, { name, reason }));
  });
}

/**
 * @param {ContestView} contest @param {string} address
 * @param {(action: () => Promise<unknown>, message?: string) => Promise<void>} attempt
 */
function buttons({ status, started_ms: startedMs, standing, entries }, address, attempt) {
  const post = (/** @type {string} */ path, /** @type {object} */ body = {}, message = '') =>
    () => attempt(() => api.post(`${address}/${path}`, body), message);
  const isIn = (/** @type {ContestStatus[]} */ ...statuses) => statuses.includes(status);
  const callOff = () => window.confirm(t('arena.call_off_sure')) && attempt(async () => {
    await api.delete(address);
    location.assign('/arena');
  });
  return [
    !startedMs && !standing && entries.length > 1
      && iconButton('start', 'play', t('arena.start'), post('start'), 'button'),
    isIn('open')
      && iconButton('close-entries', 'hand', t('arena.close_entries'), post('closed', { closed: true })),
    isIn('closed')
      && iconButton('open-entries', 'plus', t('arena.open_entries'), post('closed', { closed: false })),
    isIn('running', 'queued')
      && iconButton('pause', 'pause', t('arena.pause'), post('pause', {}, t('arena.pausing'))),
    isIn('paused', 'stuck') && iconButton('go-on', 'play', t('arena.go_on'), post('go-on'), 'button'),
    iconButton('call-off', 'trash', t('arena.call_off'), callOff),
  ];
}

/** @param {ContestView} contest */
function showDisqualification({ status, entries, table, out }) {
  const isStarted = ['running', 'queued', 'paused', 'stuck'].includes(status)
    || (Boolean(table) && status !== 'finished');
  byId('out-details').hidden = !isStarted;
  const select = byId('out-name', HTMLSelectElement), chosen = select.value;
  const names = entries.map(({ name }) => name)
    .filter((name) => !out[name] && !table?.rows.find((row) => row.name === name)?.disqualified);
  select.replaceChildren(...names.map((name) => h('option', { value: name }, name)));
  if (names.includes(chosen)) select.value = chosen;
}
