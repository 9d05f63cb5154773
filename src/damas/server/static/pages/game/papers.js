/** The dialog with what can be printed of a game: pages for the printer of the browser, and PDF files. */

import { openDialog } from '../../lib/dialog.js';
import { h, icon } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { isOver, state } from './state.js';

/** @param {string} game */
export function openPapers(game) {
  const papers = [
    paperRow('scoresheet', game),
    isOver() && paperRow('certificate', game),
    paperRow('blank', state.view.rulebook),
  ];
  openDialog('papers', t('paper.title'), ...papers);
}

/** @param {'scoresheet' | 'certificate' | 'blank'} kind @param {string} id of the game or rulebook */
function paperRow(kind, id) {
  return h('div.toolbar',
    h('a.button-quiet', { href: `/paper/${kind}/${id}`, testid: `paper-${kind}` }, icon('print'),
      t(`paper.${kind}`)),
    h('a.button-quiet', { href: `/paper/${kind}/${id}.pdf`, download: '', testid: `paper-${kind}-pdf`,
      'aria-label': `${t(`paper.${kind}`)}, PDF` }, icon('download'), 'PDF'));
}
