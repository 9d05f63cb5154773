/**
 * The lens: one position under every rulebook of its board. The server compares; this page shows the
 * differences.
 */

import { DamasBoard } from '../board/damas-board.js';
import { api, ApiError, rulebook } from '../lib/api.js';
import { $$, byId, h, icon, toast } from '../lib/dom.js';
import { openShare } from '../lib/share.js';
import { t } from '../lib/words.js';
import { Editor, fenOf } from './analysis/editor.js';

/** @import { Arrow } from '../board/overlay.js' */
/** @import { CauseView, ClauseView, ComparedMove, LensGroup } from '../lib/messages.js' */
/** @import { LensView, Pieces, RulebookEntry, Side } from '../lib/messages.js' */

const MAX_ARROWS = 40;
const SAMPLE_RULEBOOK = 'brasileira';
/** Names and positions. */
const SAMPLES = [
  ['landing', 'W:WKa1:Bd4,g5'],
  ['majority', 'W:Wc3:Bb4,d4,f6'],
  ['backward', 'W:We5:Bd4'],
  ['quality', 'W:Wd4:Bc5,Ke5'],
  ['passing', 'W:Wf6:Be7,c7'],
  ['turkish', 'W:WKh6:Bb4,c7,f6,g5'],
];

const board = byId('board', DamasBoard);
const rulebookSelect = byId('rulebook', HTMLSelectElement);
const fenField = byId('fen', HTMLInputElement);
const editButton = byId('edit', HTMLButtonElement);
const problem = byId('lens-problem');
const query = new URLSearchParams(location.search);
const state = {
  book: query.get('rulebook') ?? '',
  fen: query.get('fen') ?? '',
  /** @type {LensView | null} */
  lens: null,
  /** By rulebook id. @type {Record<string, string>} */
  names: {},
};

const editor = new Editor(byId('editor'), {
  onChange: (pieces, turn) => { if (editor.isOpen) showEdited(pieces, turn); },
  onDone: () => setEditing(false),
  onStartPosition: () => { if (board.book) editor.set(board.book.start.pieces, board.book.start.turn); },
});

async function start() {
  /** @type {{rulebooks: RulebookEntry[]}} */
  const { rulebooks } = await api.get('/api/rulebooks');
  state.names = Object.fromEntries(rulebooks.map(({ id, name }) => [id, name]));
  rulebookSelect.replaceChildren(...rulebooks.map(({ id, name }) => h('option', { value: id }, name)));
  if (!state.names[state.book]) state.book = SAMPLE_RULEBOOK;
  if (!state.fen) {
    state.fen = state.book === SAMPLE_RULEBOOK ? SAMPLES[0][1] : (await rulebook(state.book)).start_fen;
  }
  rulebookSelect.addEventListener('change', () => changeRulebook(rulebookSelect.value));
  byId('lens-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    void compare(state.book, fenField.value.trim());
  });
  editButton.addEventListener('click', () => setEditing(!editor.isOpen));
  byId('share').addEventListener('click', share);
  byId('samples').replaceChildren(...SAMPLES.map(([name, fen]) => h('li', null, h('button.chip', {
    type: 'button', dataset: { testid: `sample-${name}` }, onclick: () => compare(SAMPLE_RULEBOOK, fen),
  }, t(`rules.sample.${name}`)))));
  board.addEventListener('damas-edit', ({ detail }) => editor.put(detail.square));
  await compare(state.book, state.fen);
  if (!state.lens) await showSampleInstead();
  document.body.dataset.ready = 'lens';
}

/** Shows a sample and why the position of the address cannot be read. */
async function showSampleInstead() {
  const message = problem.textContent;
  await compare(SAMPLE_RULEBOOK, SAMPLES[0][1]);
  problem.textContent = message;
  problem.hidden = false;
}

/** Keeps the position where the boards are alike. @param {string} id */
async function changeRulebook(id) {
  const before = board.book?.board, book = await rulebook(id);
  const isSameBoard = before?.size === book.board.size && before.all_squares === book.board.all_squares;
  const { pieces, turn } = board.position;
  await compare(id, isSameBoard ? fenOf(book, pieces, turn) : book.start_fen);
}

/** @param {string} book @param {string} fen */
async function compare(book, fen) {
  try {
    /** @type {LensView} */
    const lens = await api.post('/api/compare', { rulebook: book, fen });
    problem.hidden = true;
    Object.assign(state, { book: lens.rulebook, fen: lens.fen, lens });
    board.book = await rulebook(lens.rulebook);
    rulebookSelect.value = lens.rulebook;
    fenField.value = lens.fen;
    board.position = { fen: lens.fen, turn: lens.turn, pieces: lens.pieces, legal: [], must_capture: false };
    history.replaceState(null, '', address());
    showGroups(lens);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    problem.hidden = false;
    problem.textContent = error.message;
    if (editor.isOpen) editor.showProblem(error.message);
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
    openShare({ title: t('frame.lens'), path: address(), files: [] }); // without HTTPS a page may not copy
  }
}

