/** The dialog that keeps a line, or the games of a PDN, in the visitor's repertoire. */

import { api, messageOf } from './api.js';
import { openDialog } from './dialog.js';
import { errorNotice, h, iconButton, segmented, toast } from './dom.js';
import { t } from './words.js';

/** @import { Side } from './messages.js' */

const SIDES = /** @type {Side[]} */ (['white', 'black']);

/** The moves of a line, none of them broken at its hyphen. @param {readonly string[]} moves */
export function moveWords(moves) {
  return moves.flatMap((move) => [h('span.nowrap', move), ' ']);
}

/**
 * Asks for the side, and for a PDN where no moves are given; then keeps the line.
 * @param {{rulebook: string, moves?: string[], name?: string, side: Side, onKept?: () => unknown}} line
 */
export function openKeepLine({ rulebook, moves, name = '', side, onKept }) {
  let chosen = side;
  const problem = h('div', { testid: 'keep-problem' });
  const pdn = moves ? null
    : h('textarea', { id: 'keep-pdn', testid: 'keep-pdn', rows: 6, spellcheck: false });
  const go = iconButton('keep-go', 'check', t('openings.keep'), async () => {
    go.disabled = true;
    try {
      const line = moves ? { moves, name } : { pdn: pdn?.value ?? '' };
      /** @type {{added: number}} */
      const { added } = await api.post(`/api/repertoire/${encodeURIComponent(rulebook)}`,
        { side: chosen, ...line });
      dialog.close();
      toast(t('openings.kept', { n: added }));
      await onKept?.();
    } catch (error) {
      problem.replaceChildren(errorNotice(messageOf(error)));
    }
    go.disabled = false;
  }, 'button.button-wide');
  const dialog = openDialog('keep-line', t('openings.keep_title'), h('div.stack',
    moves ? h('p.numbers', moveWords(moves)) : h('div.field',
      h('label', { htmlFor: 'keep-pdn' }, t('openings.keep_pdn')), pdn),
    h('div.field', h('p.label', t('openings.my_side')),
      segmented('keep-side', t('openings.my_side'),
        SIDES.map((each) => [each, t(`play.colours.${each}`)]), side, (value) => { chosen = value; })),
    problem, go));
  (pdn ?? go).focus();
}
