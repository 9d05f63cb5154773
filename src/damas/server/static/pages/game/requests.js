/** Requests and claims: draw offers, take-backs, unfinished captures, and what the arbiter is asked for. */

import { isWorthShowing } from '../../lib/counts.js';
import { $, fill, h, iconButton } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { arbiterRequest } from './arbiter-link.js';
import { showHands } from './by-hand.js';
import { isMine, isPlayer, state } from './state.js';

/** @import { CommandName, Side } from '../../lib/messages.js' */
/** @import { GameSocket } from '../../lib/socket.js' */

/** Shows open requests and claims. @param {GameSocket} socket */
export function showRequests(socket) {
  const { view } = state;
  const shown = isPlayer() && !view.outcome ? [
    ...openRequest(socket, view.offer, t('play.offer_mine'), t('play.offer_theirs'), 'accept', 'decline'),
    ...openRequest(socket, view.take_back, t('play.take_back_mine'), t('play.take_back_theirs'),
      'grant', 'refuse'),
    ...unfinishedCapture(socket), ...stopCapture(socket), ...claims(socket),
  ] : [];
  if (!view.outcome) shown.push(...showHands(socket));
  if (view.calls.length && !view.outcome) {
    const side = view.calls.map((caller) => t(`table.side.${caller}`)).join(', ');
    const words = t('table.arbiter.call_stands', { side });
    shown.push(h('p.ask.small', { role: 'status', testid: 'call' }, words));
  }
  const wanted = isPlayer() ? arbiterRequest(socket.game) : null;
  if (wanted) shown.push(request(wanted.question, wanted.agree));
  fill($('#asks'), shown);
  $('#asks').hidden = !shown.length;
}

/** @param {string} question @param {...HTMLElement} answers @returns {HTMLElement} */
function request(question, ...answers) {
  return h('div.ask', { role: 'status' }, h('p', question), h('div.toolbar', answers));
}

/** @param {GameSocket} socket @param {CommandName} command */
function acceptButton(socket, command) {
  return iconButton(command, 'check', t('play.accept'), () => socket.act(command), 'button');
}

/**
 * A draw offer or a take-back: a notice for who made it, a question to the opponent.
 * @param {GameSocket} socket @param {Side | null} by @param {string} notice @param {string} question
 * @param {CommandName} accept @param {CommandName} decline
 */
function openRequest(socket, by, notice, question, accept, decline) {
  if (!by) return [];
  if (state.you === by) return [h('p.ask.small', { role: 'status' }, notice)];
  return [request(question, acceptButton(socket, accept),
    iconButton(decline, 'close', t('play.decline'), () => socket.act(decline)))];
}

/** The opponent stopped a capture too early: accept it or demand the rest. @param {GameSocket} socket */
function unfinishedCapture(socket) {
  const { unfinished } = state.view;
  if (!unfinished || unfinished.demanded || !isMine(unfinished.by === 'white' ? 'black' : 'white')) return [];
  const { move, article } = unfinished, regulation = t(`play.presets.${state.view.preset}`);
  const question = request(t('play.unfinished_theirs', { move, article, regulation }),
    acceptButton(socket, 'accept'),
    iconButton('demand', 'claim', t('play.demand'), () => socket.act('demand')));
  question.classList.add('ask-first');  // the game waits for the answer
  return [question];
}

/** Over the board a released piece has moved, even if the capture goes on. @param {GameSocket} socket */
function stopCapture(socket) {
  const { view, book, enteredSquares } = state;
  if (!book || !enteredSquares.length || !view.can.includes('stop') || !isMine(view.to_move)) return [];
  const { squares, scheme } = book.board;
  const move = enteredSquares.map((square) => squares[square][scheme]).join(scheme === 'rc' ? ' ' : 'x');
  const { invalid_loses: loses } = book.presets[view.preset];
  return [request(t(loses ? 'play.release_loses' : 'play.release_line'),
    iconButton('stop', 'hand', t('play.release'), () => socket.act('stop', { move })))];
}

/** @param {GameSocket} socket */
function claims(socket) {
  return state.view.claims.map(({ rule, kind, message }) =>
    iconButton(`claim-${rule}`, kind === 'attention' ? 'bell' : 'claim',
    message, () => socket.act(kind, { rule }), 'button-quiet.claim'));
}

/** Shows the counts of draw rules: "three kings against one: 7 of 13 moves (Art. 12)" with a progress bar. */
export function showCounts() {
  const { view } = state;
  const shown = (view.outcome ? [] : view.counts.filter(isWorthShowing)).map((count) => {
    const { have, need, message } = count;
    const hasArticle = count.article_id && !count.platform;
    const label = hasArticle
      ? h('a.counter-words', { href: `/rules/${count.rulebook}#${count.article_id}`, target: '_blank',
        rel: 'noopener' }, message)
      : h('span.counter-words', message);
    return h('div.counter', { testid: `count-${count.rule}` }, label, h('div.progress', {
      role: 'progressbar', 'aria-valuemin': 0, 'aria-valuemax': need, 'aria-valuenow': Math.min(have, need),
      'aria-label': message,
    }, h('span', { style: { width: `${Math.min(100, (100 * have) / need)}%` } })));
  });
  fill($('#counters'), shown);
  $('#counters').hidden = !shown.length;
}

/**
 * Replaces a button by a question until it is answered.
 * @param {HTMLElement} replaced @param {string} question @param {() => void} onConfirm
 */
export function askToConfirm(replaced, question, onConfirm) {
  const testid = replaced.dataset.testid;
  const answer = (/** @type {boolean} */ confirmed) => {
    box.replaceWith(replaced);
    replaced.focus();
    if (confirmed) onConfirm();
  };
  const yes = h('button.button-bad',
    { testid: `${testid}-confirm`, onclick: () => answer(true) }, t('play.yes'));
  const no = h('button.button-quiet',
    { testid: `${testid}-cancel`, onclick: () => answer(false) }, t('play.no'));
  /** @type {HTMLElement} */
  const box = h('div.two-steps', { role: 'group', 'aria-label': question },
    h('span.two-steps-words', question), yes, no);
  box.addEventListener('keydown', (event) => { if (event.key === 'Escape') answer(false); });
  replaced.replaceWith(box);
  yes.focus();
}
