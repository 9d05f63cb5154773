/** The receipt of a lost game: position, the program's exact bytes, the nearest legal move, the article. */

import { api, messageOf } from '../../lib/api.js';
import { openDialog } from '../../lib/dialog.js';
import { h, toast } from '../../lib/dom.js';
import { number, t } from '../../lib/words.js';

/** @import { ReceiptView } from './messages.js' */

const PICTURE_SIZE_PX = 280;

/** @param {string} text */
const codeBlock = (text) => h('pre.arena-code', { tabIndex: 0 }, h('code', text));

/** @param {string} address */
export async function showReceipt(address) {
  /** @type {ReceiptView | void} */
  const receipt = await api.get(address).catch((error) => toast(messageOf(error)));
  if (!receipt) return;
  const { rulebook, fen, offender, name } = receipt;
  const query = new URLSearchParams({ rulebook, fen, size: String(PICTURE_SIZE_PX), orientation: offender });
  openDialog('receipt', t('arena.receipt_of', { name }),
    h('p', { testid: 'verdict' }, h('span.tag.tag-bad', receipt.verdict_text), ' ', receipt.message),
    h('img.contest-picture', {
      src: `/position.svg?${query}`, alt: `${t('arena.receipt_position')}: ${fen}`,
      width: PICTURE_SIZE_PX, height: PICTURE_SIZE_PX,
    }),
    h('dl.receipt-facts', ...facts(receipt).flatMap(([label, ...content]) =>
      (content.some(Boolean) ? [h('dt', label), h('dd', ...content)] : []))));
}

/**
 * Labels and contents; a fact without content is left out.
 * @param {ReceiptView} receipt @returns {[string, ...(Node | string | false | null)[]][]}
 */
function facts({ said, bytes, nearest, article, seconds, tier, legal, stderr }) {
  const output = bytes
    ? [codeBlock(said), h('small.muted', t('arena.receipt_bytes', { n: bytes }))]
      : [t('arena.receipt_nothing')];
  return [
    [t('arena.receipt_said'), ...output],
    [t('arena.receipt_nearest'), nearest && h('code', { testid: 'nearest' }, nearest)],
    [t('arena.receipt_article'), article],
    [t('arena.receipt_after'), seconds !== null && t('arena.receipt_seconds', { s: number(seconds) })],
    [t('arena.receipt_tier'), tier],
    [t('arena.receipt_legal'), legal.length > 0
      && h('span.contest-moves', legal.map((move) => h('code', move)))],
    [t('arena.receipt_stderr'), stderr && codeBlock(stderr)],
  ];
}
