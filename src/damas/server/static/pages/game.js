/** The page of a game: everything is drawn from the last messages of the server. */

import { LocalGame } from '../local/local-game.js';
import { api } from '../lib/api.js';
import { $, toast } from '../lib/dom.js';
import { moveInput } from '../lib/move-input.js';
import { noteOwnGame } from '../lib/own-games.js';
import { onPreferences, preference, setPreferences } from '../lib/preferences.js';
import { explanationOf } from '../lib/refusal.js';
import { rulebook } from '../lib/rulebooks.js';
import { GameSocket } from '../lib/socket.js';
import { playSound } from '../lib/sound.js';
import { t } from '../lib/words.js';
import { goToGame, showActions } from './game/actions.js';
import { forgetPosition, prepareCertificate, showArbiter } from './game/arbiter.js';
import { arbiterKey, getArbiterLink, linkHolderWords, rematchAddress } from './game/arbiter-link.js';
import { followBoard } from './arbiter/followed.js';
import { declinedWords, newsWords, playChange } from './game/announcements.js';
import {
  board, hideAnswer, listenToBoard, mayPremove, mustConfirm, refusalPanel, showBoard, showNote,
} from './game/board.js';
import { LevelEngine } from './game/level-engine.js';
import { addChatLine, prepareChat, showChatRoom } from './game/chat.js';
import { followClass, hasChat, showHeld } from './game/class-names.js';
import { setFirstMoveTime } from './game/first-move-timer.js';
import { listenToPageKeys, openKeyList, typedCommand } from './game/keys.js';
import { addRefused, showMoves, stepReplay } from './game/move-list.js';
import { clockWords, setClocks, showPlayers } from './game/players.js';
import { showCounts, showRequests } from './game/requests.js';
import { bottomSide, countPeople, isOver, isPlayer, playedLevel, state } from './game/state.js';
import {
  lastMoveWords, resultWords, showConnection, showSpokenState, showStatus, showTerms,
} from './game/status.js';
import { followStoring } from './game/stored.js';
import { inARow, lastNews, newsSince, showTableLog } from './game/table-log.js';

/** @import { ClockMoment, CommandMessage, EventMessage } from '../lib/messages.js' */
/** @import { GameView, HelloMessage, NackMessage, NoticeMessage } from '../lib/messages.js' */

/** If the server's first message takes longer, the stored position is shown meanwhile. */
const EARLY_VIEW_MS = 400;

const listener = {
  hello: receiveHello, event: receiveEvent, ack: () => showConnection(socket), nack: receiveRefusal,
  notice: receiveNotice, state: () => showConnection(socket),
};
const localId = $('#game').dataset.local === undefined ? null
  : new URLSearchParams(location.search).get('id') ?? '';
const gameId = localId ?? $('#game').dataset.game ?? '';
const local = localId === null ? null : new LocalGame(localId, listener);
/** A game in this browser is played by the same commands. @type {GameSocket} */
const socket = local ? /** @type {GameSocket} */ (/** @type {unknown} */ (local))
  : new GameSocket(gameId, listener, arbiterKey);
state.local = local;
const levelEngine = local ? null : new LevelEngine(socket);

// Messages of the server

/** @param {HelloMessage} hello */
function receiveHello(hello) {
  state.hello = hello;
  state.you = hello.you;
  state.players = hello.players;
  state.viewers = hello.viewers ?? 0;
  state.rematch = hello.rematch;
  if (hello.rematch) void receiveRematch(hello.rematch);
  state.arbiterWanted = hello.arbiter_wanted;
  state.isCalledOff = hello.status === 'aborted' && !hello.view.outcome;
  state.pauseMessage = hello.paused ?? '';
  state.startFen = hello.start ?? '';
  if (hello.you === 'arbiter') followBoard(gameId, arbiterKey, hello.previous);
  setView(hello.view, hello);
  if (!state.book) void loadRulebook(hello.view.rulebook);
}

