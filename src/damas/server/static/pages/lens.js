/** The lens: one position under every rulebook of its board, and where they differ, as the server says. */

import { DamasBoard } from '../board/damas-board.js';
import { api, tryAction } from '../lib/api.js';
import { $$, byId, h, iconButton, markCurrent, showText, toast } from '../lib/dom.js';
import { isSameBoard, listRulebooks, rulebook, rulebookName, rulebookOptions } from '../lib/rulebooks.js';
import { openShare, publicUrl } from '../lib/share.js';
import { t } from '../lib/words.js';
import { checkSetup, Editor, fenOf } from './analysis/editor.js';

/** @import { Arrow } from '../board/overlay.js' */
/** @import { CauseView, ClauseView, ComparedMove, LensGroup } from '../lib/messages.js' */
/** @import { LensView, Pieces, Side } from '../lib/messages.js' */

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
};

/** What was shown when the editor was opened. */
let before = { book: '', fen: '' };
/** The number of the latest position shown: the answer for an earlier one comes too late. */
let latest = 0;

const editor = new Editor(byId('editor'), {
  onChange: (pieces, turn) => { if (editor.isOpen) showEdited(pieces, turn); },
  onDone: finishEditing,
  onCancel: cancelEditing,
  onStartPosition: () => { if (board.book) editor.set(board.book.start.pieces, board.book.start.turn); },
});

async function start() {
  const rulebooks = await listRulebooks();
  rulebookSelect.replaceChildren(...rulebookOptions());
  if (!rulebooks.some(({ id }) => id === state.book)) state.book = SAMPLE_RULEBOOK;
  if (!state.fen) {
    state.fen = state.book === SAMPLE_RULEBOOK ? SAMPLES[0][1] : (await rulebook(state.book)).start_fen;
  }
  rulebookSelect.addEventListener('change', () => changeRulebook(rulebookSelect.value));
  byId('lens-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    void open(state.book, fenField.value.trim());
  });
  editButton.addEventListener('click', () => (editor.isOpen ? finishEditing() : openEditor()));
  byId('share').addEventListener('click', share);
  byId('samples').replaceChildren(...SAMPLES.map(([name, fen]) => h('li', h('button.chip',
    { testid: `sample-${name}`, onclick: () => open(SAMPLE_RULEBOOK, fen) }, t(`rules.sample.${name}`)))));
  board.addEventListener('damas-edit', ({ detail }) => editor.put(detail.square));
  await compare(state.book, state.fen);
  if (!state.lens) await showSampleInstead();
  document.body.dataset.ready = 'lens';
}

/** Shows a sample and why the position of the address cannot be read. */
async function showSampleInstead() {
  const message = problem.textContent ?? '';
  await compare(SAMPLE_RULEBOOK, SAMPLES[0][1]);
  showText(problem, message);
}

/** Keeps the position where the boards are alike. @param {string} id */
async function changeRulebook(id) {
  const book = await rulebook(id);
  const { pieces, turn } = board.position;
  await open(id, isSameBoard(board.book?.board, book.board) ? fenOf(book, pieces, turn) : book.start_fen);
}

/** Shows a position, in the editor too. @param {string} book @param {string} fen */
async function open(book, fen) {
  await compare(book, fen);
  if (editor.isOpen) editor.set(board.position.pieces, board.position.turn);
}

/** Compares a position, unless another has been shown meanwhile. @param {string} book @param {string} fen */
async function compare(book, fen) {
  const request = (latest += 1);
  await tryAction(async () => {
    /** @type {LensView} */
    const lens = await api.post('/api/compare', { rulebook: book, fen });
    if (request !== latest) return;
    showText(problem, '');
    Object.assign(state, { book: lens.rulebook, fen: lens.fen, lens });
    board.set({ book: await rulebook(lens.rulebook) });
    rulebookSelect.value = lens.rulebook;
    fenField.value = lens.fen;
    board.position = { fen: lens.fen, turn: lens.turn, pieces: lens.pieces, legal: [], must_capture: false };
    history.replaceState(null, '', address());
    showGroups(lens);
  }, ({ message }) => showText(problem, message));
}

function address() {
  return `/lens?${new URLSearchParams({ rulebook: state.book, fen: state.fen })}`;
}

async function share() {
  try {
    await navigator.clipboard.writeText(publicUrl(address()));
    toast(t('rules.copied'));
  } catch {
    openShare({ title: t('frame.lens'), path: address(), files: [] }); // without HTTPS a page may not copy
  }
}

