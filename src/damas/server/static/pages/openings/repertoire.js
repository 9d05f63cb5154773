/** The visitor's lines of a rulebook, and what of them is due. */

import { api, messageOf } from '../../lib/api.js';
import { byId, fill, h, icon, iconButton, toast } from '../../lib/dom.js';
import { moveWords, openKeepLine } from '../../lib/repertoire.js';
import { t } from '../../lib/words.js';

/** @import { OwnLine, Side } from '../../lib/messages.js' */

/** @typedef {{rulebook: string, side: Side, lines: OwnLine[]}} Training */

const SIDES = /** @type {Side[]} */ (['white', 'black']);

export class RepertoirePanel {
  #element = byId('repertoire');
  #rulebook = '';

  /** @param {(line: OwnLine) => unknown} onChoose @param {(training: Training) => unknown} onTrain */
  constructor(onChoose, onTrain) {
    this.onChoose = onChoose;
    this.onTrain = onTrain;
  }

  /** @param {string} rulebook */
  async load(rulebook = this.#rulebook) {
    this.#rulebook = rulebook;
    /** @type {[{lines: OwnLine[]}, {decks: {deck: string, due: number}[]}]} */
    const [{ lines }, { decks }] = await Promise.all([
      api.get(`/api/repertoire/${encodeURIComponent(rulebook)}`), api.get('/api/reviews')]);
    if (rulebook !== this.#rulebook) return;
    const due = (/** @type {Side} */ side) =>
      decks.find(({ deck }) => deck === `opening:${rulebook}-${side}`)?.due ?? 0;
    fill(this.#element, h('h2.card-title', t('openings.mine')),
      !lines.length && h('p.small.muted', { testid: 'repertoire-empty' }, t('openings.mine_empty')),
      SIDES.map((side) => this.#drawSide(side, lines.filter((line) => line.side === side), due(side))),
      iconButton('import-lines', 'upload', t('openings.import'), () => this.#import()));
  }

  #import() {
    openKeepLine({ rulebook: this.#rulebook, side: 'white', onKept: () => this.load() });
  }

  /** @param {Side} side @param {OwnLine[]} lines @param {number} due */
  #drawSide(side, lines, due) {
    if (!lines.length) return null;
    return h('section.opening-group', h('div.repertoire-head',
      h('h3', t(`openings.mine_${side}`)),
      h('span.small.muted', { testid: `due-${side}` }, t('openings.due', { due })),
      iconButton(`train-${side}`, 'play', t('openings.train'),
        () => this.onTrain({ rulebook: this.#rulebook, side, lines }), due ? 'button' : 'button-quiet')),
    h('ul.opening-list', { tabIndex: 0, 'aria-label': t(`openings.mine_${side}`) },
      lines.map((line, index) => this.#drawLine(line, `own-${side}-${index}`))));
  }

  /** @param {OwnLine} line @param {string} testid */
  #drawLine(line, testid) {
    const words = line.moves.join(' ');
    const label = t('openings.remove', { line: line.name || words });
    return h('li.own-line',
      h('button.opening-line', { testid, onclick: () => this.onChoose(line) },
        line.name && h('b', line.name), h('span', moveWords(line.moves))),
      h('button.button-quiet.button-icon', {
        testid: `remove-${testid}`, 'aria-label': label, title: label, onclick: () => this.#remove(line),
      }, icon('trash')));
  }

  /** @param {OwnLine} line */
  async #remove({ id }) {
    try {
      await api.post(`/api/repertoire/${encodeURIComponent(this.#rulebook)}/remove`, { line: id });
      await this.load();
    } catch (error) {
      toast(messageOf(error));
    }
  }
}