/** @param {string} id */
async function loadRulebook(id) {
  state.book = await rulebook(id);
  board.set({ book: state.book });
  show();
  document.body.dataset.ready = 'game';
  const level = playedLevel();
  if (level !== null && !isOver()) void levelEngine?.prepare({ rulebook: id, level });
}

/** @param {EventMessage} message */
function receiveEvent(message) {
  if (message.event.kind === 'started') state.startFen = message.event.fen ?? '';
  const before = state.view;
  if (!message.view) return;
  setView(message.view, message);
  const words = before && !message.view.outcome ? declinedWords(before, message.event) : '';
  if (words) tell(words);
}

/** @param {GameView} view @param {ClockMoment} moment */
function setView(view, moment) {
  const before = /** @type {GameView | null} */ (state.view);
  const seen = before ? lastNews() : Infinity;
  state.view = view;
  levelEngine?.follow(view);
  noteOwnGame(gameId, isPlayer() && !isOver());
  setTimes({ ...moment, clocks: moment.clocks ?? view.clocks });
  if (!state.book) return;
  if (before) {
    playChange(before, view);
    if (view.fen !== before.fen || view.outcome) refusalPanel.close();
    if (view.fen !== before.fen) forgetPosition();
    if (view.ply !== before.ply || view.outcome) hideAnswer();
  }
  if (view.ply !== before?.ply) state.shownPly = null;
  show();
  const news = before ? inARow([newsWords(before, view), ...newsSince(seen)]) : '';
  if (news) board.say(news);
}

/** @param {ClockMoment} moment */
function setTimes({ clocks, held, first_move_ms: firstMoveMs }) {
  showHeld(Boolean(held));
  const delayMs = socket.roundTripMs / 2;
  if (clocks) setClocks(clocks, delayMs);
  setFirstMoveTime(firstMoveMs, delayMs);
}

/** @param {CommandMessage | null} command @param {NackMessage} nack */
function receiveRefusal(command, nack) {
  const refusal = nack.error ?? { code: nack.code, message: nack.code };
  if (!command) return toast(refusal.message);
  if (command.t === 'intervene') return toast(refusal.message);
  if (command.t === 'move' && command.side) return; // a level's move that came too late
  if (command.t === 'move' || command.do === 'touch') board.entry.reset();
  const touched = command.t === 'move' ? state.view.touched_square : null;
  if (typeof touched === 'number' && state.shownPly === null) board.entry.selectTouched(touched);
  const explanation = explanationOf(refusal);
  if (command.t === 'move') addRefused({ ply: command.ply, text: command.move, explanation });
  playSound('refused');
  if (!state.view.outcome) refusalPanel.show(explanation, state.view.rulebook); // else the result comes first
  showStatus(socket);
}

/** @param {NoticeMessage} message */
function receiveNotice(message) {
  switch (message.t) {
    case 'think': return void levelEngine?.think(message);
    case 'chat': return addChatLine(message, state.you === 'viewer');
    case 'presence':
      if (!state.hello) break;
      state.players.white.here = message.white;
      state.players.black.here = message.black;
      state.viewers = message.viewers;
      state.hasArbiter = message.arbiter;
      break;
    case 'players':
      state.players = message.players;
      if (linkHolderWords()) toast(`${linkHolderWords()}.`);
      break;
    case 'rematch':
      if (!message.id) state.rematchBy = message.by;
      else return void receiveRematch(message.id, state.rematchBy !== null);
      break;
    case 'arbiter':
      state.arbiterWanted = [...new Set([...state.arbiterWanted, message.by])];
      if (message.agreed && isPlayer()) {
        void getArbiterLink(gameId).then(() => toast(t('table.arbiter.agreed')));
      }
      break;
    case 'called_off':
      state.isCalledOff = true;
      board.say(resultWords());
      break;
    case 'paused':
      state.pauseMessage = message.message ?? message.reason;
      break;
    case 'resumed':
      state.pauseMessage = '';
      setTimes(message);
      break;
  }
  showAround();
}

/** Names the rematch, or goes to one that was awaited here. @param {string} id */
async function receiveRematch(id, isAwaited = false) {
  const address = await rematchAddress(gameId, id);
  if (isAwaited) return goToGame(address);
  state.rematch = address;
  showAround();
}

