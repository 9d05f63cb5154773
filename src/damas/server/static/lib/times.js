/** Time in words and on dials. */

import { t } from './words.js';

/** "5 min + 3 s por lance" for the short text of a time control; other controls as they are written. @param {string} control */
export function timeWords(control) {
  if (control === 'none') return t('play.times.none');
  const fischer = /^(\d+)\+(\d+)$/.exec(control);
  if (fischer) return t('play.times.fischer', { minutes: fischer[1], seconds: fischer[2] });
  const days = /^(\d+)d$/.exec(control);
  if (days) return t('play.times.days', { n: Number(days[1]) });
  const sudden = /^(\d+)m?$/.exec(control);
  return sudden ? t('play.times.sudden', { minutes: sudden[1] }) : control;
}

/** A dial: 2 d 04:30, 1:05:09, 12:30, and tenths in the last ten seconds, 0:09.4. @param {number} ms */
export function dial(ms) {
  const left = Math.max(0, ms);
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(left / 1000);
  const two = (/** @type {number} */ value) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${two(hours % 24)}:${two(minutes)}`;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** The main time of a control in milliseconds, or null where there is none. @param {string} control */
export function mainTime(control) {
  const found = /^(\d+)(ms|s|m|h|d)?/.exec(control);
  if (!found) return null;
  return Number(found[1]) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[/** @type {'m'} */ (found[2] ?? 'm')];
}
