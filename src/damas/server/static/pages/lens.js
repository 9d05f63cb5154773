/** The lens: one position under every rulebook of its board. The server compares; here the differences are drawn. */

import '../board/damas-board.js';
import { api, ApiError, rulebook } from '../lib/api.js';
import { byId, h, icon, toast } from '../lib/dom.js';
import { openShare } from '../lib/share.js';
import { t } from '../lib/words.js';
import { Editor, fenOf } from './analysis/editor.js';

const SAMPLES = [
  ['landing', 'brasileira', 'W:WKa1:Bd4,g5'],
  ['majority', 'brasileira', 'W:Wc3:Bb4,d4,f6'],
  ['backward', 'brasileira', 'W:We5:Bd4'],
  ['quality', 'brasileira', 'W:Wd4:Bc5,Ke5'],
  ['passing', 'brasileira', 'W:Wf6:Be7,c7'],
  ['turkish', 'brasileira', 'W:WKh6:Bb4,c7,f6,g5'],
];

const board = byId('board');
const asked = new URLSearchParams(location.search);
const state = {
  book: asked.get('rulebook') ?? '',
  fen: asked.get('fen') ?? '',
  told: /** @type {any} */ (null),
  shown: 0,
  names: /** @type {Record<string, string>} */ ({}),
};

const editor = new Editor(byId('editor'), {
  onChange: (pieces, turn) => { if (editor.open) edited(pieces, turn); },
  onDone: () => setEditing(false),
  onStart: () => editor.set(board.book.start.pieces, board.book.start.turn),
});

async function start() {
  const { rulebooks } = await api.get('/api/rulebooks');
  for (const book of rulebooks) state.names[book.id] = book.name;
  const choice = byId('rulebook');
  choice.replaceChildren(...rulebooks.map((/** @type {any} */ book) => h('option', { value: book.id }, book.name)));
  if (!state.names[state.book]) state.book = 'brasileira';
  if (!state.fen) state.fen = state.book === 'brasileira' ? SAMPLES[0][2] : (await rulebook(state.book)).start_fen;
  choice.addEventListener('change', () => changeBook(choice.value));
  byId('lens-form').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    show(state.book, byId('fen').value.trim());
  });
  byId('edit').addEventListener('click', () => setEditing(!editor.open));
  byId('share').addEventListener('click', share);
  byId('samples').replaceChildren(...SAMPLES.map(([name, book, fen]) => h('li', null, h('button.chip', { type: 'button', dataset: { testid: `sample-${name}` }, onclick: () => show(book, fen) }, t(`rules.sample.${name}`)))));
  board.addEventListener('damas-edit', (/** @type {CustomEvent} */ event) => editor.put(event.detail.square));
  await show(state.book, state.fen);
  if (!state.told) await showInstead();
  document.body.dataset.ready = 'lens';
}

/** An address with a position that nobody can read: says so over one that can be looked at. */
async function showInstead() {
  const problem = byId('lens-problem'), said = problem.textContent;
  await show(SAMPLES[0][1], SAMPLES[0][2]);
  problem.textContent = said;
  problem.hidden = false;
}

/** The same squares under another rulebook; a board of another size begins anew. @param {string} id */
async function changeBook(id) {
  const before = board.book, book = await rulebook(id);
  const same = before && before.board.size === book.board.size && before.board.all_squares === book.board.all_squares;
  show(id, same ? fenOf(book, board.position.pieces, board.position.turn) : book.start_fen);
}

/** @param {string} book @param {string} fen */
async function show(book, fen) {
  const problem = byId('lens-problem');
  try {
    const told = await api.post('/api/compare', { rulebook: book, fen });
    problem.hidden = true;
    Object.assign(state, { book: told.rulebook, fen: told.fen, told, shown: 0 });
    board.book = await rulebook(told.rulebook);
    byId('rulebook').value = told.rulebook;
    byId('fen').value = told.fen;
    board.position = { fen: told.fen, turn: told.turn, pieces: told.pieces, legal: [], must_capture: false };
    history.replaceState(null, '', address());
    draw();
  } catch (trouble) {
    if (!(trouble instanceof ApiError)) throw trouble;
    problem.hidden = false;
    problem.textContent = trouble.message;
    if (editor.open) editor.refuse(trouble.message);
  }
}

function address() {
  return `/lens?${new URLSearchParams({ rulebook: state.book, fen: state.fen })}`;
}

async function share() {
  try {
    await navigator.clipboard.writeText(new URL(address(), location.href).href);
    toast(t('rules.copied'));
  } catch {
    openShare({ title: t('frame.lens'), path: address(), files: [] }); // a page on a LAN may not write there: it is copied by hand
  }
}

