/** A live position beside an article: play it, try what it forbids, or see it played to its end. */

import { api } from '../../lib/api.js';
import { h, icon } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { Desk, ending, legalCount, Player, positionAfter } from './desk.js';

export class Example {
  #desk = /** @type {Desk | null} */ (null);
  #player = /** @type {Player | null} */ (null);
  /** @type {string[]} */
  #moves = [];
  #shown = 0;

  /** @param {HTMLElement} place @param {string} id of the rulebook @param {any[]} examples those of one article */
  constructor(place, id, examples) {
    this.place = place;
    this.id = id;
    this.examples = examples;
  }

  get #example() { return this.examples[this.#shown]; }

  /** Builds the board, once. */
  open() {
    if (this.#desk) return;
    this.status = h('p.example-status', { role: 'status' });
    this.tools = h('div.toolbar.example-tools');
    const stage = h('div.example-stage');
    this.place.replaceChildren(stage, this.status, this.tools);
    this.#desk = new Desk(stage, { played: (move) => this.#played(move.text) });
    this.#show(0);
  }

  /** @param {number} which */
  async #show(which) {
    const desk = /** @type {Desk} */ (this.#desk);
    this.#shown = which;
    this.#moves = [];
    const example = this.#example;
    await desk.use(example.rulebook);
    desk.board.movable = 'both';
    desk.show(example.view);
    this.#player = null;
    this.#tell(legalCount(example.view.legal.length));
    this.#fillTools();
  }

  #fillTools() {
    const example = this.#example, desk = /** @type {Desk} */ (this.#desk);
    const attempt = (/** @type {string} */ text) => { desk.show(example.view); this.#moves = []; desk.board.playTyped(text); };
    const made = example.refused.map((/** @type {string} */ text) => h('button.chip', { type: 'button', dataset: { testid: 'try-refused', move: text }, onclick: () => attempt(text) }, icon('close'), t('rules.try', { move: text })));
    if (example.played) {
      made.push(h('button.chip', { type: 'button', dataset: { testid: 'example-step' }, onclick: () => this.#play((player) => player.go(player.at + 1)) }, icon('next'), t('rules.step')));
      made.push(h('button.chip', { type: 'button', dataset: { testid: 'example-run' }, onclick: () => this.#play((player) => player.go(player.last)) }, icon('last'), t('rules.to_end')));
    }
    made.push(h('button.chip', { type: 'button', dataset: { testid: 'example-again' }, onclick: () => this.#show(this.#shown) }, icon('take-back'), t('rules.again')));
    if (this.examples.length > 1) {
      const n = this.#shown + 1, count = this.examples.length;
      made.push(h('button.chip', { type: 'button', dataset: { testid: 'example-other' }, onclick: () => this.#show((this.#shown + 1) % count) }, icon('arrow-right'), t('rules.other_example', { n, count })));
    }
    if (example.lesson) made.push(h('a.chip', { href: `/learn/${example.lesson}` }, icon('learn'), t('rules.practise')));
    this.tools?.replaceChildren(...made);
  }

  /** The game of this example, fetched when first wanted. @param {(player: Player) => void} then */
  async #play(then) {
    const example = this.#example;
    if (!this.#player) {
      const { frames } = await api.get(`/api/examples/${this.id}/${example.article}/${example.name}`);
      if (this.#example !== example) return;
      this.#player = new Player(/** @type {Desk} */ (this.#desk), frames, (at) => this.#stepped(at));
    }
    then(this.#player);
  }

  /** @param {number} at */
  #stepped(at) {
    const player = /** @type {Player} */ (this.#player);
    const frame = player.frames[at];
    this.#moves = [];
    const where = t('rules.ply', { n: frame.ply, count: player.frames[player.last].ply });
    this.#tell([frame.claimed ? t('rules.claimed') : where, ending(frame)].filter(Boolean).join(' — '));
  }

  /** A reader goes on from here as they like. @param {string} text */
  async #played(text) {
    const desk = /** @type {Desk} */ (this.#desk);
    const from = this.#player && this.#player.at ? this.#player.frames[this.#player.at].fen : this.#example.view.fen;
    this.#moves.push(text);
    const view = await positionAfter(this.#example.rulebook, from, this.#moves);
    desk.show(view);
    this.#tell(ending(view) || legalCount(view.legal.length));
  }

  /** @param {string} words */
  #tell(words) {
    if (this.status) this.status.textContent = words;
  }
}
