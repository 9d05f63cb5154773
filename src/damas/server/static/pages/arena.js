/** The arena: tournaments as cards, those first in which something happens, and the form that makes a new one. */

import { api, ApiError } from '../lib/api.js';
import { byId, h, icon } from '../lib/dom.js';
import { t } from '../lib/words.js';

const SECTIONS = { now: ['running', 'queued', 'paused', 'stuck'], standing: ['open', 'closed'], finished: ['finished'] };
const TAGS = /** @type {Record<string, string>} */ ({ running: 'tag-good', open: 'tag-blue', stuck: 'tag-bad' });
const OFTEN_MS = 5000;
const place = byId('contests');
const form = /** @type {any} */ (document.querySelector('[data-testid="new-form"]'));

/** @type {Map<string, string>} */
const books = new Map();
let before = '';

/** @param {any} contest */
function card(contest) {
  return h('li.card.contest-card', { dataset: { testid: 'contest-card', contest: contest.id } },
    h('p.contest-name', null, h('a', { href: `/arena/${contest.id}` }, contest.title), h('span.tag', { class: TAGS[contest.status] }, t(`arena.status.${contest.status}`))),
    h('p.contest-facts', null,
      h('span', null, books.get(contest.rulebook) ?? contest.rulebook),
      h('span', null, contest.format_name),
      h('span', null, contest.control),
      h('span', null, icon('computer'), t('arena.entrants_count', { n: contest.entrants }))),
    contest.total > 0 && h('div.contest-progress', null,
      h('div.progress', { 'aria-hidden': 'true' }, h('span', { style: { width: `${Math.round(100 * contest.done / contest.total)}%` } })),
      h('span.numbers', null, t('arena.progress', { done: contest.done, total: contest.total }))),
    h('p.contest-by', null, t('arena.by', { name: contest.organiser })));
}

async function show() {
  const told = await api.get('/api/arena');
  const same = JSON.stringify(told);
  if (same === before) return;
  before = same;
  const no = byId('no-box');
  no.hidden = !told.no_box;
  no.textContent = told.no_box ? t('arena.no_box', { why: told.no_box }) : '';
  const parts = Object.entries(SECTIONS).map(([name, wanted]) => {
    const found = told.contests.filter((/** @type {any} */ contest) => wanted.includes(contest.status));
    return found.length > 0 && h('section.arena-section', null, h('h2', null, t(`arena.section.${name}`)), h('ul.contest-cards', null, found.map(card)));
  }).filter(Boolean);
  place.replaceChildren(...(parts.length ? parts : [h('p.card.arena-empty', null, icon('trophy'), t('arena.none'))]));
}

/** The form opens under its button, and what it says becomes a tournament. */
function prepare() {
  const button = byId('new');
  button.addEventListener('click', () => {
    form.hidden = !form.hidden;
    button.setAttribute('aria-expanded', String(!form.hidden));
    if (!form.hidden) form.elements.title.focus();
  });
  const choice = byId('new-rulebook');
  choice.replaceChildren(...[...books].map(([id, name]) => h('option', { value: id }, name)));
  choice.value = 'concurso';
  form.addEventListener('submit', async (/** @type {Event} */ event) => {
    event.preventDefault();
    const said = new FormData(form);
    const problem = byId('new-problem');
    problem.hidden = true;
    byId('create').disabled = true;
    try {
      const made = await api.post('/api/arena', {
        title: said.get('title'), rulebook: said.get('rulebook'), format: said.get('format'), openings: said.get('openings'),
        games: Number(said.get('games')), rounds: Number(said.get('rounds')), time_ms: Math.round(1000 * Number(said.get('time'))),
        who: said.get('who'), most: Number(said.get('most')), each: Number(said.get('each')), legal: said.has('legal'),
      });
      location.assign(made.url);
    } catch (trouble) {
      if (!(trouble instanceof ApiError)) throw trouble;
      problem.textContent = trouble.message;
      problem.hidden = false;
      byId('create').disabled = false;
    }
  });
}

async function begin() {
  const { rulebooks } = await api.get('/api/rulebooks');
  for (const book of rulebooks) books.set(book.id, book.name);
  if (form) prepare();
  await show();
  setInterval(() => { if (!document.hidden) show().catch(() => {}); }, OFTEN_MS);
}

begin().catch((trouble) => place.replaceChildren(h('p.notice.notice-bad', { role: 'alert' }, trouble.message)))
  .finally(() => { document.body.dataset.ready = 'arena'; });
