/** The versions that were sent: how far each is, and for its team what compiler and check said. */

import { api, messageOf } from '../../lib/api.js';
import { openDialog } from '../../lib/dialog.js';
import { byId, h, icon, toast } from '../../lib/dom.js';
import { lang, t } from '../../lib/words.js';

/** @import { ContestView, PreparationView, SubmissionView, TroubleView } from './messages.js' */

const PICTURE_SIZE_PX = 240;
/** Class of the tag of a state. @type {Record<string, string>} */
const TAGS = { accepted: 'tag-good', refused: 'tag-bad' };

let shownVersions = '';

/** @param {ContestView} contest */
export function showVersions(contest) {
  const versions = contest.submissions.toReversed();
  byId('versions-card').hidden = !versions.length;
  const state = JSON.stringify(versions);
  if (state === shownVersions) return;
  shownVersions = state;
  byId('versions').replaceChildren(...versions.map((version) => row(contest.id, version)));
}

/** @param {string} contest @param {SubmissionView} version */
function row(contest, version) {
  const { name, version: number, state, language, hash, sent_ms: sentMs, mine } = version;
  const time = new Date(sentMs).toLocaleString(lang, { dateStyle: 'short', timeStyle: 'medium' });
  const title = t('arena.version', { name, n: number });
  const isPending = !['accepted', 'refused'].includes(state);
  return h('li.contest-entrant', { dataset: { testid: 'version', state, version: version.id } },
    h('span', h('b', title), ' ',
      h('span.tag', { class: TAGS[state] ?? 'tag-blue' }, t(`arena.state.${state}`)),
      h('small.muted.contest-about', [time, language, hash].filter(Boolean).join(' · '))),
    mine && !isPending && h('button.button-quiet', {
      testid: 'open-version', 'aria-label': `${t('arena.version_details')} ${title}`,
      onclick: () => showPreparation(contest, version, title),
    }, icon('info'), t('arena.version_details')));
}

/** @param {string} contest @param {SubmissionView} version @param {string} title */
async function showPreparation(contest, { id, state }, title) {
  /** @type {PreparationView | void} */
  const report = await api.get(`/api/arena/${contest}/submissions/${id}`)
    .catch((error) => toast(messageOf(error)));
  if (!report) return;
  const { why, log, troubles, tried, rulebook } = report;
  const passed = state === 'accepted' && tried > 0 && t('arena.check_passed', { n: tried });
  openDialog('version', title,
    h('p', h('span.tag', { class: TAGS[state] }, t(`arena.state.${state}`)), ' ',
      h('span', { testid: 'version-why' }, why || passed || t('arena.check_none'))),
    ...troubles.map((trouble) => troubleCard(trouble, rulebook)),
    log && h('h3', t('arena.compiler_log')),
    log && h('pre.arena-code', {
      tabIndex: 0, role: 'group', testid: 'version-log', 'aria-label': t('arena.compiler_log'),
    }, h('code', log)));
}

/** @param {TroubleView} trouble @param {string} rulebook */
function troubleCard({ title, message, article, advice, fen, said, stderr, code }, rulebook) {
  const query = new URLSearchParams({ rulebook, fen, size: String(PICTURE_SIZE_PX) });
  return h('section.contest-trouble', { testid: 'trouble' },
    h('h3', title),
    h('p.is-fault', message, ' ', h('code', code)),
    fen && h('img.contest-picture', {
      src: `/position.svg?${query}`, alt: `${t('arena.receipt_position')}: ${fen}`,
      width: PICTURE_SIZE_PX, height: PICTURE_SIZE_PX,
    }),
    h('dl.receipt-facts',
      ...fact(t('arena.trouble_fen'), fen),
      ...fact(t('arena.receipt_said'), said),
      ...(article ? [h('dt', t('arena.receipt_article')), h('dd', article)] : []),
      ...fact('stderr', stderr)),
    h('p', advice));
}

/** @param {string} label @param {string} text */
const fact = (label, text) => (text ? [h('dt', label),
  h('dd', h('pre.arena-code', { tabIndex: 0, role: 'group', 'aria-label': label }, h('code', text)))] : []);
