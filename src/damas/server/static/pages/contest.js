/** A tournament: what is told once in a while is fetched, what moves comes by itself. */

import { api, ApiError } from '../lib/api.js';
import { byId, fill, h } from '../lib/dom.js';
import { has, t } from '../lib/words.js';
import { showEntrants, prepareEntering } from './contest/enter.js';
import { showGames } from './contest/games.js';
import { Live } from './contest/live.js';
import { showOrganiser } from './contest/organiser.js';
import { showReceipt } from './contest/receipt.js';
import { showTable } from './contest/table.js';

const TAGS = /** @type {Record<string, string>} */ ({ running: 'tag-good', open: 'tag-blue', stuck: 'tag-bad' });
const SETTLE_MS = 300;
const AWAY_MS = 2000;
const id = byId('contest').dataset.contest;
const address = `/api/arena/${id}`;

/** @type {Map<string, string>} */
const books = new Map();
/** @type {any} */
let contest = null;
let asking = false, wanted = '', timer = 0;
const live = new Live();

/** Status and progress, which both ways of telling bring. @param {any} told */
function showHead(told) {
  const tag = byId('status');
  tag.className = `tag ${TAGS[told.status] ?? ''}`;
  tag.textContent = t(`arena.status.${told.status}`);
  tag.dataset.status = told.status;
  byId('progress-row').hidden = !told.total;
  byId('progress').textContent = t('arena.progress', { done: told.done, total: told.total });
  const bar = byId('bar');
  bar.setAttribute('aria-valuenow', String(told.done));
  bar.setAttribute('aria-valuemax', String(told.total || 1));
  bar.firstElementChild.style.setProperty('width', `${told.total ? Math.round(100 * told.done / told.total) : 0}%`);
}

/** Why it stopped, in words: codes are for programs. @param {string} code */
const why = (code) => t(has(`arena.trouble.${code}`) ? `arena.trouble.${code}` : 'arena.trouble.other');

async function show() {
  contest = await api.get(address);
  showHead(contest);
  fill(byId('facts'),
    h('span', null, h('a', { href: `/rules/${contest.rulebook}` }, books.get(contest.rulebook) ?? contest.rulebook)),
    h('span', null, contest.format_name),
    h('span', null, contest.control),
    h('span', null, t('arena.pair', { n: contest.games_of_pair })),
    h('span', null, t(contest.legal ? 'arena.legal_shown' : 'arena.legal_hidden')),
    h('span', null, t('arena.by', { name: contest.organiser })));
  const stuck = byId('stuck');
  stuck.hidden = contest.status !== 'stuck';
  stuck.textContent = stuck.hidden ? '' : t('arena.stuck', { why: why(contest.trouble) });
  showEntrants(contest, again);
  showTable(contest.table);
  showGames(id, contest.table, (receipt) => showReceipt(`${address}/receipts/${receipt}`));
  if (contest.mine) showOrganiser(contest, address, again);
}

/** Fetches the rest anew, once for all that has changed in a moment. */
function again() {
  wanted = '';
  window.clearTimeout(timer);
  timer = window.setTimeout(async () => {
    if (asking) return again();
    asking = true;
    try {
      await show();
    } catch (trouble) {
      if (!(trouble instanceof ApiError)) throw trouble;
      if (trouble.status === 404) location.assign('/arena');
    } finally {
      asking = false;
    }
  }, SETTLE_MS);
}

function watch() {
  const stream = new EventSource(`${address}/stream`);
  stream.onmessage = ({ data }) => {
    const told = JSON.parse(data);
    showHead(told);
    live.show(told.games, told.status);
    if (told.version !== contest.version && told.version !== wanted) {
      again();
      wanted = told.version;
    }
  };
  stream.onerror = () => {
    // A server that is on its way down or up refuses, and the browser then gives up: we do not.
    if (stream.readyState !== EventSource.CLOSED) return;
    window.setTimeout(watch, AWAY_MS);
    again();
  };
}

async function begin() {
  const { rulebooks } = await api.get('/api/rulebooks');
  for (const book of rulebooks) books.set(book.id, book.name);
  await show();
  prepareEntering(address, () => contest, again); // at once: the form is in sight from here on
  await live.prepare(contest.rulebook);
  watch();
}

begin().catch((trouble) => byId('facts').replaceChildren(h('span.notice.notice-bad', { role: 'alert' }, trouble.message)))
  .finally(() => { document.body.dataset.ready = 'contest'; });
