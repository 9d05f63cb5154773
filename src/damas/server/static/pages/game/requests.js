/**
 * Requests between the players and claims to the arbiter: draw offers, take-backs, unfinished captures,
 * claims.
 */

import { $, fill, h, iconButton } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { state } from './state.js';

/** @import { CommandName, CountView, Side } from '../../lib/messages.js' */
/** @import { GameSocket } from '../../lib/socket.js' */

const SHORT_LIMIT_MOVES = 15;

/** @param {Side | null} side */
const isMine = (side) => side !== null && (state.you === side || state.you === 'both');

/**
 * @param {string} testid @param {string} iconName @param {string} label @param {() => void} onclick
 * @param {string} [classes]
 */
export function button(testid, iconName, label, onclick, classes = 'button-quiet') {
  return iconButton(testid, iconName, h('span', null, label), onclick, classes);
}

/** Shows open requests and claims. @param {GameSocket} socket */
export function showRequests(socket) {
  const { view, you } = state;
  const isPlaying = you !== 'viewer' && !view.outcome;
  const shown = isPlaying
    ? [...drawOffer(socket), ...takeBack(socket), ...unfinishedCapture(socket), ...stopCapture(socket),
      ...claims(socket)]
    : [];
  if (view.adjusting?.some(isMine)) shown.push(h('p.ask.small', null, t('play.adjusting')));
  fill($('#asks'), shown);
  $('#asks').hidden = !shown.length;
}

/** @param {string} question @param {...HTMLElement} answers @returns {HTMLElement} */
function request(question, ...answers) {
  return h('div.ask', { role: 'status' }, h('p', null, question), h('div.toolbar', null, ...answers));
}

/** @param {string} text @returns {HTMLElement} */
function notice(text) {
  return h('p.ask.small', { role: 'status' }, text);
}

/** @param {GameSocket} socket @param {CommandName} command */
function acceptButton(socket, command) {
  return button(command, 'check', t('play.accept'), () => socket.act(command), 'button');
}

/** @param {GameSocket} socket @param {CommandName} command */
function declineButton(socket, command) {
  return button(command, 'close', t('play.decline'), () => socket.act(command));
}

/** @param {GameSocket} socket */
function drawOffer(socket) {
  const { view, you } = state;
  if (!view.offer) return [];
  if (you === view.offer) return [notice(t('play.offer_mine'))];
  return [request(t('play.offer_theirs'), acceptButton(socket, 'accept'), declineButton(socket, 'decline'))];
}

/** @param {GameSocket} socket */
function takeBack(socket) {
  const { view, you } = state;
  if (!view.take_back) return [];
  if (you === view.take_back) return [notice(t('play.take_back_mine'))];
  return [request(t('play.take_back_theirs'), acceptButton(socket, 'grant'),
    declineButton(socket, 'refuse'))];
}

/** The opponent stopped a capture too early: accept it or demand the rest. @param {GameSocket} socket */
function unfinishedCapture(socket) {
  const { unfinished } = state.view;
  if (!unfinished || unfinished.demanded || !isMine(unfinished.by === 'white' ? 'black' : 'white')) return [];
  return [request(t('play.unfinished_theirs', { move: unfinished.move }), acceptButton(socket, 'accept'),
    button('demand', 'claim', t('play.demand'), () => socket.act('demand')))];
}

/**
 * Over the board a released piece has made its move, even if the capture is unfinished.
 * @param {GameSocket} socket
 */
function stopCapture(socket) {
  const { view, book, enteredSquares } = state;
  if (!book || !enteredSquares.length || !view.can.includes('stop') || !isMine(view.to_move)) return [];
  const { squares, scheme } = book.board;
  const move = enteredSquares.map((square) => squares[square][scheme]).join(scheme === 'rc' ? ' ' : 'x');
  return [request(t('play.release_line'),
    button('stop', 'hand', t('play.release'), () => socket.act('stop', { move })))];
}

/** @param {GameSocket} socket */
function claims(socket) {
  return state.view.claims.map(({ rule, kind, message }) =>
    button(`claim-${rule}`, kind === 'attention' ? 'bell' : 'claim',
    message, () => socket.act(kind, { rule }), 'button-quiet.claim'));
}

/**
 * Short limits are shown from the first move, long ones once a quarter has passed.
 * @param {CountView} count
 */
const isWorthShowing = ({ have, need }) => need <= SHORT_LIMIT_MOVES || 4 * have >= need;

/** Shows the counts of draw rules: "7 of 13 (Art. 12)" with a progress bar. */
export function showCounts() {
  const { view } = state;
  const shown = (view.outcome ? [] : view.counts.filter(isWorthShowing)).map((count) => {
    const { have, need, message } = count;
    const hasArticle = count.article_id && !count.platform;
    const label = hasArticle
      ? h('a.counter-words', { href: `/rules/${count.rulebook}#${count.article_id}`, target: '_blank',
        rel: 'noopener' }, message)
      : h('span.counter-words', null, message);
    return h('div.counter', { dataset: { testid: `count-${count.rule}` } }, label, h('div.progress', {
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
  const yes = h('button.button-bad', {
    type: 'button', dataset: { testid: `${testid}-confirm` }, onclick: () => answer(true),
  }, t('play.yes'));
  const no = h('button.button-quiet', {
    type: 'button', dataset: { testid: `${testid}-cancel` }, onclick: () => answer(false),
  }, t('play.no'));
  /** @type {HTMLElement} */
  const box = h('div.two-steps', { role: 'group', 'aria-label': question },
    h('span.two-steps-words', null, question), yes, no);
  box.addEventListener('keydown', (event) => { if (event.key === 'Escape') answer(false); });
  replaced.replaceWith(box);
  yes.focus();
}
