/** What the endgame tables say about the position and each of its moves. */

import { api } from '../../lib/api.js';
import { h, icon } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @import { PositionView, TablebaseView } from '../../lib/messages.js' */
/** @import { PositionRequest } from './state.js' */

const MAX_PIECES = 7;
/** Class of the tag by what a move comes to. @type {Record<string, string | null>} */
const TAGS = { win: 'tag-good', loss: 'tag-bad', draw: null };

export class TablebasePanel {
  /** Number of the last request: answers to older ones are dropped. */
  #requestNumber = 0;

  /** @param {HTMLElement} element @param {(text: string) => void} play */
  constructor(element, play) {
    this.element = element;
    this.play = play;
  }

  /** @param {PositionRequest} position @param {PositionView} view */
  async probe({ rulebook, fen, moves }, view) {
    const requestNumber = ++this.#requestNumber;
    const pieceCount = Object.keys(view.pieces).length;
    if (pieceCount > MAX_PIECES) {
      this.element.hidden = true;
      return;
    }
    /** @type {TablebaseView | null} */
    const result = await api.post('/api/tablebase', { rulebook, fen, moves }).catch(() => null);
    if (requestNumber !== this.#requestNumber) return;
    this.element.hidden = !result;
    if (result) this.#show(result, pieceCount);
  }

  /** @param {TablebaseView} result @param {number} pieceCount */
  #show(result, pieceCount) {
    this.element.dataset.verdict = result.there ? result.verdict : 'unknown';
    const dataset = { testid: 'tablebase-sentence' };
    if (!result.there) {
      this.element.replaceChildren(h('p.small.muted', { dataset },
        t('analysis.no_table', { n: pieceCount })));
      return;
    }
    const moves = result.moves.map(({ text, value, name }) => h('li', null,
      h('button.move', { type: 'button', onclick: () => this.play(text) }, text),
        h('span.tag', { class: TAGS[value] }, name)));
    this.element.replaceChildren(
      h('h2.card-title', null, icon('trophy'), t('analysis.tables')),
      h('p', { dataset }, result.message),
      h('ul.verdicts', { 'aria-label': t('analysis.moves') }, ...moves));
  }
}