// Drawing

function show() {
  showMoves();
  if (state.shownPly === null && !state.isEditing) showBoard();
  showAround();
}

/** Everything but the board. */
function showAround() {
  if (!state.book) return;
  showPlayers();
  showTerms();
  showStatus(socket);
  showCounts();
  showRequests(socket);
  showActions(socket, { flip, onChange: showAround });
  showTableLog();
  showArbiter(socket);
  showConnection(socket);
  showSpokenState(board.describe(), clockWords());
  if (state.shownPly === null) $('#typed').hidden = board.movable === 'none';
  $('#chat').hidden = !hasChat || state.you === 'both' || (countPeople() < 2 && isPlayer());
  showChatRoom(state.you === 'viewer');
}

function flip() {
  state.flippedTo = bottomSide() === 'white' ? 'black' : 'white';
  board.set({ orientation: state.flippedTo });
  showPlayers();
}

/** Shows an answer beside the board and announces it. @param {string} words */
function tell(words) {
  showNote(words, true);
  board.say(words);
}

// Keys and typed commands

/** Clicks an action's button, or focuses the question that it has opened. @param {string} testid */
function pressButton(testid) {
  const button = document.querySelector(`[data-testid="${testid}"]`);
  const question = document.querySelector(`[data-testid="${testid}-confirm"]`);
  if (button) button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  else if (question instanceof HTMLElement) question.focus();
  else tell(t('play.not_now'));
}

/** Claims a draw, accepts an offer or makes one, whichever is possible. */
function drawCommand() {
  const { claims, offer } = state.view;
  if (claims.length) pressButton(`claim-${claims[0].rule}`);
  else pressButton(offer ? 'accept' : 'offer-draw');
}

const commands = {
  clock: () => board.say(clockWords()),
  last: () => board.say(t('play.last_move', { move: lastMoveWords() })),
  pieces: () => board.say(board.describe()), resign: () => pressButton('resign'), draw: drawCommand,
  take_back: () => pressButton('take-back'),
};

const focusMoveInput = () => $('[data-testid="move-input"]').focus();
listenToPageKeys({
  c: commands.clock, l: commands.last, p: commands.pieces, f: flip,
  z: () => setPreferences({ zen: !preference('zen') }), t: focusMoveInput, i: focusMoveInput,
  '?': openKeyList, ArrowLeft: () => stepReplay('previous'), ArrowRight: () => stepReplay('next'),
  ArrowUp: () => stepReplay('first'), ArrowDown: () => stepReplay('last'),
  Escape: () => board.premove.cancel() || refusalPanel.close(),
});

onPreferences(({ zen, numbering }) => {
  document.body.classList.toggle('zen', zen);
  board.set({ numbering });
  if (state.book) board.set({ confirm: mustConfirm(), premoves: mayPremove() });
});

$('#typed').append(moveInput(board, {
  onInvalid: () => playSound('refused'),
  onCommand: (text) => {
    const command = typedCommand(text);
    if (command) commands[command]();
    return command !== null;
  },
}));
if (local) void followStoring(gameId, showAround);
else prepareCertificate(gameId);
prepareChat((text) => socket.chat(text));
void followClass(gameId);

/** Shows the stored position while the connection is being opened. */
async function showStoredPosition() {
  if (state.book || state.hello) return;
  /** @type {{view?: GameView} | null} */
  const stored = await api.get(`/api/games/${gameId}`).catch(() => null);
  const id = stored?.view?.rulebook ?? document.documentElement.dataset.rulebookDefault ?? '';
  const book = await rulebook(id).catch(() => null);
  if (!book || state.book || state.hello) return;
  board.set({ book });
  board.position = { ...(stored?.view ?? book.start), legal: [] };
}

listenToBoard(socket, { onSend: () => showConnection(socket), onStep: showAround, onRefused: addRefused });
if (!local) setTimeout(showStoredPosition, EARLY_VIEW_MS);
void socket.start();
