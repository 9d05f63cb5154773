/** The opening explorer: the moves that were played here, how those games ended, and the book's scores. */

import { api, messageOf } from '../../lib/api.js';
import { byId, fill, h, icon, segmented } from '../../lib/dom.js';
import { openKeepLine } from '../../lib/repertoire.js';
import { loadValue, storeValue } from '../../lib/storage.js';
import { number, t } from '../../lib/words.js';
import { engine } from './engine.js';
import { board, onNavigation, play } from './navigation.js';
import { bookScore } from './scores.js';
import { checkLocalFairPlay, state } from './state.js';

/** @import { ExploredView, PositionView } from '../../lib/messages.js' */
/** @import { PositionRequest } from './state.js' */

/** @typedef {'engine' | 'server' | 'mine'} Source */

const SHOWN_KEY = 'damas.analysis.explorer';
const SOURCE_KEY = 'damas.analysis.explorer_source';
const SOURCES = /** @type {Source[]} */ (['engine', 'server', 'mine']);
/** Results of games, as the bar shows them from left to right. */
const PARTS = /** @type {const} */ (['white', 'draws', 'black']);

class ExplorerPanel {
  /** @type {PositionRequest | null} */
  #position = null;
  /** Number of the last request: answers to older ones are dropped. */
  #request = 0;
  #source = SOURCES.find((each) => each === loadValue(SOURCE_KEY)) ?? 'engine';
  #name = h('p.explorer-name', { testid: 'explorer-name' });
  #message = h('p.small.muted.explorer-message', { testid: 'explorer-message', role: 'status' });
  #rows = h('tbody', { testid: 'explorer-moves' });
  #table = h('table.explorer-table', { hidden: true },
    h('caption.visually-hidden', t('openings.moves')),
    h('thead.visually-hidden', h('tr', ['move', 'games', 'results', 'score'].map((column) =>
      h('th', { scope: 'col' }, t(`openings.column.${column}`))))), this.#rows);
  #choice = segmented('explorer-source', t('openings.source'),
    SOURCES.map((each) => [each, t(`openings.sources.${each}`)]), this.#source, (chosen) => {
      this.#source = chosen;
      storeValue(SOURCE_KEY, chosen);
      void this.#load();
    });
  #keep = h('button.button-quiet', { testid: 'keep', hidden: true, onclick: () => this.#keepLine() },
    icon('check'), h('span', t('openings.keep')));
  #all = h('a', { href: '/openings', testid: 'to-openings' }, t('openings.all'));
  #content = h('div.explorer-content', this.#choice, this.#name, this.#table, this.#message,
    h('p.small.explorer-more', this.#keep, this.#all));

  isShown = loadValue(SHOWN_KEY) === true;

  #switch = h('button.button-quiet', {
    testid: 'explorer', 'aria-expanded': String(this.isShown), 'aria-keyshortcuts': 'o',
    'aria-controls': 'explorer-content', onclick: () => this.toggle(),
  }, icon('book'), h('span', t('openings.title')));

  constructor() {
    this.#content.id = 'explorer-content';
    this.#content.hidden = !this.isShown;
    byId('explorer-panel').replaceChildren(h('div.engine-head', this.#switch), this.#content);
  }

  toggle() {
    this.isShown = !this.isShown;
    storeValue(SHOWN_KEY, this.isShown);
    this.#switch.setAttribute('aria-expanded', String(this.isShown));
    this.#content.hidden = !this.isShown;
    void this.#load();
  }

  /** @param {PositionRequest} position */
  explore(position) {
    this.#position = position;
    void this.#load();
  }

  #keepLine() {
    const position = this.#position;
    const side = state.view?.turn === 'white' ? 'black' : 'white'; // who has just moved
    if (position) openKeepLine({ rulebook: position.rulebook, moves: position.moves, side });
  }

  async #load() {
    const request = ++this.#request, position = this.#position;
    if (!this.isShown || !position) return;
    this.#all.href = `/openings?${new URLSearchParams({ rulebook: position.rulebook })}`;
    this.#keep.hidden = Boolean(position.fen) || !position.moves.length;
    try {
      checkLocalFairPlay();
      const { rulebook, fen, moves, game } = position;
      /** @type {ExploredView} */
      const explored = await api.post('/api/explorer', { rulebook, fen, moves, game, source: this.#source });
      if (request === this.#request && state.view) this.#draw(explored, state.view);
    } catch (error) {
      if (request !== this.#request) return;
      this.#name.textContent = '';
      this.#table.hidden = true;
      this.#message.textContent = messageOf(error);
    }
  }

  /** @param {ExploredView} explored @param {PositionView} view */
  #draw({ names, games, moves, has_file: hasFile }, view) {
    this.#name.textContent = names.join(' · ');
    this.#table.hidden = !moves.length;
    fill(this.#rows, moves.map((move, index) => this.#row(move, index, games, view)));
    this.#message.textContent = this.#summary(games, moves, hasFile);
  }

  /** @param {number} games @param {ExploredView['moves']} moves @param {boolean} hasFile */
  #summary(games, moves, hasFile) {
    if (!moves.length) return t('analysis.over');
    if (games) return t('openings.games', { games, count: number(games) });
    if (this.#source !== 'engine') return t(`openings.none.${this.#source}`);
    if (moves.some(({ score }) => score !== null)) return t('openings.book_only');
    return t(hasFile ? 'openings.none.file' : 'openings.none.engine');
  }

  /**
   * @param {ExploredView['moves'][number]} move @param {number} index
   * @param {number} total games @param {PositionView} view
   */
  #row(move, index, total, view) {
    const route = view.legal.find(({ text }) => text === move.text)?.routes[0];
    const preview = () => { if (route) board.set({ arrows: [{ route, brush: 'blue' }] }); };
    const leave = () => engine.drawArrows();
    return h('tr', { onmouseenter: preview, onmouseleave: leave },
      h('th', { scope: 'row' }, h('button.move', {
        testid: `explored-${index}`, title: move.name || null, onfocus: preview, onblur: leave,
        'aria-label': [t('openings.play', { move: move.text }), move.name].filter(Boolean).join(', '),
        onclick: () => play(move.text),
      }, move.text)),
      h('td.numbers', move.games ? share(move.games, total) : ''),
      h('td.explorer-results', move.games ? resultBar(move) : h('span.small.muted', move.name)),
      h('td.numbers.explorer-score', move.score === null ? '' : bookScore(move.score, view.turn)));
  }
}

/** @param {number} games @param {number} total */
function share(games, total) {
  return h('span', { title: t('openings.games', { games, count: number(games) }) },
    number(games), h('span.small.muted', ` ${Math.round((100 * games) / total)} %`));
}

/** A bar of wins of White, draws, and wins of Black. @param {ExploredView['moves'][number]} move */
function resultBar(move) {
  const words = t('openings.results', { white: move.white, draws: move.draws, black: move.black });
  return h('span.result-bar', { role: 'img', 'aria-label': words, title: words }, PARTS.map((part) => {
    const percent = Math.round((100 * move[part]) / move.games);
    return percent > 0 && h(`span.result-${part}`, { style: { 'flex-grow': String(percent) } },
      percent >= 20 && `${percent}`);
  }));
}

export const explorer = new ExplorerPanel();
onNavigation({ positionSettled: (position) => explorer.explore(position) });
