/**
 * The receipt of a lost game: the position, the program's exact bytes, the nearest legal move, the article.
 */

import { api, ApiError } from '../../lib/api.js';
import { byId, h, icon, toast } from '../../lib/dom.js';
import { number, t } from '../../lib/words.js';

/** @import { ReceiptView } from './messages.js' */

const PICTURE_SIZE_PX = 280;

/** @param {string} text */
const codeBlock = (text) => h('pre.arena-code', { tabIndex: 0 }, h('code', null, text));

/** @param {string} address */
export async function showReceipt(address) {
  /** @type {ReceiptView} */
  let receipt;
  try {
    receipt = await api.get(address);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return toast(error.message);
  }
  const { rulebook, fen, offender, name } = receipt;
  const dialog = byId('receipt', HTMLDialogElement);
  const query = new URLSearchParams({ rulebook, fen, size: String(PICTURE_SIZE_PX), orientation: offender });
  dialog.replaceChildren(
    h('div.dialog-title', null, h('h2', { id: 'receipt-title' }, t('arena.receipt_of', { name })),
      h('button.button-quiet.button-icon', {
        type: 'button', 'aria-label': t('arena.close'), dataset: { testid: 'close-receipt' },
        onclick: () => dialog.close(),
      }, icon('close'))),
    h('p', { dataset: { testid: 'verdict' } }, h('span.tag.tag-bad', null, receipt.verdict_text), ' ',
      receipt.message),
    h('img.contest-picture', {
      src: `/position.svg?${query}`, alt: `${t('arena.receipt_position')}: ${fen}`, width: PICTURE_SIZE_PX,
      height: PICTURE_SIZE_PX,
    }),
    h('dl.contest-receipt-facts', null, ...facts(receipt).flatMap(([label, ...content]) =>
      (content.some(Boolean) ? [h('dt', null, label), h('dd', null, ...content)] : []))));
  dialog.showModal();
}

/**
 * Labels and contents; a fact without content is left out.
 * @param {ReceiptView} receipt @returns {[string, ...(Node | string | false | null)[]][]}
 */
function facts({ said, bytes, nearest, article, seconds, tier, legal, stderr }) {
  const output = bytes
    ? [codeBlock(said), h('small.muted', null, t('arena.receipt_bytes', { n: bytes }))]
      : [t('arena.receipt_nothing')];
  return [
    [t('arena.receipt_said'), ...output],
    [t('arena.receipt_nearest'), nearest && h('code', { dataset: { testid: 'nearest' } }, nearest)],
    [t('arena.receipt_article'), article],
    [t('arena.receipt_after'), seconds !== null && t('arena.receipt_seconds', { s: number(seconds) })],
    [t('arena.receipt_tier'), tier],
    [t('arena.receipt_legal'), legal.length > 0
      && h('span.contest-moves', null, legal.map((move) => h('code', null, move)))],
    [t('arena.receipt_stderr'), stderr && codeBlock(stderr)],
  ];
}
