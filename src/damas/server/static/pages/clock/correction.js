/** The dialog in which an arbiter sets the times and whose turn it is: each value beside the one before. */

import { SIDES } from '../../board/pieces.js';
import { openDialog } from '../../lib/dialog.js';
import { h, segmented } from '../../lib/dom.js';
import { clockFace } from '../../lib/times.js';
import { lang, t } from '../../lib/words.js';
import { MAX_LEFT_MS } from './match-clock.js';

/** @import { Side } from '../../local/records.js' */
/** @import { MatchClock } from './match-clock.js' */

const timeOfDay = new Intl.DateTimeFormat(lang, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** The time of the day in words. @param {number} wall */
export const wallTime = (wall) => timeOfDay.format(wall);

/**
 * @param {MatchClock} match that stands still
 * @param {(left: Record<Side, number>, turn: Side) => void} onCorrect
 */
export function askCorrection(match, onCorrect) {
  const rows = SIDES.map((side) => timeFields(side, match.left[side]));
  let turn = match.turn;
  const sides = SIDES.map((side) => /** @type {[Side, string]} */ ([side, t(`board.side.${side}`)]));
  const form = h('form.stack', rows.map(({ field }) => field),
    match.stage !== 'ready' && h('fieldset.field', h('legend', t('clock.correct.turn')),
      segmented('clock-turn', t('clock.correct.turn'), sides, turn, (side) => { turn = side; })),
    h('button.button', { type: 'submit', testid: 'clock-correct-apply' }, t('clock.correct.apply')),
    match.corrections.length > 0 && h('div', h('h3', t('clock.correct.done')),
      h('ul.clock-corrections', { testid: 'clock-corrections' }, match.corrections.map((each) =>
        h('li', t('clock.correct.entry', {
          side: t(`board.side.${each.side}`), from: clockFace(each.from), to: clockFace(each.to),
          time: wallTime(each.wall),
        }))))));
  const dialog = openDialog('clock-correct', t('clock.correct.title'), form);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const [white, black] = rows.map(({ value }) => value());
    onCorrect({ white, black }, turn);
    dialog.close();
  });
}

/** @param {Side} side @param {number} before */
function timeFields(side, before) {
  const seconds = Math.ceil(before / 1000);
  const minuteInput = numberInput(`clock-${side}-minutes`, Math.floor(seconds / 60), MAX_LEFT_MS / 60_000);
  const secondInput = numberInput(`clock-${side}-seconds`, seconds % 60, 59);
  const shown = h('output.clock-change.numbers', { testid: `clock-${side}-change` });
  /** Untouched fields keep the exact time. */
  const value = () => {
    const entered = (minuteInput.valueAsNumber || 0) * 60 + (secondInput.valueAsNumber || 0);
    return entered === seconds ? before : Math.min(MAX_LEFT_MS, entered * 1000);
  };
  const show = () => { shown.value = `${clockFace(before)} → ${clockFace(value())}`; };
  for (const input of [minuteInput, secondInput]) input.addEventListener('input', show);
  show();
  const field = h('fieldset.field', h('legend', t(`board.side.${side}`)),
    h('div.clock-time-fields',
      h('label', h('span', t('clock.own_minutes')), minuteInput),
      h('label', h('span', t('clock.correct.seconds')), secondInput), shown));
  return { field, value };
}

/** @param {string} testid @param {number} value @param {number} max */
function numberInput(testid, value, max) {
  return h('input', { type: 'number', min: 0, max: Math.floor(max), step: 1, required: true, value, testid,
    inputMode: 'numeric' });
}
