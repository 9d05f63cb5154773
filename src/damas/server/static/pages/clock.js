/** The clock for a real board: settings, and two halves of the window that the players touch. */

import { $, $$, byId, fill, h, icon, isWriting, toast } from '../lib/dom.js';
import { preference, setPreferences } from '../lib/preferences.js';
import { playSound } from '../lib/sound.js';
import { loadValue, storeValue } from '../lib/storage.js';
import { clockFace, lowTimeMs, timeWords } from '../lib/times.js';
import { t } from '../lib/words.js';
import { canKeepAwake, keepAwake } from '../lib/awake.js';
import { askCorrection, wallTime } from './clock/correction.js';
import { createHalf, showHalf } from './clock/faces.js';
import { keep, kept, moment, onKeptElsewhere } from './clock/kept.js';
import {
  correct, hasNextGame, isUsuallyWritten, newMatch, nextGame, pause, reconciled, remaining, reopened, resume,
  space, tick, touch,
} from './clock/match-clock.js';

/** @import { Half, MatchClock, Moment, Terms } from './clock/match-clock.js' */

const SETTINGS_KEY = 'damas.clock-settings';
const UPDATE_MS = 100;
/** While a clock runs it is kept again and again: a closed page then depends little on the device's clock. */
const KEEP_MS = 1000;
/** Micro-matches of the Circuito have one time for both games. */
const TIME_FOR_BOTH_GAMES = '21';
/** The keys under the left hand press for the left half, the other letters and Enter for the right one. */
const LEFT_KEYS = /^(Key[QWERTASDFGZXCVB]|Digit[1-5]|ShiftLeft|ArrowLeft)$/;
const RIGHT_KEYS = /^(Key[YUIOPHJKLNM]|Digit[67890]|ShiftRight|ArrowRight|Enter|NumpadEnter)$/;

const form = $('#clock-form', HTMLFormElement);
const field = (/** @type {string} */ name) => $(`[name="${name}"]`, HTMLInputElement, form);
const page = $('#match-clock');
const bar = $('#clock-bar');
const status = byId('clock-status');
const halves = /** @type {Half[]} */ ([0, 1]).map(createHalf);

/** @type {MatchClock | null} */
let match = null;
/** Of the last look at both clocks. */
let lastSeen = moment();
let wasHidden = document.hidden;
/** What was last warned about: no warning comes twice. */
let warned = '';
let shownBar = '';

// Settings

/** @returns {Terms} */
function terms() {
  const chosen = $('[name="time"]:checked', HTMLInputElement, form).value;
  const minutes = field('minutes').valueAsNumber, seconds = field('seconds').valueAsNumber || 0;
  return {
    time: chosen === 'own' ? `${minutes}${seconds ? `+${seconds}` : ''}` : chosen,
    games: field('both').checked ? 2 : 1, writes: field('writes').checked,
  };
}

/** @param {Partial<Terms>} wanted */
function showTerms({ time = '15', games = 1, writes = isUsuallyWritten(parseInt(time, 10)) }) {
  const preset = $$('[name="time"]', HTMLInputElement, form).find(({ value }) => value === time);
  (preset ?? $('[name="time"][value="own"]', HTMLInputElement, form)).checked = true;
  const own = /^(\d{1,3})(?:\+(\d{1,3}))?$/.exec(time);
  if (own) {
    field('minutes').value = own[1];
    field('seconds').value = own[2] ?? '0';
  }
  field('both').checked = games === 2;
  field('writes').checked = writes;
  showOwn();
}

function showOwn() {
  const isOwn = $('[name="time"][value="own"]', HTMLInputElement, form).checked;
  $('#clock-own').hidden = !isOwn;
  for (const name of ['minutes', 'seconds']) field(name).disabled = !isOwn;
}

form.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  if (target.name === 'sound') return setPreferences({ sound: target.checked });
  if (!['time', 'minutes', 'seconds'].includes(target.name)) return;
  showOwn();
  const { time } = terms();
  if (target.name === 'time') field('both').checked = time === TIME_FOR_BOTH_GAMES;
  field('writes').checked = isUsuallyWritten(parseInt(time, 10));
});

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const chosen = terms();
  storeValue(SETTINGS_KEY, { ...chosen, vibrate: field('vibrate').checked });
  warned = '';
  change(newMatch(chosen));
  page.focus();
});

