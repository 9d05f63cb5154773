/** The decisive moments of a game: its worst moves in words, each opened to show its line on the board. */

import { h, iconButton } from '../../lib/dom.js';
import { openPlayHere } from '../../lib/play-here.js';
import { t } from '../../lib/words.js';
import { engine } from './engine.js';
import { numberedMove } from './graph.js';
import { board, goTo, goToMainLine, scrollToBoard } from './navigation.js';
import { groupByShot, percent } from './scores.js';
import { state } from './state.js';
import { hideSteps, showSteps, stepper } from './stepper.js';
import { mistakeWords } from './to-study.js';

/** @import { MistakeView } from '../../lib/messages.js' */

const SHOWN_MISTAKES = 3;
const GOOD_MOVE_NAG = 1;
/** Motifs that have a name of their own. */
const NAMED_MOTIFS = ['shot', 'majority', 'threat', 'opposition', 'trapped', 'breakthrough', 'run', 'forcada',
  'three_kings', 'limit'];
const SHOTS = ['shot', 'majority', 'crowning', 'king'];

export class Moments {
  element = h('ol.worst', { testid: 'worst' });
  /** @type {HTMLElement | null} */
  #open = null;

  /** Shows the worst of these mistakes. @param {MistakeView[]} mistakes */
  show(mistakes) {
    this.#close();
    const groups = groupByShot(mistakes.toSorted((a, b) => b.lost - a.lost)).slice(0, SHOWN_MISTAKES);
    this.element.replaceChildren(...groups
      .map(([mistake, ...again], index) => this.#draw(mistake, index + 1, again)));
    if (!groups.length) this.element.append(h('li.muted', t('analysis.no_mistake')));
  }

  /** @param {MistakeView} mistake @param {number} rank @param {MistakeView[]} again for the same shot */
  #draw(mistake, rank, again) {
    const kind = mistake.kind ?? 'small';
    const moves = again.sort((a, b) => a.ply - b.ply).map(numberedMove).join(', ');
    const chances = { before: percent(mistake.chance_before), after: percent(mistake.chance_after) };
    const motif = motifName(mistake);
    const title = h('button.worst-title', { testid: `moment-${rank}`, 'aria-expanded': 'false' },
      h('span.move', numberedMove(mistake)),
      h('span.tag', { class: kind === 'blunder' ? 'tag-bad' : null }, t(`analysis.kind_${kind}`)),
      motif && h('span.tag', { testid: 'motif' }, motif),
      h('span.small.muted.numbers', t('analysis.chances', chances)));
    const tools = h('div.toolbar', { hidden: true },
      iconButton('show-best', 'lightbulb', t('analysis.show_best', { move: mistake.best }),
        () => showBetterMove(mistake)),
      iconButton('play-again', 'rematch', t('analysis.play_again'),
        () => openPlayHere({ rulebook: state.tree.rulebook, fen: mistake.before, color: mistake.by })));
    const item = h('li.worst-move', { testid: `worst-${rank}`, class: `worst-${kind}` }, title,
      h('p', { testid: 'sentence' }, mistakeWords(mistake)),
      moves && h('p.small.muted', { testid: 'again' }, t('analysis.missed_again', { moves })), tools);
    title.addEventListener('click', () => {
      const isOpen = this.#open === item;
      this.#close();
      if (isOpen) goToMainLine(mistake.ply);
      else this.#show(item, mistake);
    });
    return item;
  }

  /** Opens a moment: its line on the board. @param {HTMLElement} item @param {MistakeView} mistake */
  #show(item, mistake) {
    this.#open = item;
    setOpen(item, true);
    item.insertBefore(stepper, item.lastElementChild);
    const shot = mistake.missed ?? mistake.allowed;
    const { motif = '', ply = mistake.ply - 1, moves = mistake.line, takes = [], marks = [] } =
      mistake.proof ?? {};
    if (shot) stepper.prepend(h('p.small', { testid: 'shot-sum' }, t('analysis.shot_sum', { ...shot })));
    const start = state.tree.mainLine()[ply];
    const nodes = state.tree.playAll(start, moves);
    if (!nodes[0].comments.length) nodes[0].comments = [mistakeWords(mistake)];
    showSteps({ start, nodes, takes, marks, isShot: SHOTS.includes(motif) });
    scrollToBoard();
  }

  #close() {
    if (!this.#open) return;
    hideSteps();
    stepper.querySelector('[data-testid="shot-sum"]')?.remove();
    stepper.remove();
    setOpen(this.#open, false);
    this.#open = null;
  }
}

/** @param {HTMLElement} item @param {boolean} isOpen */
function setOpen(item, isOpen) {
  item.classList.toggle('worst-open', isOpen);
  item.firstElementChild?.setAttribute('aria-expanded', String(isOpen));
  const tools = item.lastElementChild;
  if (tools instanceof HTMLElement) tools.hidden = !isOpen;
}

/** @param {MistakeView} mistake */
function motifName({ proof, missed, allowed }) {
  if (!proof || !NAMED_MOTIFS.includes(proof.motif)) return null;
  const { given = 0, taken = 0 } = missed ?? allowed ?? {};
  return t(`analysis.motif_${proof.motif}`, { given, taken });
}

/**
 * Adds the better line to the move tree and shows the position before the mistake,
 * with an arrow unless the engine is on.
 * @param {MistakeView} mistake
 */
async function showBetterMove(mistake) {
  const before = state.tree.mainLine()[mistake.ply - 1];
  const [first] = state.tree.playAll(before, mistake.line);
  if (!first.nags.length) first.nags = [GOOD_MOVE_NAG];
  await goTo(before);
  const best = state.view?.legal.find((move) => move.text === mistake.best);
  if (best && !engine.isOn) board.set({ arrows: [{ route: best.routes[0], brush: 'green' }] });
  scrollToBoard();
}