function openEditor() {
  board.set({ editable: true, arrows: [] });
  editButton.setAttribute('aria-pressed', 'true');
  before = { book: state.book, fen: state.fen };
  editor.show(board.position.pieces, board.position.turn);
  board.scrollIntoView({ block: 'nearest' });
}

function closeEditor() {
  board.set({ editable: false });
  editButton.setAttribute('aria-pressed', 'false');
  editor.hide();
}

/** Shows the edited position under every rulebook. @param {Pieces} pieces @param {Side} turn */
async function showEdited(pieces, turn) {
  if (!board.book) return;
  const request = (latest += 1);
  const fen = fenOf(board.book, pieces, turn);
  board.position = { ...board.position, pieces: { ...pieces }, turn, fen };
  const check = await checkSetup(state.book, fen);
  if (request !== latest) return;
  showText(editor.problem, check.fits ? '' : check.message ?? '');
  if (check.fits) await compare(state.book, fen);
}

async function finishEditing() {
  const check = await checkSetup(state.book, board.position.fen);
  showText(editor.problem, check.fits ? '' : check.message ?? '');
  if (!check.fits) return;
  closeEditor();
  await compare(state.book, board.position.fen);
}

/** Goes back to the position as it was before it was edited. */
async function cancelEditing() {
  closeEditor();
  await compare(before.book, before.fen);
  editButton.focus({ preventScroll: true });
}

/** @param {LensView} lens */
function showGroups({ groups }) {
  const note = groups.length === 1 ? [h('p.notice', t('rules.lens_none'))] : [];
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
  }, rulebookName(id)));
  const select = () => selectGroup(index);
  return h('article.card.lens-group',
    { testid: `group-${first.id}`, onfocusin: select, onpointerenter: select },
    h('div.lens-group-top',
      h('p.lens-count.numbers', { testid: `count-${first.id}` }, group.count, h('small', countWords)),
      h('p.lens-books', ...books)),
    h('p.lens-moves', moves.length ? moves : h('span.muted', t('rules.lens_no_moves'))),
    index > 0 && first.causes.length > 0 && h('div.lens-causes', { testid: `causes-${first.id}` },
      h('strong', t('rules.lens_why')), ...first.causes.map(causeCard)),
    index > 0
      && iconButton(`show-${first.id}`, 'eye', t('rules.lens_draw'), select, 'button-quiet.lens-show'));
}

/** @param {ComparedMove} move @param {'same' | 'added' | 'missing'} kind */
function moveTag({ text }, kind) {
  const words = kind !== 'same' && t(kind === 'added' ? 'rules.lens_added' : 'rules.lens_missing');
  return h('span.lens-move', { dataset: { kind } }, text, words && h('span.visually-hidden', ` (${words})`));
}

/** Answers that together explain the difference. @param {CauseView[]} causes @param {number} index */
function causeCard(causes, index) {
  return h('div.lens-cause', index > 0 && h('p.muted', t('rules.lens_or')), causes.map((cause) =>
    h('div', h('p', cause.question), clauseLine(cause.first), clauseLine(cause.second))));
}

/** @param {ClauseView} clause */
function clauseLine({ rulebook: id, answer, articles }) {
  const cited = articles.filter((article) => article.article_id);
  return h('p', `${rulebookName(id)}: `, h('strong', answer), ' ', cited.map((article) =>
    h('a.small', { href: `/rules/${id}#${article.article_id}` }, article.article || t('rules.reading'),
      ' ')));
}

/** Draws the moves of one group: red for missing, green for added ones. @param {number} index */
function selectGroup(index) {
  const group = state.lens?.groups[index];
  if (!group) return;
  markCurrent($$('.lens-group'), index);
  if (editor.isOpen) return;
  const added = addedMoves(group, index);
  const arrows = (/** @type {ComparedMove[]} */ moves, /** @type {Arrow['brush']} */ brush) =>
    moves.map(({ squares }) => ({ route: squares, brush }));
  const drawn = [
    ...arrows(index ? group.missing : [], 'red'),
    ...arrows(group.moves.filter(({ text }) => !added.has(text)), 'blue'),
    ...arrows(group.moves.filter(({ text }) => added.has(text)), 'green'),
  ];
  board.set({ arrows: drawn.slice(0, MAX_ARROWS) });
}

void start();