// The clock

/** Keeps a change before anybody sees it. @param {MatchClock | null} next */
function change(next) {
  if (next === match) return;
  const isKept = keep(next);
  const before = match;
  match = next;
  if (!isKept && before === null) toast(t('clock.not_kept'), 6000);
  if (before && next && before.stage !== 'fallen' && next.stage === 'fallen') ring();
  keepAwake(next !== null && next.stage !== 'fallen');
  show();
}

/** @param {(match: MatchClock, now: Moment) => MatchClock} action */
function act(action) {
  if (match) change(action(match, moment()));
}

/**
 * A player has pressed.
 * @param {(match: MatchClock, now: Moment) => MatchClock} action @param {Event} event
 */
function press(action, event) {
  const before = match;
  if (!match) return;
  change(action(match, moment(Math.min(event.timeStamp, performance.now()))));
  if (match === before || match.stage !== 'running') return;
  playSound('move');
  if (field('vibrate').checked) navigator.vibrate?.(25);
}

function ring() {
  playSound('end');
  if (field('vibrate').checked) navigator.vibrate?.([400, 150, 400]);
}

/** Warns once when little time is left. @param {MatchClock} running @param {number} at */
function warn({ turn, stage, terms: { time }, game }, at) {
  const name = `${game} ${turn}`;
  if (stage !== 'running' || !match || warned === name) return;
  if (remaining(match, turn, at) >= lowTimeMs(time)) return;
  warned = name;
  playSound('lowTime');
  if (field('vibrate').checked) navigator.vibrate?.([80, 80, 80]);
}

/** Goes on with the kept clock. */
function restore() {
  const stored = kept();
  if (!stored) {
    match = null;
    return show();
  }
  const { match: again, away } = reopened(stored, moment());
  match = again;
  keepAwake(again.stage !== 'fallen');
  show();
  if (away < 0) note(t('clock.set_back'));
  else if (away >= KEEP_MS * 3) note(t('clock.away', { time: clockFace(Math.max(away, 10_000)) }));
}

/** @param {string} words */
function note(words) {
  const line = byId('clock-note');
  line.hidden = !words;
  $('span', undefined, line).textContent = words;
}

function look() {
  const now = moment();
  if (match) {
    const { match: seen, charged, ignored } = reconciled(match, lastSeen, now, wasHidden || document.hidden);
    if (charged) note(t('clock.slept', { time: clockFace(charged) }));
    if (ignored) note(t('clock.was_set', { time: clockFace(Math.max(10_000, Math.abs(ignored))) }));
    change(tick(seen, now));
    warn(seen, now.at);
  }
  lastSeen = now;
  wasHidden = document.hidden;
  if (match) for (const half of halves) showHalf(half, match, now.at);
}

function show() {
  const isOpen = match !== null;
  page.hidden = !isOpen;
  document.body.classList.toggle('clock-open', isOpen);
  if (!match) return;
  const now = performance.now();
  for (const half of halves) showHalf(half, match, now);
  const words = statusWords(match);
  if (status.textContent !== words) status.textContent = words;
  showBar(match);
}

/** @param {MatchClock} shown */
function statusWords({ stage, game, terms: { time, games }, turn, fell }) {
  const name = `${timeWords(time)}${games > 1 ? `, ${t('clock.game_of', { game, games })}` : ''}`;
  if (stage === 'fallen' && fell !== null) {
    return t('clock.fell', { side: t(`board.side.${turn}`), time: wallTime(fell) });
  }
  return stage === 'paused' ? `${name} · ${t('clock.state.paused')}` : name;
}

/** The buttons that make sense now. @param {MatchClock} shown */
function showBar(shown) {
  const { stage } = shown;
  const buttons = [stage, hasNextGame(shown)].join(' ');
  if (shownBar === buttons) return;
  shownBar = buttons;
  const hadFocus = bar.contains(document.activeElement);
  fill(bar, [
    stage === 'running' && barButton('pause', 'pause', () => act(pause)),
    stage === 'paused' && barButton('resume', 'play', () => act(resume)),
    stage !== 'running' && barButton('correct', 'edit', askForCorrection),
    hasNextGame(shown) && barButton('next', 'next', () => act(nextGame)),
    stage !== 'running' && barButton('new', 'settings', leave),
  ]);
  if (hadFocus) page.focus(); // the space bar is the players' again
}