/** @param {boolean} isEditing */
function setEditing(isEditing) {
  board.editable = isEditing;
  editButton.setAttribute('aria-pressed', String(isEditing));
  if (!isEditing) return editor.hide();
  editor.show(board.position.pieces, board.position.turn);
  board.arrows = [];
}

/** @param {Pieces} pieces @param {Side} turn */
function showEdited(pieces, turn) {
  if (!board.book) return;
  const fen = fenOf(board.book, pieces, turn);
  board.position = { ...board.position, pieces: { ...pieces }, turn, fen };
  editor.showProblem('');
  if (Object.keys(pieces).length) void compare(state.book, fen);
}

/** @param {LensView} lens */
function showGroups({ groups }) {
  const note = groups.length === 1 ? [h('p.notice', null, t('rules.lens_none'))] : [];
  byId('groups').replaceChildren(...note, ...groups.map(groupCard));
  selectGroup(groups.length > 1 ? 1 : 0);
}

/** Moves of a group that the first group does not have. @param {LensGroup} group @param {number} index */
function addedMoves(group, index) {
  return new Set(index ? group.added.map(({ text }) => text) : []);
}

/** @param {LensGroup} group @param {number} index */
function groupCard(group, index) {
  const added = addedMoves(group, index);
  const [first] = group.rulebooks;
  const moves = [
    ...group.moves.map((move) => moveTag(move, added.has(move.text) ? 'added' : 'same')),
    ...(index ? group.missing.map((move) => moveTag(move, 'missing')) : []),
  ];
  const countWords = t('rules.legal_count', { n: group.count }).replace(/^\d+\s*/, '');
  const books = group.rulebooks.map(({ id, moves: texts }) => h('a.tag', {
    href: `/rules/${id}`, class: id === state.book ? 'tag-blue' : '',
    dataset: { testid: `lens-${id}`, moves: texts.join(' · ') },
  }, state.names[id] ?? id));
  return h('article.card.lens-group', {
    dataset: { testid: `group-${first.id}` }, onfocusin: () => selectGroup(index),
    onpointerenter: () => selectGroup(index),
  },
  h('div.lens-group-top', null,
    h('p.lens-count.numbers', { dataset: { testid: `count-${first.id}` } }, group.count,
      h('small', null, countWords)),
    h('p.lens-books', null, ...books)),
  h('p.lens-moves', null, moves.length ? moves : h('span.muted', null, t('rules.lens_no_moves'))),
  index > 0 && first.causes.length > 0 && h('div.lens-causes', { dataset: { testid: `causes-${first.id}` } },
    h('strong', null, t('rules.lens_why')), ...first.causes.map(causeCard)),
  index > 0 && h('button.button-quiet.lens-show', {
    type: 'button', onclick: () => selectGroup(index), dataset: { testid: `show-${first.id}` },
  }, icon('eye'), t('rules.lens_draw')));
}

/** @param {ComparedMove} move @param {'same' | 'added' | 'missing'} kind */
function moveTag({ text }, kind) {
  const words = kind !== 'same' && t(kind === 'added' ? 'rules.lens_added' : 'rules.lens_missing');
  return h('span.lens-move', { dataset: { kind } }, text, words
    && h('span.visually-hidden', null, ` (${words})`));
}

/** Answers that together explain the difference. @param {CauseView[]} causes @param {number} index */
function causeCard(causes, index) {
  return h('div.lens-cause', null, index > 0 && h('p.muted', null, t('rules.lens_or')), causes.map((cause) =>
    h('div', null, h('p', null, cause.question), clauseLine(cause.first), clauseLine(cause.second))));
}

/** @param {ClauseView} clause */
function clauseLine({ rulebook: id, answer, articles }) {
  const cited = articles.filter((article) => article.article_id);
  return h('p', null, `${state.names[id]}: `, h('strong', null, answer), ' ', cited.map((article) =>
    h('a.small', { href: `/rules/${id}#${article.article_id}` }, article.article || article.article_id,
      ' ')));
}

/** Draws the moves of one group: red for missing, green for added ones. @param {number} index */
function selectGroup(index) {
  const group = state.lens?.groups[index];
  if (!group) return;
  for (const [i, card] of $$('.lens-group').entries()) {
    if (i === index) card.setAttribute('aria-current', 'true');
    else card.removeAttribute('aria-current');
  }
  if (editor.isOpen) return;
  const added = addedMoves(group, index);
  const arrows = (/** @type {ComparedMove[]} */ moves, /** @type {Arrow['brush']} */ brush) =>
    moves.map(({ squares }) => ({ route: squares, brush }));
  board.arrows = [
    ...arrows(index ? group.missing : [], 'red'),
    ...arrows(group.moves.filter(({ text }) => !added.has(text)), 'blue'),
    ...arrows(group.moves.filter(({ text }) => added.has(text)), 'green'),
  ].slice(0, MAX_ARROWS);
}

void start();
