/** The entrants of a tournament, and the form to enter a program or a computer player of this server. */

import { api, ApiError, messageOf, readResponse, request, tryAction, WRITE_HEADERS } from '../../lib/api.js';
import { byId, h, showText, toast } from '../../lib/dom.js';
import { lang, number, t } from '../../lib/words.js';

/** @import { ContestView, EntrantView, SubmissionView } from './messages.js' */

const MAX_SUGGESTED_LENGTH = 27;
const BYTES_PER_MB = 1024 * 1024;

/** @param {EntrantView} entrant */
function describeEntrant({ kind, language, size = 0, hash, level, version = 1 }) {
  if (kind !== 'program') return t(`arena.kind.${kind}`, { level });
  const kilobytes = Math.max(0.1, Math.round(size / 102.4) / 10);
  const program = t('arena.kind.program', { language, size: number(kilobytes), hash });
  return version > 1 ? `${t('arena.version_number', { n: version })} · ${program}` : program;
}

/** @param {ContestView} contest @param {() => void} onChange */
export function showEntrants(contest, onChange) {
  const reasons = new Map((contest.table?.rows ?? []).map((row) => [row.name, row.disqualified]));
  const rows = contest.entries.map((entrant) => {
    const { name, owner } = entrant;
    const reason = contest.out[name] ?? reasons.get(name) ?? null;
    const isOver = contest.status === 'finished' || (contest.started_ms && !contest.standing);
    const canWithdraw = !isOver && (entrant.mine || contest.mine);
    const isRenewable = entrant.mine && entrant.kind === 'program' && !contest.out[name];
    const canRenew = contest.takes_entries && isRenewable;
    return h('li.contest-entrant', { dataset: { testid: 'entrant', name } },
      h('span', h('b', name), ' ', h('small.muted', t('arena.of', { name: owner })),
        h('small.muted.contest-about', describeEntrant(entrant)),
        reason !== null && h('small.contest-reason', t('arena.out', { reason }))),
      canRenew && h('button.button-quiet', {
        'aria-label': t('arena.new_version_of', { name }), testid: 'new-version', onclick: () => renew(name),
      }, t('arena.new_version')),
      canWithdraw && h('button.button-quiet', {
        'aria-label': t('arena.withdraw_who', { name }), testid: 'withdraw',
        onclick: () => withdraw(contest.id, entrant.id, onChange),
      }, t('arena.withdraw')));
  });
  if (!rows.length) rows.push(h('li.muted', t('arena.entrants_none')));
  byId('entrants').replaceChildren(...rows);
  showEntryForm(contest);
}

/** Prepares the form for a new version. @param {string} name */
function renew(name) {
  const program = byId('enter-program', HTMLInputElement);
  program.checked = true;
  program.dispatchEvent(new Event('change'));
  byId('enter-name', HTMLInputElement).value = name;
  const file = byId('enter-file', HTMLInputElement);
  file.scrollIntoView({ block: 'center' });
  file.focus();
}

/** @param {string} contest @param {string} entrant @param {() => void} onChange */
async function withdraw(contest, entrant, onChange) {
  await api.delete(`/api/arena/${contest}/entries/${entrant}`).catch((error) => toast(messageOf(error)));
  onChange();
}

/** Only visitors with an account have the form. */
function entryForm() {
  const form = document.querySelector('[data-testid="enter-form"]');
  return form instanceof HTMLFormElement ? form : null;
}

const isComputerChosen = () => byId('enter-ours', HTMLInputElement).checked;

/** Shows the parts of the form that apply now. @param {ContestView} contest */
function showEntryForm(contest) {
  const form = entryForm();
  if (!form) return;
  form.hidden = contest.status === 'finished' || (Boolean(contest.started_ms) && !contest.standing);
  const isClosed = !contest.takes_entries;
  const isOrganiserOnly = contest.who === 'organiser' && !contest.mine;
  const isLate = contest.deadline_ms !== null && contest.deadline_ms <= Date.now();
  const closedWords = isClosed ? t(isLate ? 'arena.deadline_passed' : 'arena.status.closed') : '';
  showText(byId('enter-closed'), isOrganiserOnly ? t('arena.enter_organiser') : closedWords);
  byId('enter-fields').hidden = isClosed || isOrganiserOnly;
  const programChoice = byId('enter-program', HTMLInputElement);
  if (!contest.no_box || programChoice.disabled) return;
  showText(byId('no-box'), t('arena.no_box', { why: contest.no_box }));
  programChoice.disabled = true;
  byId('enter-ours', HTMLInputElement).checked = true;
  showChosenFields();
}

