/** Reading a chapter: the comment on the move that is shown, and how the chapter is read. */

import { byId, fill, h, iconButton } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { playFromHere } from '../analysis/controls.js';
import { onNavigation } from '../analysis/navigation.js';
import { state } from '../analysis/state.js';
import { shownComment } from '../analysis/tree.js';
import { Guess } from './guess.js';
import { onChapter, openChapter } from './open.js';
import { placeOf, study } from './state.js';

const comment = byId('reading-comment');
const guess = new Guess(byId('guess'), nextChapter);

/** The chapter on the board. @type {typeof study.chapter | null} */
let shown = null;

/** @param {boolean} isOn */
function setGuessing(isOn) {
  document.body.classList.toggle('guessing', isOn);
  comment.hidden = isOn;
  if (isOn) guess.start(study.chapter.orientation === 'black' ? 'black' : 'white');
  else guess.stop();
  showModes();
}

function showModes() {
  const isGuessing = document.body.classList.contains('guessing');
  const { mode } = study.chapter;
  const next = nextChapter();
  fill(byId('modes'),
    !isGuessing && mode !== 'practice' && iconButton('start-guess', 'puzzle', t('study.guess.start'),
      () => setGuessing(true), mode === 'guess' ? 'button' : 'button-quiet'),
    isGuessing && iconButton('end-guess', 'eye', t('study.guess.read'), () => setGuessing(false)),
    !isGuessing && mode === 'practice' && iconButton('practice', 'computer', t('study.practice_go'),
      playFromHere, 'button'),
    next && iconButton('next-chapter', 'next', t('study.next_chapter'), next));
}

function showComment() {
  const { tree, node } = state;
  const before = node.parent && node.parent.children[0] !== node ? node.before : [];
  const texts = [...before, ...node.comments].map(shownComment).filter(Boolean);
  const hint = study.view.mine || node !== tree.root ? '' : t('study.reader_note');
  fill(comment, ...texts.map((text) => h('p.study-text', text)),
    !texts.length && hint && h('p.muted.small', hint));
}

/** Opens the chapter after this one; null after the last. */
function nextChapter() {
  const next = study.view.chapters[placeOf() + 1];
  return next ? () => openChapter(next.id) : null;
}

onNavigation({ nodeSelected: () => { if (!comment.hidden) showComment(); } });
onChapter(() => {
  if (study.chapter === shown) return showModes(); // only the list of chapters has changed
  shown = study.chapter;
  const isReader = !study.view.mine;
  setGuessing(isReader && study.chapter.mode === 'guess');
  if (!document.body.classList.contains('guessing')) showComment();
});
