/** A tournament: games in progress come by a stream, which also says when to fetch the rest again. */

import { api, messageOf, tryAction } from '../lib/api.js';
import { $$, byId, errorNotice, fill, h, showText } from '../lib/dom.js';
import { listRulebooks, rulebookName } from '../lib/rulebooks.js';
import { has, lang, t } from '../lib/words.js';
import { prepareEntryForm, showEntrants } from './contest/entries.js';
import { runQuery, showFinishedGames } from './contest/finished-games.js';
import { prepareLiveBoard, showLiveGames } from './contest/live-games.js';
import { showOrganiser } from './contest/organiser.js';
import { showReceipt } from './contest/receipt.js';
import { showStandings } from './contest/standings.js';
import { STATUS_TAGS } from './contest/status.js';
import { showVersions } from './contest/versions.js';

/** @import { ContestMessage, ContestView } from './contest/messages.js' */

/** Changes within this time are fetched together. */
const FETCH_DELAY_MS = 300;
const RECONNECT_MS = 2000;

const id = byId('contest').dataset.contest ?? '';
const address = `/api/arena/${id}`;

let contest = /** @type {ContestView} */ (/** @type {unknown} */ (null));
let isFetching = false;
/** The run of a standing ladder that is shown; 0: the last one. */
let chosenRun = 0;
/** The version that is being fetched. */
let requestedVersion = '';
let fetchTimer = 0;

/** @param {Pick<ContestView, 'status' | 'done' | 'total'>} progress */
function showProgress({ status, done, total }) {
  const tag = byId('status');
  tag.className = `tag ${STATUS_TAGS[status] ?? ''}`;
  tag.textContent = t(`arena.status.${status}`);
  tag.dataset.status = status;
  byId('progress-row').hidden = !total;
  byId('progress').textContent = t('arena.progress', { done, total });
  const bar = byId('bar');
  bar.setAttribute('aria-valuenow', String(done));
  bar.setAttribute('aria-valuemax', String(total || 1));
  bar.replaceChildren(h('span', { style: { width: `${total ? Math.round((100 * done) / total) : 0}%` } }));
}

async function fetchContest() {
  contest = await api.get(chosenRun ? `${address}?run=${chosenRun}` : address);
  const { rulebook, status, trouble } = contest;
  showProgress(contest);
  fill(byId('facts'),
    h('span', h('a', { href: `/rules/${rulebook}` }, rulebookName(rulebook))),
    h('span', contest.format_name),
    h('span', contest.control),
    h('span', t('arena.pair', { n: contest.games_of_pair })),
    h('span', t(contest.legal ? 'arena.legal_shown' : 'arena.legal_hidden')),
    contest.deadline_ms && h('span', { testid: 'deadline' },
      t('arena.until', { time: formatTime(contest.deadline_ms) })),
    h('span', t('arena.by', { name: contest.organiser })));
  showText(byId('standing-line'), contest.standing && status !== 'finished' ? t('arena.standing_line') : '');
  showRuns();
  const why = t(has(`arena.trouble.${trouble}`) ? `arena.trouble.${trouble}` : 'arena.trouble.other');
  showText(byId('stuck'), status === 'stuck' ? t('arena.stuck', { why }) : '');
  showEntrants(contest, scheduleFetch);
  showStandings(contest.table);
  showVersions(contest);
  const tail = runQuery(contest);
  showFinishedGames(contest, (receipt) => showReceipt(`${address}/receipts/${receipt}${tail}`));
  for (const link of $$('.contest-downloads a', HTMLAnchorElement)) link.search = tail;
  if (contest.mine) showOrganiser(contest, address, scheduleFetch);
}

/** @param {number} ms */
const formatTime = (ms) => new Date(ms).toLocaleString(lang, { dateStyle: 'medium', timeStyle: 'short' });

/** The choice among the runs of a standing ladder, the last one first. */
function showRuns() {
  const { run, standing } = contest;
  const select = byId('run', HTMLSelectElement);
  byId('run-row').hidden = !standing || run < 2;
  if (select.options.length === run) return;
  select.replaceChildren(...Array.from({ length: run }, (_, before) =>
    h('option', { value: before ? run - before : 0 }, t('arena.run_number', { n: run - before }))));
  select.value = String(chosenRun);
}

function scheduleFetch() {
  requestedVersion = '';
  window.clearTimeout(fetchTimer);
  fetchTimer = window.setTimeout(async () => {
    if (isFetching) return scheduleFetch();
    isFetching = true;
    await tryAction(fetchContest, (error) => { if (error.status === 404) location.assign('/arena'); })
      .finally(() => { isFetching = false; });
  }, FETCH_DELAY_MS);
}

function watch() {
  const stream = new EventSource(`${address}/stream`);
  stream.addEventListener('message', ({ data }) => {
    /** @type {ContestMessage} */
    const message = JSON.parse(data);
    showProgress(message);
    showLiveGames(message.games, message.status);
    if (message.version === contest.version || message.version === requestedVersion) return;
    scheduleFetch();
    requestedVersion = message.version;
  });
  stream.addEventListener('error', () => {
    // A server that restarts refuses connections, and the browser gives up: try again.
    if (stream.readyState !== EventSource.CLOSED) return;
    window.setTimeout(watch, RECONNECT_MS);
    scheduleFetch();
  });
}

async function start() {
  await listRulebooks();
  await fetchContest();
  await prepareLiveBoard(contest.rulebook);
  prepareEntryForm(address, () => contest, scheduleFetch);
  byId('run').addEventListener('change', ({ target }) => {
    chosenRun = Number(/** @type {HTMLSelectElement} */ (target).value);
    scheduleFetch();
  });
  watch();
}

start().catch((error) => byId('facts').replaceChildren(errorNotice(messageOf(error), 'span')))
  .finally(() => { document.body.dataset.ready = 'contest'; });
