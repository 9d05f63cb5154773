/** The two strips above and below the board: the players, whether they are there, and their clocks. */

import { pieceIcon, SIDES } from '../../board/pieces.js';
import { countPieces } from '../../board/spoken.js';
import { $, fill, h, icon } from '../../lib/dom.js';
import { playSound } from '../../lib/sound.js';
import { clockFace, lowTimeMs } from '../../lib/times.js';
import { t } from '../../lib/words.js';
import { realName } from './class-names.js';
import { bottomSide, isOver, levelOf, state } from './state.js';

/** @import { ClocksView, Side } from '../../lib/messages.js' */

const UPDATE_MS = 100;

/** A player's name as shown. @param {Side} side */
export function playerName(side) {
  const level = levelOf(side), player = state.players[side];
  if (state.you === 'both') return t(`board.side.${side}`);
  if (level) return t('play.player.level', { level });
  return realName(side) || player.name || t('play.player.guest');
}

/** @type {ClocksView} */
let clocks = { white: null, black: null, running: null };
/** When the clocks held, on the page's clock. */
let clocksAt = 0;
let hasWarned = false;
/** @type {Map<Side, {strip: HTMLElement, clock: HTMLElement, face: HTMLElement}>} */
const strips = new Map();

setInterval(update, UPDATE_MS);

export function showPlayers() {
  for (const side of SIDES) showStrip(side, side === bottomSide() ? 'below' : 'above');
  update();
}

/** @param {Side} side @param {'above' | 'below'} place */
function showStrip(side, place) {
  const player = state.players[side];
  const isFree = player.free && state.you !== 'both' && !levelOf(side);
  const name = isFree ? t('play.player.free') : playerName(side);
  const strip = $(`#player-${place}`);
  const face = h('span.dial', { testid: `clock-${side}` });
  const label = t('play.clock.of', { name });
  const clock = h('div.clock', { role: 'timer', 'aria-live': 'off', 'aria-label': label }, icon('clock'),
    face);
  const isAway = !player.free && !player.here && !isOver();
  strip.setAttribute('aria-label', `${t(`board.side.${side}`)}: ${name}`);
  strip.dataset.side = side;
  fill(strip,
    pieceCount(side),
    h('span.player-name', { testid: `name-${side}` }, name),
    player.kind === 'bot' && h('span.tag', icon('computer'), t('play.player.bot')),
    state.you === side && h('span.tag.tag-blue', t('play.player.you')),
    isAway && h('span.tag.tag-bad', { testid: `away-${side}` }, icon('offline'), t('play.player.away')),
    clock);
  strips.set(side, { strip, clock, face });
}

/** How many men and kings a side has, as numbers beside their pictures and in words. @param {Side} side */
function pieceCount(side) {
  const { men, kings } = countPieces(state.view.pieces, side);
  const letter = side === 'white' ? 'w' : 'b';
  const words = t('board.piece_count', { men, kings });
  return h('span.player-piece', { testid: `count-${side}`, title: words },
    h('span.visually-hidden', words),
    h('span', { 'aria-hidden': 'true' }, pieceIcon(letter), men),
    kings > 0 && h('span', { 'aria-hidden': 'true' }, pieceIcon(letter.toUpperCase()), kings));
}

/** @param {ClocksView} sent @param {number} delayMs since the server sent them */
export function setClocks(sent, delayMs) {
  clocks = sent;
  clocksAt = performance.now() - delayMs;
  update();
}

/** Milliseconds left now; null without a clock. @param {Side} side */
export function timeLeft(side) {
  const left = clocks[side] ?? null;
  if (left === null || clocks.running !== side) return left;
  return Math.max(0, left - (performance.now() - clocksAt));
}

function update() {
  const lowMs = lowTimeMs(state.view?.time ?? 'none');
  for (const [side, { strip, clock, face }] of strips) {
    const left = timeLeft(side);
    const isRunning = clocks.running === side;
    clock.hidden = left === null;
    strip.classList.toggle('running', isRunning);
    if (left === null) continue;
    const isLow = left < lowMs;
    const text = clockFace(left);
    if (face.textContent !== text) face.textContent = text;
    clock.classList.toggle('low', isLow);
    clock.dataset.running = String(isRunning);
    clock.title = [isRunning && t('play.clock.running'), isLow && t('play.clock.low')].filter(Boolean)
      .join(', ');
    if (isRunning && isLow && side === state.you && !hasWarned) {
      hasWarned = true;
      playSound('lowTime');
    }
  }
}

/** Both clocks in a sentence. */
export function clockWords() {
  const white = timeLeft('white'), black = timeLeft('black');
  if (white === null || black === null) return t('play.clock.none');
  return t('play.clock.said', {
    white_side: t('board.side.white'), black_side: t('board.side.black'), white: clockFace(white),
    black: clockFace(black),
  });
}
