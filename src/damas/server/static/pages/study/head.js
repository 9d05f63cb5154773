/** The head of the page: title, author, whether all is saved, sharing; and what to do after a conflict. */

import { api, messageOf } from '../../lib/api.js';
import { byId, fill, h, icon, iconButton, toast } from '../../lib/dom.js';
import { openShare } from '../../lib/share.js';
import { t } from '../../lib/words.js';
import { onNavigation } from '../analysis/navigation.js';
import { state } from '../analysis/state.js';
import { openProperties } from './forms.js';
import { onChapter, openChapter, reloadStudy, takeSaved } from './open.js';
import { forgetDraft, redo, saving, undo } from './saving.js';
import { chapterBody, placeOf, study, studyPath, titleOf } from './state.js';

const facts = byId('study-facts');
const notice = byId('study-notice');
const status = h('span.study-saved', { role: 'status', testid: 'study-saved' });
const undoButton = iconButton('undo', 'take-back', t('study.undo'), undo, 'button-quiet.tool');
const redoButton = iconButton('redo', 'arrow-right', t('study.redo'), redo, 'button-quiet.tool');

function showHead() {
  const { view, chapter } = study;
  byId('study-title').textContent = view.title || t('study.untitled');
  byId('chapter-title').textContent = titleOf(chapter);
  const author = view.author && h('a', { href: `/studies?by=${encodeURIComponent(view.author)}` },
    t('study.by', { author: view.author }));
  fill(facts, author, state.book?.name && h('span', state.book.name),
    view.mine && h('span.tag', { testid: 'study-visibility' }, t(`study.visibility_${view.visibility}`)),
    view.mine && status);
}

function showSaving() {
  const { state: now, message } = saving;
  const isStuck = now === 'conflict' || now === 'gone';
  if (isStuck) status.textContent = '';
  else status.textContent = now === 'refused' ? t('study.not_saved', { message }) : t(`study.${now}`);
  status.classList.toggle('study-unsaved', now !== 'saved' && now !== 'saving');
  undoButton.disabled = !saving.canUndo;
  redoButton.disabled = !saving.canRedo;
  if (isStuck === !notice.hidden) return;
  notice.hidden = !isStuck;
  notice.replaceChildren(...(isStuck ? [h('p', t(`study.${now}`)), h('div.toolbar',
    iconButton('keep-mine', 'plus', t(now === 'conflict' ? 'study.keep_both' : 'study.keep_study'),
      now === 'conflict' ? keepBoth : keepAsStudy, 'button'),
    now === 'conflict' && iconButton('take-theirs', 'download', t('study.take_theirs'), attempt(takeSaved),
      'button-quiet'))].filter((each) => each instanceof HTMLElement) : []));
  if (isStuck) notice.scrollIntoView({ block: 'nearest' });
}

/** @param {() => Promise<unknown>} action */
function attempt(action) {
  return async () => {
    try {
      await action();
    } catch (error) {
      toast(messageOf(error));
    }
  };
}

const keepBoth = attempt(async () => {
  const { id } = study.chapter;
  const title = t('study.copy_of', { title: titleOf(study.chapter) });
  await api.post(`${studyPath()}/chapters`, { ...chapterBody(), title, at: placeOf() + 1 });
  forgetDraft();
  await reloadStudy();
  saving.state = 'saved'; // what was here is in the new chapter
  await takeSaved();
  await openChapter(id);
});

const keepAsStudy = attempt(async () => {
  const { url } = await api.post('/api/studies', { title: study.view.title, chapter: chapterBody() });
  forgetDraft();
  location.href = url;
});

function share() {
  const { view, chapter } = study;
  const path = `/study/${view.id}/${chapter.id}`, picture = `/study/export/${view.id}/${chapter.id}`;
  const isPrivate = view.visibility === 'private';
  const pdn = `/api/studies/${view.id}/pdn`;
  openShare({
    title: `${view.title || t('study.untitled')} · ${titleOf(chapter)}`, path,
    embed: isPrivate ? undefined : `/embed${path}`,
    files: [
      { kind: t('study.pdn_chapter'), name: `damas-${view.id}-${chapter.id}.pdn`,
        href: `${pdn}?chapter=${chapter.id}` },
      { kind: t('study.pdn_all'), name: `damas-${view.id}.pdn`, href: pdn },
      { kind: 'PNG', name: 'damas.png', href: `${picture}.png` },
      { kind: 'SVG', name: 'damas.svg', href: `${picture}.svg` },
    ],
    more: isPrivate ? [h('p.notice', { testid: 'share-private' }, t('study.share_private'), ' ',
      h('button.button-quiet', { onclick: edit }, icon('edit'), t('study.properties')))] : [],
  });
}

function edit() {
  document.querySelector('dialog[open]')?.remove();
  openProperties(study.view, reloadStudy);
}

byId('share').addEventListener('click', share);
onChapter(showHead);
onNavigation({ positionShown: showHead });
if (study.view.mine) {
  byId('properties').before(undoButton, redoButton);
  byId('properties').addEventListener('click', edit);
  saving.onChange = showSaving;
}
