/** The arena: tournaments as cards, active ones first, and the form for a new one. */

import { api, messageOf, tryAction } from '../lib/api.js';
import { byId, errorNotice, h, icon, showText } from '../lib/dom.js';
import { listRulebooks, rulebookName, rulebookOptions } from '../lib/rulebooks.js';
import { t } from '../lib/words.js';
import { STATUS_TAGS } from './contest/status.js';

/** @import { ContestEntry } from './contest/messages.js' */

/** Sections and the statuses of their tournaments. */
const SECTIONS = { now: ['running', 'queued', 'paused', 'stuck'], standing: ['open', 'closed'],
  finished: ['finished'] };
const UPDATE_MS = 5000;
const DEFAULT_RULEBOOK = 'concurso';

const container = byId('contests');
const form = document.querySelector('[data-testid="new-form"]');
/** The last response, to draw only changes. */
let lastResponse = '';

/** @param {ContestEntry} contest */
function card(contest) {
  const { id, title, status, rulebook, done, total } = contest;
  const width = `${Math.round((100 * done) / (total || 1))}%`;
  return h('li.card.contest-card', { dataset: { testid: 'contest-card', contest: id } },
    h('p.contest-name', h('a', { href: `/arena/${id}` }, title),
      h('span.tag', { class: STATUS_TAGS[status] }, t(`arena.status.${status}`))),
    h('p.contest-facts',
      h('span', rulebookName(rulebook)),
      h('span', contest.format_name),
      h('span', contest.control),
      h('span', icon('computer'), t('arena.entrants_count', { n: contest.entrants }))),
    total > 0 && h('div.contest-progress',
      h('div.progress', { 'aria-hidden': 'true' }, h('span', { style: { width } })),
      h('span.numbers', t('arena.progress', { done, total }))),
    h('p.contest-by', t('arena.by', { name: contest.organiser })));
}

async function update() {
  /** @type {{contests: ContestEntry[], no_box?: string}} */
  const { contests, no_box: noBox } = await api.get('/api/arena');
  const response = JSON.stringify([contests, noBox]);
  if (response === lastResponse) return;
  lastResponse = response;
  showText(byId('no-box'), noBox ? t('arena.no_box', { why: noBox }) : '');
  const sections = Object.entries(SECTIONS).flatMap(([name, statuses]) => {
    const shown = contests.filter(({ status }) => statuses.includes(status));
    const list = h('ul.contest-cards', shown.map(card));
    return shown.length ? h('section.arena-section', h('h2', t(`arena.section.${name}`)), list) : [];
  });
  if (!sections.length) sections.push(h('p.card.arena-empty', icon('trophy'), t('arena.none')));
  container.replaceChildren(...sections);
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
  const format = byId('new-format', HTMLSelectElement), standing = byId('new-standing', HTMLInputElement);
  const deadline = byId('new-deadline', HTMLInputElement);
  const showStanding = () => {
    const isLadder = format.value === 'ladder';
    byId('standing-row').hidden = !isLadder;
    standing.checked &&= isLadder;
    deadline.required = standing.checked;
  };
  for (const field of [format, standing]) field.addEventListener('change', showStanding);
  showStanding();
  rulebookSelect.replaceChildren(...rulebookOptions());
  rulebookSelect.value = DEFAULT_RULEBOOK;
  newForm.addEventListener('submit', async (event) => {
    event.preventDefault();
    showText(problem, '');
    createButton.disabled = true;
    await tryAction(async () => {
      location.assign((await api.post('/api/arena', contestRequest(new FormData(newForm)))).url);
    }, ({ message }) => {
      showText(problem, message);
      createButton.disabled = false;
    });
  });
}

/** @param {FormData} data */
function contestRequest(data) {
  const texts = ['title', 'rulebook', 'format', 'openings', 'who'].map((name) => [name, data.get(name)]);
  const numbers = ['games', 'rounds', 'most', 'each'].map((name) => [name, Number(data.get(name))]);
  const choices = ['legal', 'check', 'standing'].map((name) => [name, data.has(name)]);
  const deadline = String(data.get('deadline') ?? '');
  return {
    ...Object.fromEntries([...texts, ...numbers, ...choices]),
    time_ms: Math.round(1000 * Number(data.get('time'))),
    deadline_ms: deadline ? new Date(deadline).getTime() : null,
  };
}

async function start() {
  await listRulebooks();
  if (form instanceof HTMLFormElement) prepareForm(form);
  await update();
  setInterval(() => { if (!document.hidden) update().catch(() => {}); }, UPDATE_MS);
}

start().catch((error) => container.replaceChildren(errorNotice(messageOf(error))))
  .finally(() => { document.body.dataset.ready = 'arena'; });
