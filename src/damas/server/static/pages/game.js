/** The page of a game: one socket, one board, and everything around it drawn from what the server sent last. */

import '../board/damas-board.js';
import { moveWords } from '../board/spoken.js';
import { api, ApiProblem, rulebook } from '../lib/api.js';
import { $, toast } from '../lib/dom.js';
import { moveInput } from '../lib/move-input.js';
import { onPreferences, prefer, preference } from '../lib/preferences.js';
import { explainIllegal, explainPassing, refusalPanel, showAnswer } from '../lib/refusal.js';
import { GameSocket } from '../lib/socket.js';
import { sound, speak } from '../lib/sound.js';
import { mainTime } from '../lib/times.js';
import { t } from '../lib/words.js';
import { goTo, showActions } from './game/actions.js';
import { showAsks, showCounts } from './game/asks.js';
import { Chat } from './game/chat.js';
import { FirstMove } from './game/first-move.js';
import { listenKeys, openKeys, typedCommand } from './game/keys.js';
import { Moves } from './game/moves.js';
import { below, isOver, now } from './game/now.js';
import { Players } from './game/players.js';
import { endWords, lastWords, showConnection, showSpoken, showStatus, showTerms } from './game/status.js';

const SLOW = 8 * 60_000;
const EARLY_MS = 400;
const game = /** @type {string} */ ($('#game').dataset.game);
/** @type {any} */
const board = $('#board');
const refusal = $('#refusal');

const players = new Players();
const firstMove = new FirstMove({ near: (words) => board.say(words) });
const moves = new Moves({ show: lookBack, open: (refused) => showAnswer(board, refusal, refused.answer, now.view.rulebook) });
const chat = new Chat({ say: (text) => socket.chat(text), unread: () => $('#game').classList.add('unread') });
const socket = new GameSocket(game, {
  hello: greeted,
  event: happened,
  ack: () => showConnection(socket),
  nack: refused,
  other: heard,
  state: () => showConnection(socket),
});

// What the server says

/** @param {any} message */
function greeted(message) {
  now.hello = message;
  now.you = message.you;
  now.rematch = message.rematch;
  now.calledOff = message.status === 'aborted' && !message.view.outcome;
  now.paused = message.paused ?? '';
  moves.start = message.start ?? '';
  if (message.status === 'waiting' && now.you === 'viewer') join();
  takeView(message.view, message);
  if (!now.book) begin(message.view.rulebook);
}

/** Whoever opens the link of a game that waits sits down; the server greets them again as a player. */
async function join() {
  try {
    await api.post(`/api/games/${game}/join`);
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem; // the seat was just taken: then we look on
  }
}

/** The first time: what came while the rulebook was being fetched is shown with it. @param {string} id */
async function begin(id) {
  now.book = board.book = await rulebook(id);
  show();
  document.body.dataset.ready = 'game';
}

/** @param {any} message */
function happened(message) {
  if (message.event.kind === 'started') moves.start = message.event.fen ?? '';
  const before = now.view;
  if (message.view) takeView(message.view, message);
  if (before && message.view && !message.view.outcome) tellDeclined(before, message.event);
}

/** What was asked for and not given is told; a move instead of an answer is a no as well. @param {any} before @param {any} event */
function tellDeclined(before, event) {
  if (event.by === now.you || !['declined', 'take_back_refused', 'moved'].includes(event.kind)) return;
  const asked = before.offer === now.you ? 'offer' : before.take_back === now.you ? 'take_back' : '';
  if (!asked || now.view[asked] === now.you) return;
  tellNote(t(`play.declined.${asked}`));
}

/** Whether the note tells of an answer, which is old news once the game has gone on. */
let answered = false;

/** @param {string} words shown beside the board and said */
function tellNote(words) {
  answered = true;
  $('#note').textContent = words;
  $('#note').hidden = false;
  board.say(words);
}

function hideNote() {
  answered = false;
  $('#note').hidden = true;
}

/** @param {any} next @param {any} moment what the message tells of the time */
function takeView(next, moment) {
  const before = now.view;
  now.view = next;
  takeTime({ ...moment, clocks: moment.clocks ?? next.clocks });
  if (!now.book) return;
  if (before && next.ply > before.ply) announce(before, next);
  if (before && !before.outcome && next.outcome) sound('end');
  if (before && next.fen !== before.fen) refusalPanel(refusal).close();
  if (answered && before && (next.ply !== before.ply || next.outcome)) hideNote();
  if (!before || next.ply !== before.ply) moves.shown = null;
  show();
  if (before) sayNews(before, next);
}

