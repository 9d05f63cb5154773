/** The arena: tournaments as cards, active ones first, and the form for a new one. */

import { api, ApiError, messageOf } from '../lib/api.js';
import { byId, errorNotice, h, icon } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { STATUS_TAGS } from './contest/status.js';

/** @import { ContestEntry } from './contest/messages.js' */
/** @import { RulebookEntry } from '../lib/messages.js' */

/** Sections and the statuses of their tournaments. */
const SECTIONS = { now: ['running', 'queued', 'paused', 'stuck'], standing: ['open', 'closed'],
  finished: ['finished'] };
const UPDATE_MS = 5000;
const DEFAULT_RULEBOOK = 'concurso';

const container = byId('contests');
const form = document.querySelector('[data-testid="new-form"]');
/** Rulebook names by id. @type {Map<string, string>} */
const rulebookNames = new Map();
/** The last response, to draw only changes. */
let lastResponse = '';

/** @param {ContestEntry} contest */
function card(contest) {
  const { id, title, status, rulebook, done, total } = contest;
  const width = `${Math.round((100 * done) / (total || 1))}%`;
  return h('li.card.contest-card', { dataset: { testid: 'contest-card', contest: id } },
    h('p.contest-name', null, h('a', { href: `/arena/${id}` }, title),
      h('span.tag', { class: STATUS_TAGS[status] }, t(`arena.status.${status}`))),
    h('p.contest-facts', null,
      h('span', null, rulebookNames.get(rulebook) ?? rulebook),
      h('span', null, contest.format_name),
      h('span', null, contest.control),
      h('span', null, icon('computer'), t('arena.entrants_count', { n: contest.entrants }))),
    total > 0 && h('div.contest-progress', null,
      h('div.progress', { 'aria-hidden': 'true' }, h('span', { style: { width } })),
      h('span.numbers', null, t('arena.progress', { done, total }))),
    h('p.contest-by', null, t('arena.by', { name: contest.organiser })));
}

async function update() {
  /** @type {{contests: ContestEntry[], no_box?: string}} */
  const { contests, no_box: noBox } = await api.get('/api/arena');
  const response = JSON.stringify([contests, noBox]);
  if (response === lastResponse) return;
  lastResponse = response;
  const notice = byId('no-box');
  notice.hidden = !noBox;
  notice.textContent = noBox ? t('arena.no_box', { why: noBox }) : '';
  const sections = Object.entries(SECTIONS).flatMap(([name, statuses]) => {
    const shown = contests.filter(({ status }) => statuses.includes(status));
    const list = h('ul.contest-cards', null, shown.map(card));
    return shown.length ? [h('section.arena-section', null, h('h2', null, t(`arena.section.${name}`)), list)]
      : [];
  });
  const empty = h('p.card.arena-empty', null, icon('trophy'), t('arena.none'));
  container.replaceChildren(...(sections.length ? sections : [empty]));
}

/** @param {HTMLFormElement} newForm */
function prepareForm(newForm) {
  const openButton = byId('new', HTMLButtonElement), createButton = byId('create', HTMLButtonElement);
  const rulebookSelect = byId('new-rulebook', HTMLSelectElement), problem = byId('new-problem');
  openButton.addEventListener('click', () => {
    newForm.hidden = !newForm.hidden;
    openButton.setAttribute('aria-expanded', String(!newForm.hidden));
    const title = newForm.elements.namedItem('title');
    if (!newForm.hidden && title instanceof HTMLElement) title.focus();
  });
  rulebookSelect.replaceChildren(...[...rulebookNames].map(([id, name]) => h('option', { value: id }, name)));
  rulebookSelect.value = DEFAULT_RULEBOOK;
  newForm.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.hidden = true;
    createButton.disabled = true;
    try {
      /** @type {{url: string}} */
      const { url } = await api.post('/api/arena', contestRequest(new FormData(newForm)));
      location.assign(url);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problem.textContent = error.message;
      problem.hidden = false;
      createButton.disabled = false;
    }
  });
}

/** @param {FormData} data */
function contestRequest(data) {
  const texts = ['title', 'rulebook', 'format', 'openings', 'who'].map((name) => [name, data.get(name)]);
  const numbers = ['games', 'rounds', 'most', 'each'].map((name) => [name, Number(data.get(name))]);
  const timeMs = Math.round(1000 * Number(data.get('time')));
  return { ...Object.fromEntries([...texts, ...numbers]), time_ms: timeMs, legal: data.has('legal') };
}

async function start() {
  /** @type {{rulebooks: RulebookEntry[]}} */
  const { rulebooks } = await api.get('/api/rulebooks');
  for (const { id, name } of rulebooks) rulebookNames.set(id, name);
  if (form instanceof HTMLFormElement) prepareForm(form);
  await update();
  setInterval(() => { if (!document.hidden) update().catch(() => {}); }, UPDATE_MS);
}

start().catch((error) => container.replaceChildren(errorNotice(messageOf(error))))
  .finally(() => { document.body.dataset.ready = 'arena'; });
