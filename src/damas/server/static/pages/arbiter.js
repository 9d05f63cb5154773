/** The page of an arbiter: many boards at once, those that call first; each opens at its own table. */

import { pieceIcon, SIDES } from '../board/pieces.js';
import { api } from '../lib/api.js';
import { openDialog } from '../lib/dialog.js';
import { $, fill, h, icon, iconButton, toast } from '../lib/dom.js';
import { eventStream } from '../lib/event-stream.js';
import { listRulebooks, rulebookName } from '../lib/rulebooks.js';
import { playSound } from '../lib/sound.js';
import { clockFace, modeWords } from '../lib/times.js';
import { playerName, t } from '../lib/words.js';
import {
  BOARDS_KEY, followBoard, followedBoards, forgetBoard, linksIn, renumberBoard,
} from './arbiter/followed.js';

/** @import { ClocksView, FollowedBoard, Side } from '../lib/messages.js' */
/** @import { BoardKey } from './arbiter/followed.js' */

const UPDATE_MS = 200;
const RETRY_MS = 3000;
const TITLE = document.title;

const list = $('#boards');
const form = $('#boards-form', HTMLFormElement);
const links = $('#boards-links', HTMLTextAreaElement);
/** The clocks on the page, and when the server sent them. @type {Map<HTMLElement, () => string>} */
const faces = new Map();
/**
 * The boards as they came last, by game, and when.
 * @type {Map<string, {followed: FollowedBoard, since: number}>}
 */
const latest = new Map();
/** Calls that were announced: "game side". @type {Set<string>} */
let announced = new Set();
/** Ends the stream that is open. */
let abort = new AbortController();

/** @param {FollowedBoard} board */
function rank({ board }) {
  if (!board) return 3;
  if (board.outcome) return 2;
  return board.calls.length ? 0 : 1;
}

/** @param {NonNullable<FollowedBoard['board']>} board */
function stateWords({ outcome, suspended, move, last }) {
  if (outcome) return outcome.message;
  if (suspended) return t('table.boards.suspended');
  return last ? t('table.boards.move', { n: move, last }) : t('table.boards.start');
}

/** Takes in the boards that have changed. @param {FollowedBoard[]} changed */
function receive(changed) {
  const since = performance.now();
  for (const followed of changed) latest.set(followed.id, { followed, since });
  show();
}

function show() {
  faces.clear();
  const tables = followedBoards().toSorted((a, b) => a.number - b.number);
  const boards = tables.flatMap(({ id }) => latest.get(id)?.followed ?? []);
  const sorted = boards.toSorted((a, b) => rank(a) - rank(b));
  fill(list, sorted.map(card));
  $('#no-boards').hidden = boards.length > 0;
  const calls = boards.flatMap(({ id, board }) => (board?.calls ?? []).map((side) => `${id} ${side}`));
  document.title = calls.length ? `(${calls.length}) ${TITLE}` : TITLE;
  if (calls.some((call) => !announced.has(call))) playSound('refused');
  announced = new Set(calls);
  const playing = boards.filter(({ board }) => board && !board.outcome).length;
  $('#boards-count').textContent = t('table.boards.count',
    { n: boards.length, playing, calls: calls.length });
  update();
}

/** @param {FollowedBoard} followed @returns {HTMLElement} */
function card(followed) {
  const { id, board, players, clocks, status } = followed;
  const forget = iconButton('', 'close', t('table.boards.forget'), () => {
    forgetBoard(id);
    restart();
  }, 'button-quiet.board-forget');
  forget.dataset.testid = `forget-${id}`;
  const { key = '', number = 0 } = followedBoards().find((each) => each.id === id) ?? {};
  const title = h('h2.board-number', { testid: `number-${id}` }, t('table.boards.number', { n: number }));
  if (!board || !players) {
    return h('li.card.board-card', { testid: `board-${id}` }, title,
      h('p', t(`table.boards.${['busy', 'damaged'].includes(status) ? 'busy' : 'gone'}`, { id })), forget);
  }
  const names = SIDES.map((side) => playerName(players[side])).join(' – ');
  const terms = [rulebookName(board.rulebook), modeWords(board.preset)];
  const since = latest.get(id)?.since ?? 0;
  return h(`li.card.board-card${board.calls.length ? '.board-calls' : ''}`, { testid: `board-${id}` },
    title, h('p.board-names', h('a', { href: `/game/${id}#arbiter=${key}`, testid: `open-${id}` }, names)),
    h('p.board-terms.small.muted', terms.join(' · ')),
    board.calls.map((side) => h('p.board-call', { role: 'status', testid: `call-${id}` }, icon('bell'),
      t('table.boards.called', { name: playerName(players[side]), side: t(`table.side.${side}`) }))),
    h('div.board-sides', SIDES.map((side) => {
      const face = h('span.dial', { testid: `clock-${side}` });
      if (clocks) faces.set(face, () => faceOf(clocks, side, since));
      const isAwaited = !board.outcome && board.awaited === side;
      const count = board.irregularities[side];
      return h(`div.board-side${isAwaited ? '.awaited' : ''}`, { testid: `side-${side}` },
        pieceIcon(side === 'white' ? 'w' : 'b'), h('span.board-name', playerName(players[side])),
        isAwaited && h('span.visually-hidden', t('table.boards.turn')),
        !players[side].here && !board.outcome && h('span.tag.tag-bad', t('play.player.away')),
        count > 0 && h('span.tag', { testid: `irregular-${side}` },
          t('table.boards.irregular', { n: count })),
        face);
    })),
    h('p.board-state', { testid: `state-${id}` }, stateWords(board)),
    board.news.length > 0 && h('ul.board-news.small', { testid: `news-${id}` },
      board.news.toReversed().map(({ message }) => h('li', message))),
    h('div.toolbar', board.outcome && h('a.button-quiet',
      { href: `/paper/certificate/${id}`, target: '_blank', rel: 'noopener', testid: `certificate-${id}` },
      icon('print'), h('span', t('table.arbiter.certificate'))),
    iconButton(`renumber-${id}`, 'edit', t('table.boards.renumber'), () => askNumber(id, number)), forget));
}

