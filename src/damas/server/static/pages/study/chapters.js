/** The list of chapters, and for the owner: adding, moving and deleting them. */

import { api, messageOf } from '../../lib/api.js';
import { byId, fill, h, iconButton, toast } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { openChapterSettings, openNewChapter } from './chapter-forms.js';
import { notifyChapter, onChapter, openChapter, reloadStudy } from './open.js';
import { flush, forgetDraft, saving } from './saving.js';
import { chapterBody, chapterPath, placeOf, study, studyPath, titleOf } from './state.js';

const card = byId('chapters');
/**
 * The last chapter that was deleted, for taking it back.
 * @type {{title: string, restore: () => Promise<void>} | null}
 */
let deleted = null;

function show() {
  const { view, chapter } = study;
  const items = view.chapters.map((each, index) => {
    const entry = each.id === chapter.id ? { ...each, title: chapter.title, mode: chapter.mode } : each;
    return h('li', h('a.chapter-link', {
      href: `/study/${view.id}/${each.id}`, testid: `chapter-${index + 1}`,
      'aria-current': each.id === chapter.id ? 'true' : null, onclick: (/** @type {MouseEvent} */ event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        void openChapter(each.id);
      },
    }, h('span.chapter-number', String(index + 1)), h('span', titleOf(entry)),
    entry.mode !== 'read' && h('span.tag', t(`study.mode_${entry.mode}`))));
  });
  fill(card, h('h2.card-title', t('study.chapters')), h('ol.chapter-list', ...items), view.mine && tools());
}

function tools() {
  const place = placeOf(), last = study.view.chapters.length - 1;
  const button = (/** @type {string} */ name, /** @type {string} */ icon, /** @type {() => unknown} */ action,
    isPossible = true) => {
    const made = iconButton(`chapter-${name}`, icon, t(`study.chapter_${name}`), action, 'button-quiet.tool');
    made.title = t(`study.chapter_${name}`);
    made.disabled = !isPossible;
    return made;
  };
  return h('div.stack.chapter-tools',
    h('div.toolbar',
      iconButton('new-chapter', 'plus', t('study.new_chapter'), () => openNewChapter(opened), 'button-quiet'),
      button('settings', 'settings', () => openChapterSettings(notifyChapter)),
      button('up', 'previous', () => move(place - 1), place > 0),
      button('down', 'next', () => move(place + 1), place < last),
      button('delete', 'trash', remove, last > 0)),
    deleted && h('p.notice.chapter-deleted', { role: 'status' },
      t('study.chapter_deleted', { title: deleted.title }), ' ',
      h('button.button-quiet', { testid: 'chapter-restore', onclick: deleted.restore }, t('study.restore'))));
}

/** @param {string} id */
async function opened(id) {
  await reloadStudy();
  await openChapter(id);
}

/** @param {number} to */
async function move(to) {
  await attempt(async () => {
    await api.post(`${chapterPath()}/place`, { to });
    await reloadStudy();
  });
}

/** Deletes the chapter on the board and offers to take it back. */
async function remove() {
  await flush();
  if (saving.isDirty) return; // the state of saving says why
  const body = chapterBody(), at = placeOf(), title = titleOf(study.chapter);
  await attempt(async () => {
    await api.delete(`${chapterPath()}?version=${study.chapter.version}`);
    forgetDraft();
    deleted = {
      title,
      restore: () => attempt(async () => {
        const { id } = await api.post(`${studyPath()}/chapters`, { ...body, at });
        deleted = null;
        await opened(id);
      }),
    };
    await reloadStudy();
    const next = study.view.chapters[Math.min(at, study.view.chapters.length - 1)];
    await openChapter(next.id);
  });
}

/** @param {() => Promise<void>} action */
async function attempt(action) {
  try {
    await action();
  } catch (error) {
    toast(messageOf(error));
    await reloadStudy().catch(() => {});
  }
}

onChapter(show);
