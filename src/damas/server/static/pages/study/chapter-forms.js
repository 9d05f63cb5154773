/** The dialogs of a chapter: its title and how it is read, and a new one. */

import { api } from '../../lib/api.js';
import { h, segmented } from '../../lib/dom.js';
import { listRulebooks, rulebookOptions } from '../../lib/rulebooks.js';
import { t } from '../../lib/words.js';
import { isFen, readPdn } from '../analysis/pdn-dialogs.js';
import { state } from '../analysis/state.js';
import { labelled, openForm, titleField } from './forms.js';
import { noteChange } from './saving.js';
import { study, studyPath } from './state.js';

/** @import { NewChapter, PdnGame } from '../../lib/messages.js' */

const MODES = /** @type {const} */ (['read', 'guess', 'practice']);
const SIDES = /** @type {const} */ (['white', 'black']);
const STARTS = /** @type {const} */ (['usual', 'here', 'pdn']);

/** Fields that change how a chapter is read. @param {{mode: string, orientation: string}} chapter */
function readingFields(chapter) {
  const help = h('p.small.muted');
  const showHelp = () => {
    help.textContent = chapter.mode === 'read' ? '' : t(`study.mode_${chapter.mode}_help`);
  };
  showHelp();
  const mode = segmented('mode', t('study.mode'), MODES.map((each) => [each, t(`study.mode_${each}`)]),
    /** @type {typeof MODES[number]} */ (chapter.mode), (each) => {
      chapter.mode = each;
      showHelp();
    });
  const side = segmented('orientation', t('study.orientation'),
    SIDES.map((each) => [each, t(`analysis.side_${each}`)]),
    /** @type {typeof SIDES[number]} */ (chapter.orientation), (each) => { chapter.orientation = each; });
  return [labelled(t('study.mode'), mode), help, labelled(t('study.orientation'), side)];
}

/** Title, mode and orientation of the chapter on the board. @param {() => void} onDone */
export function openChapterSettings(onDone) {
  const name = titleField(t('study.chapter_title'), study.chapter.title, 'chapter-name');
  const chosen = { mode: study.chapter.mode, orientation: study.chapter.orientation };
  openForm('chapter-settings', t('study.chapter_settings'), t('study.save'),
    [name.field, ...readingFields(chosen)], async () => {
      Object.assign(study.chapter, chosen, { title: name.input.value.trim() });
      noteChange();
      onDone();
    });
}

/** A new chapter, or one for each game of a PDN. @param {(id: string) => Promise<unknown>} onDone */
export async function openNewChapter(onDone) {
  await listRulebooks();
  const { tree, view } = state;
  const name = titleField(t('study.chapter_title'), '', 'chapter-name');
  const books = h('select', { testid: 'chapter-rulebook' }, rulebookOptions());
  books.value = tree.rulebook;
  const chosen = { mode: 'read', orientation: study.chapter.orientation };
  const text = h('textarea', {
    rows: 6, spellcheck: false, testid: 'chapter-pdn', 'aria-label': t('study.pdn_label'),
  });
  const pdn = h('label.field', { hidden: true }, h('span.label', t('study.pdn_label')), text);
  let start = /** @type {typeof STARTS[number]} */ ('usual');
  const starts = segmented('start', t('study.start'),
    STARTS.map((each) => [each, t(`study.start_${each}`)]), start, (each) => {
      start = each;
      pdn.hidden = each !== 'pdn';
      books.disabled = each === 'here';
      if (each === 'here') books.value = tree.rulebook;
    });
  const fields = [name.field, h('label.field', h('span.label', t('analysis.rulebook')), books),
    labelled(t('study.start'), starts), pdn, ...readingFields(chosen)];
  openForm('new-chapter', t('study.new_chapter'), t('study.new_chapter'), fields, async () => {
    const chapters = await chaptersFrom(start, text.value, books.value, view?.fen ?? '');
    let first = '';
    for (const chapter of chapters) {
      const title = name.input.value.trim() || chapter.title;
      const { id } = await api.post(`${studyPath()}/chapters`, { ...chapter, ...chosen, title });
      first ||= id;
    }
    await onDone(first);
  });
}

/**
 * What chapters begin with: a position, or the games of a text.
 * @param {typeof STARTS[number]} start @param {string} text @param {string} rulebook @param {string} fen
 * @returns {Promise<NewChapter[]>}
 */
async function chaptersFrom(start, text, rulebook, fen) {
  if (start === 'usual') return [{ rulebook }];
  if (start === 'here') return [{ rulebook, fen }];
  if (isFen(text)) return [{ rulebook, fen: text.trim() }];
  const { games, bad } = await readPdn(text, rulebook);
  if (!games.length) throw new Error(bad[0]?.message ?? t('analysis.import_nothing'));
  return games.map(chapterOf);
}

/** @param {PdnGame} game @returns {NewChapter} */
function chapterOf({ rulebook, fen, standard, tags = {}, result, comments, moves }) {
  const names = [tags.White, tags.Black].filter(Boolean);
  return { rulebook, fen: standard ? '' : fen, tags, result, comments, moves,
    title: tags.ChapterName ?? names.join(' – ') };
}