/** @param {any} moment */
function takeTime({ clocks, first_move_ms: firstMoveMs }) {
  const late = socket.rtt / 2;
  players.set(clocks, late);
  firstMove.set(firstMoveMs, late);
}

/** What eyes find beside the board: the end, and what the opponent asks. @param {any} before @param {any} next */
function sayNews(before, next) {
  if (next.outcome && !before.outcome) return board.say([next.ply > before.ply && lastWords(), endWords()].filter(Boolean).join('. '));
  const theirs = (/** @type {string} */ asked) => next[asked] && next[asked] !== before[asked] && next[asked] !== now.you && now.you !== 'viewer';
  if (theirs('offer')) board.say(t('play.offer_theirs'));
  else if (theirs('take_back')) board.say(t('play.take_back_theirs'));
}

/** @param {any} before @param {any} next */
function announce(before, next) {
  const last = next.last;
  if (!last) return;
  const start = before.pieces[last.route[0]];
  const crowned = start && start !== next.pieces[last.route[last.route.length - 1]];
  sound(crowned ? 'crown' : last.captured.length ? 'capture' : 'move');
  const by = next.moves[next.moves.length - 1]?.by;
  if (by && by !== now.you) speak(moveWords(by, last.text, last.captured.length));
}

/** @param {any} command @param {any} nack */
function refused(command, nack) {
  const error = nack.error ?? { code: nack.code, message: nack.code };
  if (!command) return toast(error.message);
  if (command.t === 'move' || command.do === 'touch') board.reset();
  const bound = now.view.touched_square;
  if (typeof bound === 'number' && moves.shown === null) board.hold(bound); // it is still to be played
  if (command.t === 'move') moves.refuse(command.ply, command.move, error);
  sound('refused');
  showAnswer(board, refusal, error, now.view.rulebook);
  showStatus(socket);
}

/** @param {any} message */
function heard(message) {
  switch (message.t) {
    case 'chat': return chat.add(message);
    case 'presence':
      for (const side of ['white', 'black']) if (now.hello) now.hello.players[side].here = message[side];
      if (now.hello) now.hello.viewers = message.viewers;
      break;
    case 'players':
      if (now.hello) now.hello.players = message.players;
      break;
    case 'rematch':
      if (!message.id) now.rematchBy = message.by;
      else if (now.rematchBy) return goTo(message.id);
      else now.rematch = message.id;
      break;
    case 'called_off':
      now.calledOff = true;
      board.say(endWords());
      break;
    case 'paused':
      now.paused = message.message ?? message.reason;
      break;
    case 'resumed':
      now.paused = '';
      takeTime(message);
      break;
  }
  showAll();
}

// The board

function show() {
  moves.set(now.view.moves, now.view.rulebook);
  if (moves.shown === null) showBoard();
  showAll();
}

function showBoard() {
  const { view, you } = now;
  board.orientation = below();
  board.movable = isOver() || view.waiting || you === 'viewer' ? 'none' : you;
  board.hints = view.hints;
  board.touchMove = view.touch_move;
  board.confirm = confirms();
  board.position = view;
}

/** An earlier position to look at, or the one now. @param {any | null} past */
function lookBack(past) {
  hideNote();
  if (!past) return showBoard();
  refusalPanel(refusal).close();
  board.movable = 'none';
  board.position = past;
  $('#note').textContent = t('play.looking_back', { n: past.ply });
  $('#note').hidden = false;
}

function confirms() {
  const wanted = preference('confirm');
  if (wanted !== 'auto') return wanted === 'always';
  // A slip against the computer can be taken back; one against a person cannot.
  const people = Object.values(now.hello.players).every((/** @type {any} */ player) => player.kind === 'person') && now.you !== 'both';
  const slow = (mainTime(now.view.time ?? 'none') ?? Infinity) >= SLOW;
  return people && slow && matchMedia('(pointer: coarse)').matches;
}

board.addEventListener('damas-move', (/** @type {CustomEvent} */ event) => {
  const { move, passes, route } = event.detail;
  const { view } = now;
  hideNote();
  socket.move(move.text, view.ply);
  showConnection(socket);
  if (passes < 0) return;
  explainPassing(board, $('#note'), { rulebook: view.rulebook, fen: view.fen, move: move.text, square: route[route.length - 1] });
});

