/** What happened at the table besides moves, and the register of irregularities with its totals. */

import { SIDES } from '../../board/pieces.js';
import { $, fill, h } from '../../lib/dom.js';
import { capital, t } from '../../lib/words.js';
import { state } from './state.js';

/** @import { Side } from '../../lib/messages.js' */

/** Events that a player is shown; the arbiter sees all that the server sends. */
const SHOWN_TO_PLAYERS = 4;

export function showTableLog() {
  const { view: { news, register }, you } = state;
  const section = $('#table-log');
  section.hidden = !news.length;
  if (section.hidden) return;
  const shown = you === 'arbiter' ? news : news.slice(-SHOWN_TO_PLAYERS);
  fill($('#table-news'), shown.toReversed().map(({ n, message }) =>
    h('li', { testid: `news-${n}` }, capital(message))));
  const details = $('#register');
  details.hidden = !register.entries.length;
  fill($('#register-totals'), SIDES.map(total));
  fill($('#register-entries'), register.entries.map(({ n, message }) =>
    h('li', { testid: `irregularity-${n}` }, capital(message))));
}

/** Sentences in a row, with one stop between two; empty ones are left out. @param {string[]} sentences */
export function inARow(sentences) {
  return sentences.filter(Boolean).map((words) => capital(words).replace(/\.$/, '')).join('. ');
}

/** How many irregularities a side has, in all and by article. @param {Side} side */
function total(side) {
  const own = state.view.register.totals.filter(({ by }) => by === side);
  const count = own.reduce((sum, { count: n }) => sum + n, 0);
  const articles = own.map(({ article, count: n }) =>
    t('table.log.article', { article: article || t('table.log.no_article'), n }));
  const words = t('table.log.total', { side: t(`board.side.${side}`), n: count });
  return h('li', { testid: `total-${side}` }, articles.length ? `${words} (${articles.join(', ')})` : words);
}

/** The sentences of what has happened since an event. @param {number} since its number */
export function newsSince(since) {
  return state.view.news.filter(({ n, by }) => n > since && by !== state.you).map(({ message }) => message);
}

/** The number of the last event that the log has, or -1. */
export function lastNews() {
  const { news } = state.view;
  return news.length ? news[news.length - 1].n : -1;
}