/** @param {boolean} on */
function setEditing(on) {
  board.editable = on;
  byId('edit').setAttribute('aria-pressed', String(on));
  if (on) editor.show(board.position.pieces, board.position.turn);
  else editor.hide();
  board.arrows = on ? [] : board.arrows;
}

/** @param {Record<string, string>} pieces @param {string} turn */
function edited(pieces, turn) {
  board.position = { ...board.position, pieces: { ...pieces }, turn, fen: fenOf(board.book, pieces, turn) };
  editor.refuse('');
  if (Object.keys(pieces).length) show(state.book, fenOf(board.book, pieces, turn));
}

function draw() {
  const { groups } = state.told;
  const cards = groups.map(groupCard);
  byId('groups').replaceChildren(...(groups.length === 1 ? [h('p.notice', null, t('rules.lens_none'))] : []), ...cards);
  look(groups.length > 1 ? 1 : 0);
}

/** @param {any} group @param {number} i */
function groupCard(group, i) {
  const added = new Set(group.added.map((/** @type {any} */ move) => move.text));
  const head = group.rulebooks[0];
  const moves = [
    ...group.moves.map((/** @type {any} */ move) => moveTag(move, i && added.has(move.text) ? 'added' : 'same')),
    ...(i ? group.missing.map((/** @type {any} */ move) => moveTag(move, 'missing')) : []),
  ];
  const causes = i ? head.causes : [];
  return h('article.card.lens-group', { dataset: { testid: `group-${head.id}` }, onfocusin: () => look(i), onpointerenter: () => look(i) },
    h('div.lens-group-top', null,
      h('p.lens-count.numbers', { dataset: { testid: `count-${head.id}` } }, String(group.count), h('small', null, t('rules.legal_count', { n: group.count }).replace(/^\d+\s*/, ''))),
      h('p.lens-books', null, ...group.rulebooks.map((/** @type {any} */ book) => h('a.tag', { href: `/rules/${book.id}`, class: book.id === state.book ? 'tag-blue' : '', dataset: { testid: `lens-${book.id}`, moves: book.moves.join(' · ') } }, state.names[book.id] ?? book.id)))),
    h('p.lens-moves', null, ...(moves.length ? moves : [h('span.muted', null, t('rules.lens_no_moves'))])),
    ...(causes.length ? [h('div.lens-causes', { dataset: { testid: `causes-${head.id}` } }, h('strong', null, t('rules.lens_why')), ...causes.map(causeCard))] : []),
    ...(i ? [h('button.button-quiet.lens-show', { type: 'button', onclick: () => look(i), dataset: { testid: `show-${head.id}` } }, icon('eye'), t('rules.lens_draw'))] : []));
}

/** @param {any} move @param {string} kind */
function moveTag(move, kind) {
  const words = kind === 'added' ? ` (${t('rules.lens_added')})` : kind === 'missing' ? ` (${t('rules.lens_missing')})` : '';
  return h('span.lens-move', { dataset: { kind } }, move.text, words ? h('span.visually-hidden', null, words) : null);
}

/** Answers that together are enough to explain it. @param {any[]} keys @param {number} i */
function causeCard(keys, i) {
  return h('div.lens-cause', null, ...(i ? [h('p.muted', null, t('rules.lens_or'))] : []), ...keys.map((cause) => h('div', null,
    h('p', null, cause.question),
    ...[cause.first, cause.second].map((side) => h('p', null, `${state.names[side.rulebook]}: `, h('strong', null, side.answer), ' ', ...side.articles.filter((/** @type {any} */ article) => article.article_id).map((/** @type {any} */ article) => h('a.small', { href: `/rules/${side.rulebook}#${article.article_id}` }, article.article || article.article_id, ' ')))))));
}

/** Draws what one group has and has not. @param {number} i */
function look(i) {
  state.shown = i;
  const group = state.told.groups[i];
  for (const [n, card] of [...document.querySelectorAll('.lens-group')].entries()) {
    if (n === i) card.setAttribute('aria-current', 'true');
    else card.removeAttribute('aria-current');
  }
  if (editor.open) return;
  const added = new Set(group.added.map((/** @type {any} */ move) => move.text));
  const fresh = (/** @type {any} */ move) => i > 0 && added.has(move.text);
  board.arrows = [
    ...(i ? group.missing.map((/** @type {any} */ move) => ({ route: move.squares, brush: 'red' })) : []),
    ...group.moves.filter((/** @type {any} */ move) => !fresh(move)).map((/** @type {any} */ move) => ({ route: move.squares, brush: 'blue' })),
    ...group.moves.filter(fresh).map((/** @type {any} */ move) => ({ route: move.squares, brush: 'green' })),
  ].slice(0, 40);
}

start();