board.addEventListener('damas-illegal', async (/** @type {CustomEvent} */ event) => {
  const { route, text } = event.detail;
  const { view, book } = now;
  const tried = text ?? route.map((/** @type {number} */ square) => book.board.squares[square][book.board.scheme]).join('-');
  const whole = route.length > 1; // what could not be read as squares was no attempt at a move
  sound('refused');
  if (!view.hints && whole) return socket.move(tried, view.ply); // over the board it is written down
  const answer = await explainIllegal(board, refusal, { rulebook: view.rulebook, fen: view.fen, route, text });
  if (answer?.legal) return void (board.play(answer.move.text) || board.say(t('board.not_turn')));
  if (answer?.refusal && whole) moves.refuse(view.ply, answer.refusal?.tried ?? tried, answer);
});

board.addEventListener('damas-touch', (/** @type {CustomEvent} */ event) => {
  if (now.view.touched_square !== event.detail.square) socket.act('touch', { square: event.detail.square });
});

board.addEventListener('damas-step', (/** @type {CustomEvent} */ event) => {
  now.begun = event.detail.route;
  showAll();
});

/** A capture that goes on, as it would be typed. */
function begunWords() {
  const { squares, scheme } = now.book.board;
  return now.begun.map((square) => squares[square][scheme]).join(scheme === 'rc' ? ' ' : 'x');
}

// Around the board

function showAll() {
  if (!now.book) return;
  const { view, you, hello } = now;
  showPlayers();
  showStatus(socket);
  showCounts(view);
  showAsks({ you, view, begun: begunWords(), act: (what, facts) => socket.act(what, facts) });
  showActions(socket, { flip, changed: showAll });
  showConnection(socket);
  showSpoken(board.describe(), players.words());
  const people = Object.values(hello.players).filter((/** @type {any} */ player) => player.kind === 'person' && !player.free).length;
  $('#chat').hidden = you === 'both' || (people < 2 && you !== 'viewer');
}

function showPlayers() {
  players.show(now.hello.players, below(), now.you, now.view.time ?? 'none');
  showTerms();
}

function flip() {
  now.turned = below() === 'white' ? 'black' : 'white';
  board.orientation = now.turned;
  showPlayers();
}

// Keys and typed commands

/** A typed command presses its button, or goes to the question that the button has asked. @param {string} id */
function press(id) {
  const found = document.querySelector(`[data-testid="${id}"]`);
  if (found) return void found.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  const asked = /** @type {HTMLElement | null} */ (document.querySelector(`[data-testid="${id}-confirm"]`));
  if (asked) asked.focus();
  else tellNote(t('play.not_now'));
}

/** @type {Record<string, () => void>} */
const commands = {
  clock: () => board.say(players.words()),
  last: () => board.say(t('play.last_move', { move: lastWords() })),
  pieces: () => board.say(board.describe()),
  resign: () => press('resign'),
  draw: () => press(now.view.claims.length ? `claim-${now.view.claims[0].rule}` : now.view.offer ? 'accept' : 'offer-draw'),
  take_back: () => press('take-back'),
};

const typeMove = () => $('[data-testid="move-input"]').focus();
listenKeys({
  c: commands.clock,
  l: commands.last,
  p: commands.pieces,
  f: flip,
  z: () => prefer({ zen: !preference('zen') }),
  t: typeMove,
  i: typeMove,
  '?': openKeys,
  ArrowLeft: () => moves.go('previous'),
  ArrowRight: () => moves.go('next'),
  ArrowUp: () => moves.go('first'),
  ArrowDown: () => moves.go('last'),
  Escape: () => refusalPanel(refusal).close(),
});

onPreferences(({ zen, numbering }) => {
  document.body.classList.toggle('zen', Boolean(zen));
  board.numbering = numbering;
  if (now.book) board.confirm = confirms();
});

$('#typed').append(moveInput(board, {
  oops: () => sound('refused'),
  command: (text) => {
    const command = typedCommand(text);
    if (command) commands[command]();
    return Boolean(command);
  },
}));
$('#chat').addEventListener('pointerdown', () => $('#game').classList.remove('unread'));

/** The greeting is late: the board is shown as the server stored it, to be looked at only. */
async function showEarly() {
  if (now.book || now.hello) return;
  const told = await api.get(`/api/games/${game}`).catch(() => null);
  const id = told?.view?.rulebook ?? document.documentElement.dataset.rulebookDefault ?? '';
  const book = await rulebook(id).catch(() => null);
  if (!book || now.book || now.hello) return;
  board.book = book;
  board.position = { ...(told?.view ?? book.start), legal: [] };
}

setTimeout(showEarly, EARLY_MS);
socket.start();