/** Asks for another number of a table. @param {string} id @param {number} number */
function askNumber(id, number) {
  const input = h('input', { type: 'number', min: 1, max: 999, required: true, value: number,
    'aria-label': t('table.boards.renumber'), testid: 'table-number' });
  const dialogForm = h('form.toolbar', input, h('button.button', { type: 'submit' }, t('table.boards.save')));
  dialogForm.addEventListener('submit', (event) => {
    event.preventDefault();
    renumberBoard(id, input.valueAsNumber);
    dialog.close();
    show();
  });
  const dialog = openDialog('renumber', t('table.boards.renumber'), dialogForm);
}

/** @param {ClocksView} clocks @param {Side} side @param {number} since when they were shown */
function faceOf(clocks, side, since) {
  const left = clocks[side] ?? null;
  if (left === null) return '';
  return clockFace(clocks.running === side ? left - (performance.now() - since) : left);
}

function update() {
  for (const [face, text] of faces) {
    const now = text();
    if (face.textContent !== now) face.textContent = now;
  }
}

/** Follows the boards until the list of them changes; a lost connection is tried again. */
async function follow() {
  const { signal } = abort;
  while (!signal.aborted) {
    const boards = followedBoards().map(({ id, key }) => ({ id, key }));
    latest.clear();
    if (!boards.length) return show();
    try {
      for await (const message of eventStream('/api/arbiter/stream', signal, { boards })) {
        $('#boards-offline').hidden = true;
        if (followRematches(message.boards)) return restart();
        receive(message.boards);
      }
    } catch {
      if (signal.aborted) return;
      $('#boards-offline').hidden = false;
    }
    await new Promise((resolve) => { setTimeout(resolve, RETRY_MS); });
  }
}

/** Goes on with rematches. @param {FollowedBoard[]} boards @returns {boolean} whether any is new */
function followRematches(boards) {
  const known = new Set(followedBoards().map(({ id }) => id));
  return boards.filter(({ id, rematch }) =>
    rematch && !known.has(rematch.id) && followBoard(rematch.id, rematch.key, id)).length > 0;
}

function restart() {
  abort.abort();
  abort = new AbortController();
  void follow();
}

/**
 * The games whose new link opens nothing: the link by which they are followed stays.
 * @param {BoardKey[]} linked @returns {Promise<string[]>}
 */
async function withBrokenLinks(linked) {
  const known = followedBoards();
  const boards = linked.filter(({ id, key }) => known.some((board) => board.id === id && board.key !== key));
  if (!boards.length) return [];
  /** @type {{boards: FollowedBoard[]} | null} */
  const answer = await api.post('/api/arbiter/boards', { boards }).catch(() => null);
  const works = new Set(answer?.boards.filter(({ board }) => board).map(({ id }) => id));
  return boards.map(({ id }) => id).filter((id) => !works.has(id));
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const linked = linksIn(links.value);
  if (!linked.length) return toast(t('table.boards.no_links'));
  const broken = await withBrokenLinks(linked);
  for (const id of broken) toast(t('table.boards.wrong_link', { id }));
  for (const { id, key } of linked) if (!broken.includes(id)) followBoard(id, key);
  links.value = '';
  restart();
});

// A link that is opened in another window of this browser is followed here too.
window.addEventListener('storage', ({ key }) => { if (key === BOARDS_KEY) restart(); });
setInterval(update, UPDATE_MS);
await listRulebooks();
void follow();
document.body.dataset.ready = 'arbiter';