/** @param {string} name @param {string} symbol @param {() => void} onclick */
function barButton(name, symbol, onclick) {
  return h('button.button-quiet', { testid: `clock-${name}`, onclick }, icon(symbol),
    h('span', t(`clock.do.${name}`)));
}

function askForCorrection() {
  if (!match) return;
  askCorrection(match, (left, turn) => {
    act((current, now) => correct(current, left, turn, now));
    warned = '';
    page.focus();
  });
}

/** Back to the settings; a clock with times of its own asks once more. */
function leave() {
  if (match?.stage === 'ready' && match.game === 1) return change(null);
  const sure = h('button.button-bad', { testid: 'clock-new-sure', onclick: () => change(null) },
    t('clock.do.new_sure'));
  const stay = h('button.button-quiet', { testid: 'clock-new-stay', onclick: () => show() },
    t('clock.do.stay'));
  fill(bar, sure, stay);
  shownBar = '';
  sure.focus();
}

for (const { half, button } of halves) {
  button.addEventListener('pointerdown', (event) => {
    if (event.button === 0) press((current, now) => touch(current, half, now), event);
  });
  button.addEventListener('mousedown', (event) => event.preventDefault()); // the keys stay with the window
  button.addEventListener('click', (event) => { // from a screen reader, without a pointer
    if (event.detail === 0) press((current, now) => touch(current, half, now), event);
  });
  button.addEventListener('contextmenu', (event) => event.preventDefault());
}

document.addEventListener('keydown', (event) => {
  const { target, code } = event;
  if (!match || event.repeat || event.ctrlKey || event.metaKey || event.altKey || isWriting(event)) return;
  if (!(target instanceof Element) || target.closest('dialog')) return;
  const isOnButton = bar.contains(target) || target.closest('.clock-note') !== null;
  if (isOnButton && ['Space', 'Enter', 'NumpadEnter'].includes(code)) return;
  if (code === 'Escape') return act(match.stage === 'paused' ? resume : pause);
  const onHalf = halves.find(({ button }) => button === target);
  if (code === 'Space') {
    event.preventDefault();
    press(space, event);
  } else if (onHalf && code === 'Enter') {
    event.preventDefault();
    press((current, now) => touch(current, onHalf.half, now), event);
  } else if (LEFT_KEYS.test(code)) press((current, now) => touch(current, 0, now), event);
  else if (RIGHT_KEYS.test(code)) press((current, now) => touch(current, 1, now), event);
});

page.prepend(halves[0].place);
page.append(halves[1].place);
byId('clock-note-close').addEventListener('click', () => { note(''); page.focus(); });

const query = new URLSearchParams(location.search);
const stored = loadValue(SETTINGS_KEY) ?? {};
/** In an address the plus of 3+2 is read as a space. */
const wantedTime = (query.get('time') ?? '').replace(' ', '+');
showTerms(/^\d{1,3}(\+\d{1,3})?$/.test(wantedTime)
  ? { time: wantedTime, games: query.get('games') === '2' ? 2 : 1 } : stored);
field('sound').checked = preference('sound');
field('vibrate').checked = stored.vibrate ?? true;
field('vibrate').closest('label')?.toggleAttribute('hidden', !('vibrate' in navigator));
$('#clock-sleep').hidden = canKeepAwake();

restore();
onKeptElsewhere(() => {
  const other = kept();
  const same = (/** @type {MatchClock | null | undefined} */ each) => JSON.stringify({ ...each, since: 0 });
  if (same(other?.match) !== same(match)) restore();
});
setInterval(look, UPDATE_MS);
setInterval(() => { if (match?.stage === 'running') keep(match); }, KEEP_MS);
window.addEventListener('pagehide', () => { if (match) keep(match); });
document.addEventListener('visibilitychange', () => {
  if (document.hidden) wasHidden = true;
  else look();
});
document.body.dataset.ready = 'clock';
