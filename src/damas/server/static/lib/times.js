/** Terms of a game in words, and clock faces. */

import { t } from './words.js';

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** "5 min + 3 s por lance" for common time controls, their own text for others. @param {string} control */
export function timeWords(control) {
  if (control === 'none') return t('play.times.none');
  const fischer = /^(\d+)\+(\d+)$/.exec(control);
  if (fischer) return t('play.times.fischer', { minutes: fischer[1], seconds: fischer[2] });
  const perMove = Number(/^(\d+)s\/move$/.exec(control)?.[1] ?? 0);
  if (perMove) return t('play.times.move', { time: perMove % 60 ? `${perMove} s` : `${perMove / 60} min` });
  const days = /^(\d+)d$/.exec(control);
  if (days) return t('play.times.days', { n: Number(days[1]) });
  const suddenDeath = /^(\d+)m?$/.exec(control);
  return suddenDeath ? t('play.times.sudden', { minutes: suddenDeath[1] }) : control;
}

/** "Modo: Concurso": a mode may have the name of a rulebook that stands beside it. @param {string} preset */
export function modeWords(preset) {
  return `${t('play.manner')}: ${t(`play.presets.${preset}`)}`;
}

/** A clock face: 2 d 04:30, 1:05:09, 12:30, and tenths in the last ten seconds, 0:09.4. @param {number} ms */
export function clockFace(ms) {
  const left = Math.max(0, ms);
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(left / 1000);
  const pad = (/** @type {number} */ value) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${pad(hours % 24)}:${pad(minutes)}`;
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

/** The main time of a time control, or null if there is none. @param {string} control */
export function mainTimeMs(control) {
  const match = /^(\d+)(ms|s|m|h|d)?/.exec(control);
  if (!match) return null;
  return Number(match[1]) * UNIT_MS[/** @type {keyof typeof UNIT_MS} */ (match[2] ?? 'm')];
}

const LOW_TIME_MS = 20_000;
const MIN_LOW_TIME_MS = 10_000;

/** Players are warned when they have less left: a tenth, 10 to 20 seconds. @param {string} control */
export function lowTimeMs(control) {
  return Math.max(MIN_LOW_TIME_MS, Math.min(LOW_TIME_MS, (mainTimeMs(control) ?? 0) / 10));
}
