/** Days of a calendar, as 2026-11-30, in words of the page's language. */

import { lang } from '../../lib/words.js';

const format = new Intl.DateTimeFormat(lang, { weekday: 'short', day: 'numeric', month: 'short' });

/** @param {string} day */
export function dayWords(day) {
  const [year, month, date] = day.split('-').map(Number);
  return format.format(new Date(year, month - 1, date));
}

/** The day at this device, so many days ahead. @param {number} [ahead] */
export function today(ahead = 0) {
  const now = new Date();
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + ahead);
  const pad = (/** @type {number} */ value) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${pad(day.getMonth() + 1)}-${pad(day.getDate())}`;
}
