/** The visitor's studies: made, taken from PDN, renamed and deleted; or the public ones of an account. */

import { api, messageOf } from '../lib/api.js';
import { byId, errorNotice, h, icon, iconButton } from '../lib/dom.js';
import { listRulebooks, rulebookName } from '../lib/rulebooks.js';
import { lang, t } from '../lib/words.js';
import { confirmDelete, openForm, openProperties } from './study/forms.js';

/** @import { CreatedStudy, ListedStudyView, StudyListView, StudyView } from '../lib/messages.js' */

const MAX_CHAPTERS = 64, MAX_PDN_MB = 8;

const list = byId('studies');
const author = new URLSearchParams(location.search).get('by');
const dateFormat = new Intl.DateTimeFormat(lang, { dateStyle: 'medium' });

/** @param {ListedStudyView} study @param {boolean} isMine */
function studyCard(study, isMine) {
  const { id, title, visibility, chapters, rulebook, updated_ms: updated } = study;
  const name = title || t('study.untitled');
  return h('li.card.study-card', { testid: 'study' },
    h('p.study-card-title', h('a', { href: `/study/${id}` }, name)),
    h('p.study-card-facts', rulebook && h('span', rulebookName(rulebook)),
      h('span', t('study.chapters_n', { n: chapters })),
      h('time', { dateTime: new Date(updated).toISOString() }, dateFormat.format(updated)),
      isMine && h('span.tag', t(`study.visibility_${visibility}`))),
    h('div.toolbar',
      h('a.button-quiet', { href: `/api/studies/${id}/pdn`, download: `damas-${id}.pdn` },
        icon('download'), 'PDN'),
      isMine && iconButton('study-rename', 'edit', t('study.properties'), () => rename(id)),
      isMine && iconButton('study-delete', 'trash', t('study.delete'), () => confirmDelete(
        t('study.delete_study', { title: name }), async () => {
          await api.delete(`/api/studies/${id}`);
          await show();
        }))));
}

/** @param {string} id */
async function rename(id) {
  /** @type {StudyView} */
  const view = await api.get(`/api/studies/${id}`);
  openProperties(view, show);
}

async function show() {
  /** @type {StudyListView} */
  const listed = await api.get(`/api/studies${author ? `?by=${encodeURIComponent(author)}` : ''}`);
  const { author: name, studies } = listed;
  if (name) byId('studies-title').textContent = t('study.public_of', { author: name });
  list.replaceChildren(...studies.map((study) => studyCard(study, !name)));
  if (!studies.length) {
    list.append(h('li.card.studies-empty',
      h('p', t(name ? 'study.none_public' : 'study.none', { author: name }))));
  }
}

/** A new study with an empty chapter. */
async function create() {
  const rulebook = document.documentElement.dataset.rulebookDefault ?? '';
  const title = h('input', { type: 'text', maxLength: 100, testid: 'study-name', autocomplete: 'off' });
  openForm('new-study', t('study.new'), t('study.new'),
    [h('label.field', h('span.label', t('study.name')), title)], async () => {
      /** @type {CreatedStudy} */
      const { url } = await api.post('/api/studies', { title: title.value, chapter: { rulebook } });
      location.href = url;
    });
}

function openImport() {
  const text = h('textarea', {
    rows: 8, spellcheck: false, testid: 'import-text', 'aria-label': t('analysis.import_label'),
  });
  const file = h('input', { type: 'file', accept: '.pdn,.txt,text/plain', testid: 'import-file',
    'aria-label': t('analysis.import_file') });
  const results = h('div.stack', { testid: 'import-results', 'aria-live': 'polite' });
  openForm('import-study', t('study.import'), t('study.import_go'), [
    h('p.small.muted', t('study.import_help', { chapters: MAX_CHAPTERS, size: MAX_PDN_MB })),
    text, file, results,
  ], async () => {
    const pdn = await file.files?.[0]?.text() ?? text.value;
    const rulebook = document.documentElement.dataset.rulebookDefault ?? '';
    /** @type {CreatedStudy} */
    const { url, bad } = await api.post('/api/studies/pdn', { pdn, rulebook });
    if (!bad.length) return void (location.href = url);
    await show();
    results.replaceChildren(h('p', t('study.import_bad', { n: bad.length })),
      h('ul', bad.map(({ game, line, message }) =>
        h('li', t('analysis.import_bad', { game, line, message })))),
      h('a.button', { href: url, testid: 'import-open' }, t('study.import_open')));
    throw new Error(t('study.import_bad', { n: bad.length }));
  });
}

async function start() {
  byId('studies-tools').hidden = Boolean(author);
  byId('new-study').addEventListener('click', create);
  byId('import-study').addEventListener('click', openImport);
  await listRulebooks();
  await show();
}

start().catch((error) => list.replaceChildren(errorNotice(messageOf(error), 'li')))
  .finally(() => { document.body.dataset.ready = 'studies'; });
