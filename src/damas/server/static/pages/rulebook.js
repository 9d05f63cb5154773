/** A rulebook: the page has its articles; their boards are created when they become visible or printed. */

import { api, tryAction } from '../lib/api.js';
import { $$, byId, errorNotice, h } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { Example } from './learning/example.js';

/** @import { ClauseView, DifferenceView } from '../lib/messages.js' */
/** @import { ExampleView } from './learning/messages.js' */

const id = document.body.querySelector('[data-rulebook]')?.getAttribute('data-rulebook') ?? '';
const otherSelect = byId('compare-with', HTMLSelectElement);
/** @type {Map<Element, Example>} */
const examples = new Map();

async function start() {
  // On a phone the table of contents is closed, so that the articles come first.
  byId('contents', HTMLDetailsElement).open = matchMedia('(min-width: 720px)').matches;
  otherSelect.addEventListener('change', () => tryAction(() => compare(otherSelect.value),
    ({ message }) => byId('difference').replaceChildren(errorNotice(message))));
  await tryAction(loadExamples, ({ message }) => {
    for (const container of $$('.article-board')) container.replaceChildren(h('p.notice', message));
  });
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      examples.get(target)?.open();
      observer.unobserve(target);
    }
  }, { rootMargin: '300px' });
  for (const container of examples.keys()) observer.observe(container);
  window.addEventListener('beforeprint', () => { for (const example of examples.values()) example.open(); });
  document.body.dataset.ready = 'rulebook';
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

/** Prepares the boards of the articles that have examples. */
async function loadExamples() {
  /** @type {ExampleView[]} */
  const views = await api.get(`/api/examples/${id}`);
  for (const container of $$('.article-board')) {
    const ofArticle = views.filter((view) => view.article === container.dataset.article);
    container.hidden = !ofArticle.length;
    if (ofArticle.length) examples.set(container, new Example(container, id, ofArticle));
  }
}

/** Shows where this rulebook differs from another; nothing for an empty id. @param {string} other */
async function compare(other) {
  const container = byId('difference');
  container.hidden = !other;
  if (!other) return container.replaceChildren();
  /** @type {DifferenceView} */
  const difference = await api.get(`/api/difference/${id}/${other}`);
  const { switches, draws, positions } = difference;
  const hasDifference = switches.length || draws.first.length || draws.second.length;
  container.replaceChildren(
    hasDifference ? differenceTable(difference) : h('p', t('rules.no_difference')),
    ...(difference.same_moves ? [h('p', t('rules.same_moves'))] : []),
    ...(positions.length ? [h('h3', t('rules.shown_by')),
      h('ul.witnesses', ...positions.map(positionEntry))] : []));
}

/** @param {DifferenceView} difference */
function differenceTable({ switches, draws }) {
  const names = [byId('book-name').textContent, otherSelect.selectedOptions[0].textContent];
  const rows = switches.map(({ question, first, second }) =>
    h('tr', h('th', { scope: 'row' }, question), clauseCell(first), clauseCell(second)));
  const drawCells = [draws.first, draws.second]
    .map((rules) => h('td', h('ul', ...rules.map(({ text, article }) =>
    h('li', text, article ? ` (${article})` : '')))));
  return h('table.difference',
    h('thead', h('tr', h('td'), ...names.map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', ...rows, h('tr', h('th', { scope: 'row' }, t('rules.draws')), ...drawCells)));
}

/** @param {ClauseView} clause */
function clauseCell({ answer, articles }) {
  const cited = articles.map(({ article }) => article).filter(Boolean).join(', ');
  return h('td', answer, cited && h('span.muted.small', ` ${cited}`));
}

/** A position in which the rulebooks differ. @param {DifferenceView['positions'][number]} position */
function positionEntry({ first, second, causes, switch: key }) {
  const [firstMoves, secondMoves] = [first, second]
    .map(({ moves }) => moves.map(({ text }) => text).join(', '));
  const href = `/lens?rulebook=${first.rulebook}&fen=${encodeURIComponent(first.fen)}`;
  return h('li', h('a', { href }, causes[0]?.[0]?.question ?? key),
    h('p.small.muted', `${firstMoves} / ${secondMoves}`));
}

void start();
