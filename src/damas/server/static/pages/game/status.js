/** Whose turn it is, how the game ended, whether the line is up; the same in words for those who listen. */

import { moveWords } from '../../board/spoken.js';
import { $, fill, h, icon } from '../../lib/dom.js';
import { timeWords } from '../../lib/times.js';
import { t } from '../../lib/words.js';
import { isOver, now } from './now.js';
import { hideWaiting, showWaiting } from './waiting.js';

/** @typedef {import('../../lib/socket.js').GameSocket} GameSocket */

/** @param {string} side */
function nameOf(side) {
  const player = now.hello.players[side];
  const level = /^level:(\d+)$/.exec(player.kind)?.[1];
  return now.you === 'both' ? t(`board.side.${side}`) : level ? t('play.player.level', { level }) : player.name || t('play.player.guest');
}

/** The rulebook, the time, who looks on. */
export function showTerms() {
  const { book, view, you, hello } = now;
  const viewers = hello.viewers ?? 0;
  fill($('#terms'), h('a', { href: `/rules/${view.rulebook}`, dataset: { testid: 'rulebook-link' } }, icon('book'), book.name),
    h('span', null, timeWords(view.time ?? 'none')), h('span', null, t(`play.presets.${view.preset}`)),
    you === 'viewer' && h('span.tag', null, icon('eye'), t('play.viewer')),
    viewers > 0 && h('span.viewers', { dataset: { testid: 'viewers' } }, icon('eye'), t('play.viewers', { n: viewers })));
  document.title = `${t('play.title', { white: nameOf('white'), black: nameOf('black'), rulebook: book.name })} · damas`;
}

/** Whose turn it is, and that it must be a capture where that may be told. @param {string} turn */
function withCapture(turn) {
  const { must_capture: must, hints } = now.view;
  return must && hints ? `${turn}: ${t('play.must_capture').toLocaleLowerCase()}` : turn;
}

/** @param {GameSocket} socket */
function turnWords(socket) {
  const { view, you, hello } = now;
  if (isOver() || view.waiting) return '';
  if (view.suspended) return t('play.suspended');
  if (you === 'viewer') return t(`play.side_turn.${view.to_move}`);
  if (you === 'both') return withCapture(t(`play.side_turn.${view.to_move}`));
  if (socket.moving) return t('play.connection.sending');
  if (you === view.to_move) return withCapture(t('play.your_turn'));
  return hello.players[view.to_move].kind.startsWith('level:') ? t('play.thinking') : t('play.their_turn');
}

/** @param {GameSocket} socket */
export function showStatus(socket) {
  if (!now.book) return;
  const { view, you } = now;
  const words = turnWords(socket);
  const turn = $('#turn');
  if (turn.textContent !== words) turn.textContent = words;
  turn.hidden = !words;
  turn.classList.toggle('mine', you === view.to_move);
  if (view.waiting && !now.calledOff && you !== 'viewer') showWaiting(socket.game, () => socket.act('abort'));
  else hideWaiting();
  showResult();
}

function resultTitle() {
  const { view, you } = now;
  if (!view.outcome || view.outcome.void) return t('play.called_off');
  const { winner } = view.outcome;
  if (!winner) return t('play.drawn');
  if (you === winner) return t('play.you_won');
  return you === 'white' || you === 'black' ? t('play.you_lost') : t(`play.won.${winner}`);
}

/** How it ended, in a line. */
export function endWords() {
  return [resultTitle(), now.view.outcome?.sentence].filter(Boolean).join('. ');
}

function showResult() {
  const { view, you, rematch, rematchBy } = now;
  const place = $('#result');
  place.hidden = !isOver();
  if (place.hidden) return;
  const { winner, sentence, article_id: article, rulebook: cited } = view.outcome ?? {};
  const won = winner && (you === winner || you === 'viewer' || you === 'both');
  fill(place, h('p.result-title', null, icon(won ? 'trophy' : 'game'), resultTitle()),
    sentence && h('p.result-words', { dataset: { testid: 'result-sentence' } }, sentence,
      article && cited === view.rulebook ? [' ', h('a', { href: `/rules/${cited}#${article}`, dataset: { testid: 'result-article' } }, t('play.article'))] : []),
    rematchBy && !rematch && h('p.small', { role: 'status' }, t(rematchBy === you ? 'play.rematch_mine' : 'play.rematch_theirs')),
    rematch && h('a.button', { href: `/game/${rematch}`, dataset: { testid: 'rematch-link' } }, icon('rematch'), t('play.rematch_go')));
}

/** @param {GameSocket} socket */
export function showConnection(socket) {
  const state = now.paused ? 'paused' : socket.state;
  const place = $('#connection');
  place.dataset.state = state;
  place.hidden = state === 'open' || (!now.hello && state === 'connecting');
  const words = now.paused || (state === 'lost' && socket.moving ? t('play.connection.lost_kept') : t(`play.connection.${state}`));
  if (place.textContent.startsWith(words)) return showStatus(socket); // said once is enough
  fill(place, icon(state === 'open' ? 'check' : 'offline'), h('span', null, words),
    state === 'superseded' && h('button.button', { type: 'button', dataset: { testid: 'play-here' }, onclick: () => socket.takeOver() }, t('play.play_here')));
  showStatus(socket);
}

/** "Pretas: f6-g5", or that nothing was played yet. */
export function lastWords() {
  const { view } = now;
  return view.last ? moveWords(view.moves[view.moves.length - 1].by, view.last.text, view.last.captured.length) : t('play.no_moves');
}

/** The table in words, under headings that a screen reader jumps to. @param {string} pieces @param {string} clocks */
export function showSpoken(pieces, clocks) {
  $('#spoken-pieces').textContent = pieces;
  $('#spoken-last').textContent = lastWords();
  $('#spoken-clocks').textContent = clocks;
}
