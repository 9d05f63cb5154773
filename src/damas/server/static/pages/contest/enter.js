/** Who is in, and the form that enters a program or a player of the house. */

import { api, ApiError } from '../../lib/api.js';
import { byId, h, toast } from '../../lib/dom.js';
import { lang, number, t } from '../../lib/words.js';

/** @param {any} entry */
function about(entry) {
  if (entry.kind !== 'program') return t(`arena.kind.${entry.kind}`, entry);
  return t('arena.kind.program', { language: entry.language, size: number(Math.max(0.1, Math.round(entry.size / 102.4) / 10)), hash: entry.hash });
}

/** @param {any} contest @param {() => void} again */
export function showEntrants(contest, again) {
  const out = new Map((contest.table?.rows ?? []).map((/** @type {any} */ row) => [row.name, row.disqualified]));
  byId('entrants').replaceChildren(...(contest.entries.length ? contest.entries.map((/** @type {any} */ entry) => h('li.contest-entrant', { dataset: { testid: 'entrant', name: entry.name } },
    h('span', null, h('b', null, entry.name), ' ', h('small.muted', null, t('arena.of', { name: entry.owner })),
      h('small.muted.contest-about', null, about(entry)),
      typeof out.get(entry.name) === 'string' && h('small.contest-reason', null, t('arena.out', { reason: out.get(entry.name) }))),
    !contest.started_ms && (entry.mine || contest.mine) && h('button.button-quiet', {
      type: 'button', 'aria-label': t('arena.withdraw_who', { name: entry.name }), dataset: { testid: 'withdraw' }, onclick: () => withdraw(contest.id, entry.id, again),
    }, t('arena.withdraw')))) : [h('li.muted', null, t('arena.entrants_none'))]));
  showForm(contest);
}

/** @param {string} contest @param {string} entry @param {() => void} again */
async function withdraw(contest, entry, again) {
  try {
    await api.delete(`/api/arena/${contest}/entries/${entry}`);
  } catch (trouble) {
    if (!(trouble instanceof ApiError)) throw trouble;
    toast(trouble.message);
  }
  again();
}

const form = () => /** @type {any} */ (document.querySelector('[data-testid="enter-form"]'));

/** What of the form makes sense now. @param {any} contest */
function showForm(contest) {
  const own = form();
  if (!own) return;
  own.hidden = Boolean(contest.started_ms);
  const closed = contest.status === 'closed' && !contest.mine;
  const barred = contest.who === 'organiser' && !contest.mine;
  byId('enter-closed').hidden = !(closed || barred);
  byId('enter-closed').textContent = barred ? t('arena.enter_organiser') : closed ? t('arena.status.closed') : '';
  byId('enter-fields').hidden = closed || barred;
  if (contest.no_box && !byId('enter-program').disabled) {
    byId('no-box').textContent = t('arena.no_box', { why: contest.no_box });
    byId('no-box').hidden = false;
    byId('enter-program').disabled = true;
    byId('enter-ours').checked = true;
    choose();
  }
}

/** The fields of what is entered. */
function choose() {
  const ours = byId('enter-ours').checked;
  byId('program-fields').hidden = ours;
  byId('ours-fields').hidden = !ours;
  byId('enter-file').required = !ours;
}

/** @param {string} address @param {() => any} contest @param {() => void} again */
export function prepareEntering(address, contest, again) {
  const own = form();
  if (!own) return;
  const name = byId('enter-name'), file = byId('enter-file'), player = byId('enter-player');
  let suggested = '';
  const suggest = (/** @type {string} */ text) => {
    if (name.value && name.value !== suggested) return;
    const taken = new Set(contest().entries.map((/** @type {any} */ entry) => entry.name.toLowerCase()));
    suggested = text.slice(0, 27);
    for (let count = 2; taken.has(suggested.toLowerCase()); count += 1) suggested = `${text.slice(0, 27)} ${count}`;
    name.value = suggested;
  };
  const suggestOurs = () => { if (byId('enter-ours').checked) suggest(houseName(player.value)); };
  byId('enter-program').addEventListener('change', choose);
  byId('enter-ours').addEventListener('change', () => { choose(); suggestOurs(); });
  player.addEventListener('change', suggestOurs);
  file.addEventListener('change', () => {
    const plain = file.files[0]?.name.replace(/\.[^.]*$/, '').replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
    if (plain) suggest(plain);
  });
  choose();
  own.addEventListener('submit', async (/** @type {Event} */ event) => {
    event.preventDefault();
    const said = byId('enter-said'), data = new FormData(own);
    said.textContent = '';
    byId('enter').disabled = true;
    try {
      const entered = byId('enter-ours').checked ? await enterOurs(address, data) : await upload(address, data);
      said.textContent = t('arena.entered', { name: entered.name });
      said.classList.remove('is-fault');
      own.elements.name.value = suggested = '';
      file.value = '';
      again();
    } catch (trouble) {
      if (!(trouble instanceof ApiError)) throw trouble;
      said.textContent = trouble.message;
      said.classList.add('is-fault');
    } finally {
      byId('enter').disabled = false;
    }
  });
}

/** What a player of the house is called, in the language of whoever enters it. @param {string} player `random` or `level:3` */
function houseName(player) {
  const [kind, level] = player.split(':');
  return t(`arena.house.${kind}`, { level });
}

/** @param {string} address @param {FormData} data */
function enterOurs(address, data) {
  const [kind, level] = String(data.get('player')).split(':');
  return api.post(`${address}/entries`, { name: data.get('name'), kind, ...(level ? { level: Number(level) } : {}), code: data.get('code') ?? '' });
}

/** The file is the body; all else stands in the address. @param {string} address @param {FormData} data */
async function upload(address, data) {
  const file = /** @type {File} */ (data.get('file'));
  const about = new URLSearchParams({ name: String(data.get('name')), file: file.name, mode: String(data.get('mode')), code: String(data.get('code') ?? ''), lang });
  const answer = await fetch(`${address}/programs?${about}`, {
    method: 'POST', body: file, credentials: 'same-origin', headers: { Accept: 'application/json', 'X-Damas': '1', 'Content-Type': 'application/octet-stream' },
  });
  const told = await answer.json();
  if (!answer.ok) throw new ApiError(answer.status, told.error);
  return told;
}
