/** Openings of a rulebook: lines to look at, to practise in a game, and to learn. */

import { api, tryAction } from '../lib/api.js';
import { byId, fill, h, markCurrent } from '../lib/dom.js';
import { openPlayHere } from '../lib/play-here.js';
import { moveWords, openKeepLine } from '../lib/repertoire.js';
import { t } from '../lib/words.js';
import { LessonBoard, positionAfter, showFeedback } from './learning/lesson-board.js';
import { RepertoirePanel } from './openings/repertoire.js';
import { Trainer } from './openings/trainer.js';

/** @import { OpeningLine, Side } from '../lib/messages.js' */
/** @import { Training } from './openings/repertoire.js' */

/** @typedef {Pick<OpeningLine, 'source' | 'name' | 'moves' | 'start'>} ShownLine */

/** Groups of lines in the order in which they are shown. */
const GROUPS = /** @type {const} */ (['ballot', 'book', 'draw']);

const lessonBoard = new LessonBoard(byId('opening-board'), {
  showsCounts: false, inputPlace: byId('typed-place'), refusalPlace: byId('reasons'),
  onMove: (move) => trainer.onMove(move),
});
const trainer = new Trainer(lessonBoard, showIdle);
const repertoire = new RepertoirePanel((line) => show({ ...line, source: 'own', start: '' }), train);
const rulebookSelect = byId('rulebook', HTMLSelectElement);
const practiseButton = byId('practise', HTMLButtonElement);
const keepButton = byId('keep', HTMLButtonElement);
const exploreLink = byId('explore', HTMLAnchorElement);
const list = byId('opening-lines');
const query = new URLSearchParams(location.search);

const state = {
  book: query.get('rulebook') ?? document.documentElement.dataset.rulebookDefault ?? '',
  /** @type {ShownLine | null} */
  line: null,
  /** The position after it. */
  fen: '',
  turn: /** @type {Side} */ ('white'),
};
/** Number of the last requested list: answers to older ones are dropped. */
let requestNumber = 0;

async function start() {
  const books = [...rulebookSelect.options].map((option) => option.value);
  if (!books.includes(state.book)) state.book = books[0];
  rulebookSelect.value = state.book;
  rulebookSelect.addEventListener('change', () => {
    state.book = rulebookSelect.value;
    history.replaceState(null, '', `?${new URLSearchParams({ rulebook: state.book })}`);
    void loadLines();
  });
  practiseButton.addEventListener('click', () => {
    if (state.line) openPlayHere({ rulebook: state.book, fen: state.fen, color: state.turn });
  });
  keepButton.addEventListener('click', () => {
    const { line, book, turn } = state;
    const side = turn === 'white' ? 'black' : 'white'; // who has just moved
    if (!line) return;
    const { moves, name } = line;
    openKeepLine({ rulebook: book, moves, name, side, onKept: loadRepertoire });
  });
  byId('stop').addEventListener('click', () => trainer.stop());
  byId('show-move').addEventListener('click', () =>
    tryAction(() => trainer.giveUp(), ({ message }) => showFeedback(message, 'bad')));
  showIdle();
  await loadLines();
  document.body.dataset.ready = 'openings';
}

async function loadLines() {
  const number = ++requestNumber, { book } = state;
  if (trainer.isOn) trainer.stop();
  practiseButton.disabled = keepButton.disabled = true;
  void loadRepertoire();
  list.replaceChildren(h('p.muted', t('openings.page.loading')));
  await tryAction(async () => {
    await lessonBoard.useRulebook(book);
    lessonBoard.board.set({ movable: 'none' });
    /** @type {{lines: OpeningLine[]}} */
    const { lines } = await api.get(`/api/openings/${encodeURIComponent(book)}`);
    if (number !== requestNumber) return;
    showLines(lines);
    await choose(lines[0]);
  }, ({ message }) => {
    if (number !== requestNumber) return;
    list.replaceChildren();
    showFeedback(message, 'bad');
  });
}

/** @param {OpeningLine[]} lines */
function showLines(lines) {
  showFeedback('', '');
  const groups = GROUPS.map((source) => /** @type {const} */ (
    [source, lines.filter((line) => line.source === source)])).filter(([, found]) => found.length);
  fill(list, h('h2.card-title', t('openings.page.lines')), groups.map(([source, found]) =>
    h('section.opening-group', h('h3', t(`openings.group.${source}`)),
      h('ul.opening-list', { tabIndex: 0, 'aria-label': t(`openings.group.${source}`) },
        found.map((line, index) => h('li', lineButton(line, `line-${source}-${index}`)))))));
}

/** @param {OpeningLine} line @param {string} testid */
function lineButton(line, testid) {
  const button = h('button.opening-line', { testid, onclick: () => choose(line, button) },
    line.name && h('b', line.name), h('span', moveWords(line.moves)));
  return button;
}

/** @param {OpeningLine} line @param {HTMLButtonElement | null} [button] */
async function choose(line, button = list.querySelector('button')) {
  await show(line, button);
}

/** @param {ShownLine} line @param {HTMLButtonElement | null} [button] of the list of lines */
async function show(line, button = null) {
  if (trainer.isOn) trainer.stop();
  state.line = line;
  showFeedback('', '');
  const buttons = [...list.querySelectorAll('button.opening-line')];
  markCurrent(buttons, button ? buttons.indexOf(button) : -1);
  byId('opening-name').textContent = line.name || t(`openings.group_of.${line.source}`);
  byId('opening-moves').replaceChildren(...moveWords(line.moves));
  const place = { rulebook: state.book, ...(line.start ? { fen: line.start } : {}) };
  exploreLink.href = `/analysis?${new URLSearchParams({ ...place, moves: line.moves.join('.') })}`;
  await tryAction(async () => {
    const view = await positionAfter(state.book, line.start ?? '', line.moves);
    if (state.line !== line) return;
    lessonBoard.board.set({ arrows: [], movable: 'none' });
    lessonBoard.show(view);
    Object.assign(state, { fen: view.fen, turn: view.turn });
    practiseButton.disabled = Boolean(view.outcome);
    keepButton.disabled = Boolean(line.start);
  }, ({ message }) => showFeedback(message, 'bad'));
}

const loadRepertoire = () => tryAction(() => repertoire.load(state.book),
  ({ message }) => showFeedback(message, 'bad'));

/** @param {Training} training */
async function train({ rulebook, side, lines }) {
  state.line = null;
  byId('opening-name').textContent = t(`openings.mine_${side}`);
  byId('opening-moves').textContent = '';
  byId('training').hidden = lessonBoard.input.hidden = false;
  byId('line-tools').hidden = true;
  lessonBoard.board.scrollIntoView({ block: 'nearest' });
  await tryAction(() => trainer.start(rulebook, side, lines), ({ message }) => {
    trainer.stop();
    showFeedback(message, 'bad');
  });
}

/** Nothing is trained. */
function showIdle() {
  byId('training').hidden = lessonBoard.input.hidden = true;
  byId('line-tools').hidden = false;
  if (document.body.dataset.ready) void loadRepertoire();
}

void start();
