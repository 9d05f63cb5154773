/** Whose turn it is, how the game ended, the connection; and the same for screen readers. */

import { moveWords } from '../../board/spoken.js';
import { $, fill, h, icon } from '../../lib/dom.js';
import { modeWords, timeWords } from '../../lib/times.js';
import { t } from '../../lib/words.js';
import { linkHolderWords } from './arbiter-link.js';
import { showInvitation } from './invitation.js';
import { isOver, isPlayer, levelOf, state } from './state.js';
import { showTitle } from './title.js';

/** @import { GameSocket } from '../../lib/socket.js' */

/** Shows the rulebook, the time control and the number of viewers. */
export function showTerms() {
  const { book, view, you, viewers } = state;
  if (!book) return;
  const holder = linkHolderWords();
  const isAsked = you === 'viewer' && view.waiting && state.hello?.may_join; // the page asks to sit down
  fill($('#terms'), h('a', { href: `/rules/${view.rulebook}`, testid: 'rulebook-link' },
    icon('book'), book.name),
    h('span', timeWords(view.time ?? 'none')), h('span', modeWords(view.preset)),
    state.local && h('span.tag', { testid: 'local' }, icon('device'), t('play.local.here')),
    Boolean(state.storedAt) && h('a', { href: state.storedAt, testid: 'stored' }, t('play.local.stored')),
    you === 'viewer' && !isAsked && h('span.tag', icon('eye'), t('play.viewer')),
    you === 'arbiter' ? h('span.tag.tag-blue', { testid: 'role' }, icon('claim'), t('table.arbiter.you'))
      : state.hasArbiter && h('span.tag', { testid: 'arbiter-here' }, icon('claim'), t('table.arbiter.here')),
    holder && h('span.tag', { testid: 'arbiter-link-of' }, holder),
    viewers > 0 && !isAsked
      && h('span.viewers', { testid: 'viewers' }, icon('eye'), t('play.viewers', { n: viewers })));
}

/** Whether the game waits for a player to judge a capture that the other one let go too early. */
function isJudging() {
  return Boolean(state.view.unfinished && !state.view.unfinished.demanded);
}

/** The side to move, that judges a capture, or that still lifts what it has captured. */
function sideToAct() {
  const { lifting, to_move: toMove, unfinished } = state.view;
  if (unfinished && isJudging()) return unfinished.by === 'white' ? 'black' : 'white';
  return lifting?.by ?? toMove;
}

/** Whether the visitor, who plays one side, has to move or to answer now. @param {GameSocket} socket */
function isOwnTurn(socket) {
  const { view: { waiting, suspended }, you } = state;
  return !isOver() && !waiting && !suspended && !socket.isMovePending && you === sideToAct();
}

/** @param {GameSocket} socket */
function turnWords(socket) {
  const { view, you } = state;
  if (isOver() || view.waiting) return '';
  if (view.suspended) return t('play.suspended');
  const side = sideToAct();
  const sideTurn = t(`play.side_turn.${side}`);
  const mustCapture = view.must_capture && view.hints && !view.lifting && !isJudging();
  const capture = mustCapture ? `: ${t('play.must_capture').toLocaleLowerCase()}` : '';
  if (!isPlayer()) return sideTurn;
  if (you === 'both') return `${sideTurn}${capture}`;
  if (socket.isMovePending) return t('play.connection.sending');
  if (you === side) return `${t('play.your_turn')}${capture}`;
  return levelOf(side) ? t('play.thinking') : t('play.their_turn');
}

/** @param {GameSocket} socket */
export function showStatus(socket) {
  if (!state.book) return;
  const words = turnWords(socket);
  const turn = $('#turn');
  if (turn.textContent !== words) turn.textContent = words;
  turn.hidden = !words;
  turn.classList.toggle('mine', state.you === sideToAct());
  showTitle(isOwnTurn(socket));
  showInvitation(socket);
  showResult();
}

function resultTitle() {
  const { view, you } = state;
  if (!view.outcome || view.outcome.void) return t('play.called_off');
  const { winner } = view.outcome;
  if (!winner) return t('play.drawn');
  if (you === winner) return t('play.you_won');
  return you === 'white' || you === 'black' ? t('play.you_lost') : t(`play.won.${winner}`);
}

/** How the game ended, in a line. */
export function resultWords() {
  return [resultTitle(), state.view.outcome?.message].filter(Boolean).join('. ');
}

function showResult() {
  const { view: { outcome, rulebook }, you, rematch, rematchBy } = state;
  const container = $('#result');
  container.hidden = !isOver();
  if (container.hidden) return;
  const isCelebrated = outcome?.winner && (you === outcome.winner || !isPlayer() || you === 'both');
  const article = outcome?.article_id && outcome.rulebook === rulebook && h('a', {
    href: `/rules/${rulebook}#${outcome.article_id}`, testid: 'result-article',
  }, t('play.article'));
  fill(container, h('p.result-title', icon(isCelebrated ? 'trophy' : 'game'), resultTitle()),
    outcome?.message && h('p.result-words', { testid: 'result-sentence' },
      outcome.message, article ? [' ', article] : []),
    rematchBy && !rematch && h('p.small', { role: 'status' },
      t(rematchBy === you ? 'play.rematch_mine' : 'play.rematch_theirs')),
    rematch && h('a.button', { href: `/game/${rematch}`, testid: 'rematch-link' },
      icon('rematch'), t('play.rematch_go')));
}

/** @param {GameSocket} socket */
export function showConnection(socket) {
  const connection = state.pauseMessage ? 'paused' : socket.state;
  const container = $('#connection');
  container.dataset.state = connection;
  container.hidden = connection === 'open' || (!state.hello && connection === 'connecting');
  const isMoveKept = connection === 'lost' && socket.isMovePending;
  const words = state.pauseMessage
    || t(isMoveKept ? 'play.connection.lost_kept' : `play.connection.${connection}`);
  if (!container.textContent?.startsWith(words)) { // an unchanged text is not announced again
    fill(container, icon(connection === 'open' ? 'check' : 'offline'), h('span', words),
      connection === 'superseded' && h('button.button', {
        testid: 'play-here', onclick: () => socket.takeOver(),
      }, t('play.play_here')));
  }
  showStatus(socket);
}

/** "Pretas: f6-g5", or that nothing has been played. */
export function lastMoveWords() {
  const { last, moves } = state.view;
  return last ? moveWords(moves[moves.length - 1].by, last.text, last.captured.length) : t('play.no_moves');
}

/** Fills the description of the game for screen readers. @param {string} pieces @param {string} clocks */
export function showSpokenState(pieces, clocks) {
  $('#spoken-pieces').textContent = pieces;
  $('#spoken-last').textContent = lastMoveWords();
  $('#spoken-clocks').textContent = clocks;
}
