/** The board of a game: what it shows and what its events send to the server. */

import { DamasBoard } from '../../board/damas-board.js';
import { $, showText } from '../../lib/dom.js';
import { preference } from '../../lib/preferences.js';
import { explainPassing, RefusalPanel } from '../../lib/refusal.js';
import { endOf } from '../../board/selection.js';
import { playSound } from '../../lib/sound.js';
import { mainTimeMs } from '../../lib/times.js';
import { t } from '../../lib/words.js';
import { bottomSide, isOver, state } from './state.js';

/** @import { GameView, PositionView } from '../../lib/messages.js' */
/** @import { GameSocket } from '../../lib/socket.js' */
/** @import { RefusedMove } from './move-list.js' */

/** Main time of a slow game. */
const SLOW_GAME_MS = 8 * 60_000;

export const board = $('#board', DamasBoard);
export const refusalPanel = new RefusalPanel($('#refusal'), board);

/** Shows the current position. */
export function showBoard() {
  const { view, you } = state;
  const movable = isOver() || view.waiting || you === 'viewer' || you === 'arbiter' ? 'none' : you;
  board.set({ orientation: bottomSide(), movable, hints: view.hints, touchMove: view.touch_move,
    attemptsCount: invalidLoses(), illegalLoseAt: preset()?.illegal_lose_at ?? 0, confirm: mustConfirm(),
    premoves: mayPremove() });
  const { unfinished } = view;
  board.position = unfinished && !unfinished.demanded ? released(view, unfinished.route) : view;
}

/**
 * The position while the opponent judges a capture that was let go: the piece stands where it was left.
 * @param {GameView} view @param {number[]} route @returns {GameView}
 */
function released(view, route) {
  const { [route[0]]: piece, ...others } = view.pieces;
  return { ...view, pieces: { ...others, [route[route.length - 1]]: piece }, legal: [],
    touched: null, touched_square: null };
}

/** Shows an earlier position, or the current one for null. @param {PositionView | null} earlier */
export function showEarlier(earlier) {
  hideNote();
  if (!earlier) return showBoard();
  refusalPanel.close();
  board.set({ movable: 'none' });
  board.position = earlier;
  showNote(t('play.looking_back', { n: earlier.ply }));
}

/** How the regulation of the game is played under its rulebook. */
function preset() {
  return state.book?.presets[state.view.preset ?? ''];
}

/** Whether the first invalid move loses the game. */
function invalidLoses() {
  return preset()?.invalid_loses ?? false;
}

/**
 * Whether moves may be entered before their turn: where nothing that is touched or tried counts, in a game
 * that shows what can be played, unless each move has to be confirmed.
 */
export function mayPremove() {
  const { view } = state;
  const isFree = view.hints && !view.touch_move && !invalidLoses() && !preset()?.illegal_lose_at;
  return isFree && preference('premoves') && !mustConfirm() && !view.suspended;
}

/** Whether moves have to be confirmed; by default on touch screens in slow games between two people. */
export function mustConfirm() {
  const preferred = preference('confirm');
  if (preferred !== 'auto') return preferred === 'always';
  // A slip against the computer can be taken back.
  const isBetweenPeople = Object.values(state.players).every((player) => player.kind === 'person')
    && state.you !== 'both';
  const isSlow = (mainTimeMs(state.view.time ?? 'none') ?? Infinity) >= SLOW_GAME_MS;
  return isBetweenPeople && isSlow && matchMedia('(pointer: coarse)').matches;
}

/**
 * @param {GameSocket} socket
 * @param {{onSend: () => void, onStep: () => void, onRefused: (refused: RefusedMove) => void}} page
 */
export function listenToBoard(socket, { onSend, onStep, onRefused }) {
  board.addEventListener('damas-move', ({ detail: { move, passes, route } }) => {
    const { rulebook, fen, ply } = state.view;
    hideNote();
    socket.move(move.text, ply);
    onSend();
    if (passes >= 0) {
      void explainPassing(board, $('#note'), { rulebook, fen, move: move.text, square: endOf(route) });
    }
  });

  board.addEventListener('damas-illegal', async ({ detail: { route, text } }) => {
    const { view, book } = state;
    if (!book) return;
    const { squares, scheme } = book.board;
    const tried = text ?? route.map((square) => squares[square][scheme]).join(scheme === 'rc' ? ' ' : '-');
    // A selected piece is no attempt at a move; nor is an unreadable text, unless the rules say so.
    const isWholeMove = route.length > 1 || (text !== undefined && invalidLoses());
    playSound('refused');
    if (!view.hints && isWholeMove) return socket.move(tried, view.ply); // over the board an attempt counts
    const explanation = await refusalPanel.explain({ rulebook: view.rulebook, fen: view.fen, route, text });
    if (explanation?.legal && explanation.move) {
      if (!board.entry.playText(explanation.move.text)) board.say(t('board.not_turn'));
    } else if (explanation?.refusal && isWholeMove) {
      onRefused({ ply: view.ply, text: explanation.refusal.tried ?? tried, explanation });
    }
  });

  board.addEventListener('damas-touch', ({ detail: { square } }) => {
    if (state.view.touched_square !== square) socket.act('touch', { square });
  });

  board.addEventListener('damas-lift', ({ detail: { square } }) => socket.act('lift', { square }));
  board.addEventListener('damas-crown', ({ detail: { square } }) => socket.act('crown', { square }));

  board.addEventListener('damas-step', ({ detail: { route } }) => {
    state.enteredSquares = route;
    onStep();
  });
}

// The note beside the board

/** Whether the note answers a request, which is outdated once the game goes on. */
let isAnswer = false;

/** @param {string} text @param {boolean} [answers] whether it answers a request */
export function showNote(text, answers = false) {
  isAnswer = answers;
  showText($('#note'), text);
}

export function hideNote() {
  isAnswer = false;
  $('#note').hidden = true;
}

export function hideAnswer() {
  if (isAnswer) hideNote();
}
