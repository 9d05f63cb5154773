/** The receipt of a lost game: where the program was asked, its exact bytes, the nearest legal move, the article. */

import { api, ApiError } from '../../lib/api.js';
import { byId, h, icon, toast } from '../../lib/dom.js';
import { number, t } from '../../lib/words.js';

/** @param {string} address */
export async function showReceipt(address) {
  let told;
  try {
    told = await api.get(address);
  } catch (trouble) {
    if (!(trouble instanceof ApiError)) throw trouble;
    toast(trouble.message);
    return;
  }
  const dialog = byId('receipt');
  const picture = `/position.svg?${new URLSearchParams({ rulebook: told.rulebook, fen: told.fen, size: '280', orientation: told.offender })}`;
  const facts = [
    [t('arena.receipt_said'), told.bytes ? [h('pre.arena-code', { tabIndex: 0 }, h('code', null, told.said)), h('small.muted', null, t('arena.receipt_bytes', { n: told.bytes }))] : t('arena.receipt_nothing')],
    [t('arena.receipt_nearest'), told.nearest && h('code', { dataset: { testid: 'nearest' } }, told.nearest)],
    [t('arena.receipt_article'), told.article],
    [t('arena.receipt_after'), told.seconds !== null && t('arena.receipt_seconds', { s: number(told.seconds) })],
    [t('arena.receipt_tier'), told.tier],
    [t('arena.receipt_legal'), told.legal.length > 0 && h('span.contest-moves', null, told.legal.map((/** @type {string} */ move) => h('code', null, move)))],
    [t('arena.receipt_stderr'), told.stderr && h('pre.arena-code', { tabIndex: 0 }, h('code', null, told.stderr))],
  ];
  dialog.replaceChildren(
    h('div.dialog-title', null, h('h2', { id: 'receipt-title' }, t('arena.receipt_of', { name: told.name })),
      h('button.button-quiet.button-icon', { type: 'button', 'aria-label': t('arena.close'), dataset: { testid: 'close-receipt' }, onclick: () => dialog.close() }, icon('close'))),
    h('p', { dataset: { testid: 'verdict' } }, h('span.tag.tag-bad', null, told.verdict_text), ' ', told.message),
    h('img.contest-picture', { src: picture, alt: `${t('arena.receipt_position')}: ${told.fen}`, width: 280, height: 280 }),
    h('dl.contest-receipt-facts', null, facts.filter(([, value]) => value).map(([name, value]) => [h('dt', null, name), h('dd', null, value)]).flat()));
  dialog.showModal();
}
