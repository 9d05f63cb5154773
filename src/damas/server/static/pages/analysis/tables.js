/** What the endgame tables say: one sentence with its article, and what each move comes to. */

import { api } from '../../lib/api.js';
import { h, icon } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

const MOST_PIECES = 7;
const COLOURS = { win: 'tag-good', loss: 'tag-bad', draw: null };

export class Tables {
  /** @param {HTMLElement} panel @param {(text: string) => void} onPlay */
  constructor(panel, onPlay) {
    this.panel = panel;
    this.onPlay = onPlay;
    this.asked = 0;
  }

  /** @param {{rulebook: string, fen: string, moves: string[]}} place @param {any} view */
  async look(place, view) {
    const asked = ++this.asked;
    const pieces = Object.keys(view.pieces).length;
    if (pieces > MOST_PIECES) {
      this.panel.hidden = true;
      return;
    }
    try {
      const told = await api.post('/api/tablebase', { rulebook: place.rulebook, fen: place.fen, moves: place.moves });
      if (asked === this.asked) this.#show(told, pieces);
    } catch {
      if (asked === this.asked) this.panel.hidden = true;
    }
  }

  /** @param {any} told @param {number} pieces */
  #show(told, pieces) {
    this.panel.hidden = false;
    this.panel.dataset.verdict = told.there ? told.verdict : 'unknown';
    if (!told.there) {
      this.panel.replaceChildren(h('p.small.muted', { dataset: { testid: 'tablebase-sentence' } }, t('analysis.no_table', { n: pieces })));
      return;
    }
    const moves = told.moves.map((/** @type {any} */ move) => h('li', null,
      h('button.move', { type: 'button', onclick: () => this.onPlay(move.text) }, move.text),
      h('span.tag', { class: COLOURS[/** @type {'win'} */ (move.value)] }, move.name)));
    this.panel.replaceChildren(
      h('h2.card-title', null, icon('trophy'), t('analysis.tables')),
      h('p', { dataset: { testid: 'tablebase-sentence' } }, told.sentence),
      h('ul.verdicts', { 'aria-label': t('analysis.moves') }, ...moves),
    );
  }
}
