/** Openings of a rulebook: lines to look at, to practise in a game, and to learn. */

import { api, tryAction } from '../lib/api.js';
import { byId, fill, h, markCurrent } from '../lib/dom.js';
import { openPlayHere } from '../lib/play-here.js';
import { t } from '../lib/words.js';
import { LessonBoard, positionAfter, showFeedback } from './learning/lesson-board.js';

/** @import { OpeningLine } from '../lib/messages.js' */

/** Groups of lines in the order in which they are shown. */
const GROUPS = /** @type {const} */ (['ballot', 'book', 'draw']);

const lessonBoard = new LessonBoard(byId('opening-board'), { showsCounts: false });
const rulebookSelect = byId('rulebook', HTMLSelectElement);
const practiseButton = byId('practise', HTMLButtonElement);
const exploreLink = byId('explore', HTMLAnchorElement);
const list = byId('opening-lines');
const query = new URLSearchParams(location.search);

const state = {
  book: query.get('rulebook') ?? document.documentElement.dataset.rulebookDefault ?? '',
  /** @type {OpeningLine | null} */
  line: null,
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
    if (state.line) openPlayHere({ rulebook: state.book, fen: state.line.fen, color: state.line.turn });
  });
  await loadLines();
  document.body.dataset.ready = 'openings';
}

async function loadLines() {
  const number = ++requestNumber, { book } = state;
  practiseButton.disabled = true;
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
    line.name && h('b', line.name), h('span', line.moves.join(' ')));
  return button;
}

/** @param {OpeningLine} line @param {HTMLButtonElement | null} [button] */
async function choose(line, button = list.querySelector('button')) {
  state.line = line;
  const buttons = [...list.querySelectorAll('button.opening-line')];
  markCurrent(buttons, button ? buttons.indexOf(button) : 0);
  byId('opening-name').textContent = line.name || t(`openings.group_of.${line.source}`);
  byId('opening-moves').textContent = line.moves.join(' ');
  const place = { rulebook: state.book, ...(line.start ? { fen: line.start } : {}) };
  exploreLink.href = `/analysis?${new URLSearchParams({ ...place, moves: line.moves.join('.') })}`;
  await tryAction(async () => {
    const view = await positionAfter(state.book, line.start ?? '', line.moves);
    if (state.line !== line) return;
    lessonBoard.show(view);
    practiseButton.disabled = Boolean(view.outcome);
  }, ({ message }) => showFeedback(message, 'bad'));
}

void start();
