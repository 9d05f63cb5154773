/** A rulebook: its articles are in the page; boards come to life as the reader reaches them, and all of them for the printer. */

import { api } from '../lib/api.js';
import { $$, byId, h } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { Example } from './learning/example.js';

const id = document.body.querySelector('[data-rulebook]')?.getAttribute('data-rulebook') ?? '';
const places = $$('.article-board');
/** @type {Map<Element, Example>} */
const made = new Map();

async function start() {
  // On a phone the articles come first; the long list of their numbers waits behind a word.
  byId('contents').open = matchMedia('(min-width: 720px)').matches;
  byId('print').addEventListener('click', () => window.print());
  byId('compare-with').addEventListener('change', (/** @type {Event} */ event) => compare(/** @type {HTMLSelectElement} */ (event.target).value));
  const examples = await api.get(`/api/examples/${id}`);
  for (const place of places) {
    const own = examples.filter((/** @type {any} */ example) => example.article === place.dataset.article);
    if (own.length) made.set(place, new Example(place, id, own));
    else place.hidden = true;
  }
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      made.get(entry.target)?.open();
      seen.unobserve(entry.target);
    }
  }, { rootMargin: '300px' });
  for (const place of made.keys()) seen.observe(place);
  window.addEventListener('beforeprint', () => { for (const example of made.values()) example.open(); });
  document.body.dataset.ready = 'rulebook';
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

/** @param {string} other */
async function compare(other) {
  const place = byId('difference');
  place.hidden = !other;
  if (!other) return place.replaceChildren();
  const told = await api.get(`/api/difference/${id}/${other}`);
  const rows = told.switches.map((/** @type {any} */ row) => h('tr', null, h('th', { scope: 'row' }, row.question), answer(row.first), answer(row.second)));
  const draws = ['first', 'second'].map((side) => h('ul', null, ...told.draws[side].map((/** @type {any} */ draw) => h('li', null, draw.text, draw.article ? ` (${draw.article})` : ''))));
  const names = [byId('book-name').textContent, byId('compare-with').selectedOptions[0].textContent];
  place.replaceChildren(
    rows.length || told.draws.first.length || told.draws.second.length
      ? h('table.difference', null,
        h('thead', null, h('tr', null, h('td'), ...names.map((name) => h('th', { scope: 'col' }, name)))),
        h('tbody', null, ...rows, h('tr', null, h('th', { scope: 'row' }, t('rules.draws')), h('td', null, draws[0]), h('td', null, draws[1]))))
      : h('p', null, t('rules.no_difference')),
    ...(told.same_moves ? [h('p', null, t('rules.same_moves'))] : []),
    ...(told.positions.length ? [h('h3', null, t('rules.shown_by')), h('ul.witnesses', null, ...told.positions.map(witness))] : []),
  );
}

/** @param {any} clause */
function answer(clause) {
  const cited = clause.articles.map((/** @type {any} */ article) => article.article).filter(Boolean).join(', ');
  return h('td', null, clause.answer, cited ? h('span.muted.small', null, ` ${cited}`) : null);
}

/** @param {any} shown */
function witness(shown) {
  const texts = (/** @type {any} */ side) => side.moves.map((/** @type {any} */ move) => move.text).join(', ');
  const question = shown.causes[0]?.[0]?.question ?? shown.switch;
  return h('li', null, h('a', { href: `/lens?rulebook=${shown.first.rulebook}&fen=${encodeURIComponent(shown.first.fen)}` }, question),
    h('p.small.muted', null, `${texts(shown.first)} / ${texts(shown.second)}`));
}

start();