function showChosenFields() {
  const isComputer = isComputerChosen();
  byId('program-fields').hidden = isComputer;
  byId('ours-fields').hidden = !isComputer;
  byId('enter-file', HTMLInputElement).required = !isComputer;
}

/** @param {string} address @param {() => ContestView} getContest @param {() => void} onChange */
export function prepareEntryForm(address, getContest, onChange) {
  const form = entryForm();
  if (!form) return;
  const nameField = byId('enter-name', HTMLInputElement), fileField = byId('enter-file', HTMLInputElement);
  const playerSelect = byId('enter-player', HTMLSelectElement);
  const submitButton = byId('enter', HTMLButtonElement);
  let suggestion = '';
  /** Suggests a free name, unless the visitor has typed one. @param {string} name */
  const suggestName = (name) => {
    if (nameField.value && nameField.value !== suggestion) return;
    suggestion = freeName(name, getContest().entries);
    nameField.value = suggestion;
  };
  const suggestComputer = () => { if (isComputerChosen()) suggestName(computerName(playerSelect.value)); };
  byId('enter-program').addEventListener('change', showChosenFields);
  byId('enter-ours').addEventListener('change', () => {
    showChosenFields();
    suggestComputer();
  });
  playerSelect.addEventListener('change', suggestComputer);
  fileField.addEventListener('change', () => {
    const name = fileField.files?.[0]?.name.replace(/\.[^.]*$/, '').replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
    if (name) suggestName(name);
  });
  showChosenFields();
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const data = new FormData(form);
    submitButton.disabled = true;
    await tryWithStatus(byId('enter-status'), async () => {
      const isComputer = isComputerChosen();
      const { name } = isComputer ? await enterComputer(address, data) : await uploadProgram(address, data);
      nameField.value = suggestion = '';
      fileField.value = '';
      onChange();
      return t(isComputer ? 'arena.entered' : 'arena.sent', { name });
    }).finally(() => { submitButton.disabled = false; });
  });
}

/**
 * Runs an action and shows the message that it returns, or its error.
 * @param {HTMLElement} status @param {() => Promise<string>} action
 */
export async function tryWithStatus(status, action) {
  status.textContent = '';
  const hasSucceeded = await tryAction(async () => { status.textContent = await action(); },
    ({ message }) => { status.textContent = message; });
  status.classList.toggle('is-fault', !hasSucceeded);
}

/** A name that no entrant has, numbered if need be. @param {string} name @param {EntrantView[]} entrants */
export function freeName(name, entrants) {
  const taken = new Set(entrants.map((entrant) => entrant.name.toLowerCase()));
  const short = name.slice(0, MAX_SUGGESTED_LENGTH);
  let free = short;
  for (let count = 2; taken.has(free.toLowerCase()); count += 1) free = `${short} ${count}`;
  return free;
}

/** @param {string} player `random` or `level:3` */
function computerName(player) {
  const [kind, level] = player.split(':');
  return t(`arena.house.${kind}`, { level });
}

/** @param {string} address @param {FormData} data @returns {Promise<EntrantView>} */
function enterComputer(address, data) {
  const [kind, level] = String(data.get('player')).split(':');
  return api.post(`${address}/entries`, {
    name: data.get('name'), kind, ...(level ? { level: Number(level) } : {}), code: data.get('code') ?? '',
  });
}

/**
 * Sends the file as the body and everything else in the address.
 * @param {string} address @param {FormData} data @returns {Promise<SubmissionView>}
 */
async function uploadProgram(address, data) {
  const file = /** @type {File} */ (data.get('file'));
  const { megabytes } = byId('enter-file').dataset;
  if (file.size > Number(megabytes) * BYTES_PER_MB) { // nobody waits for what the server would refuse
    throw new ApiError(0, { code: 'TOO_LARGE', message: t('arena.enter_large', { size: megabytes }) });
  }
  const text = (/** @type {string} */ name) => String(data.get(name) ?? '');
  const query = new URLSearchParams({ name: text('name'), file: file.name, mode: text('mode'),
    code: text('code'), lang });
  return readResponse(await request(`${address}/programs?${query}`, {
    method: 'POST', body: file,
    headers: { Accept: 'application/json', 'Content-Type': 'application/octet-stream', ...WRITE_HEADERS },
  }));
}
