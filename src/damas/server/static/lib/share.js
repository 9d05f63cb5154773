/**
 * Sharing: a link, its QR code, and files to take away. One dialog for every page.
 *
 * `openShare({title, path, files: [{kind: 'PDN', href, name}]})`; a file may bring `make` instead of `href`, which gives its text.
 */

import { $, h, icon, toast } from './dom.js';
import { t } from './words.js';

/**
 * @typedef {{kind: string, href?: string, name: string, type?: string, make?: () => Promise<string>}} ShareFile
 */

const STYLE = '/static/css/share.css';
if (!document.querySelector(`link[href^="${STYLE}"]`)) document.head.append(h('link', { rel: 'stylesheet', href: STYLE }));

/** @param {{title: string, path: string, note?: string, files: ShareFile[]}} what */
export function openShare({ title, path, note, files }) {
  document.querySelector('dialog.share')?.remove();
  const address = new URL(path, location.origin).href;
  const link = h('input', { type: 'text', readOnly: true, value: address, 'aria-label': t('share.link'), dataset: { testid: 'share-link' }, onfocus: (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select() });
  const dialog = h('dialog.share', { 'aria-labelledby': 'share-title', dataset: { testid: 'share-dialog' } },
    h('div.dialog-title', null, h('h2', { id: 'share-title' }, t('share.title')),
      h('button.button-quiet.button-icon', { type: 'button', 'aria-label': t('share.close'), dataset: { testid: 'share-close' }, onclick: () => dialog.close() }, icon('close'))),
    h('p.share-name', null, title),
    h('img.share-qr', { src: `/qr.svg?path=${encodeURIComponent(path)}`, alt: t('share.qr', { address }), width: 224, height: 224, dataset: { testid: 'share-qr' } }),
    h('p.small.muted.share-note', null, note ?? t('share.scan')),
    h('div.share-link', null, link, h('button.button-quiet', { type: 'button', dataset: { testid: 'share-copy' }, onclick: () => copy(address, link) }, icon('copy'), t('share.copy'))),
    'share' in navigator && h('button.button.button-wide', { type: 'button', dataset: { testid: 'share-system' }, onclick: () => navigator.share({ title, url: address }).catch(() => {}) }, icon('share'), t('share.send')),
    files.length > 0 && h('h3.share-files-title', null, t('share.files')),
    h('div.toolbar', null, ...files.map(fileButton)),
  );
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (/** @type {Event} */ event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** @param {ShareFile} file */
function fileButton(file) {
  const testid = `share-${file.kind.toLowerCase()}`;
  if (file.href) return h('a.button-quiet', { href: file.href, download: file.name, dataset: { testid } }, icon('download'), file.kind);
  return h('button.button-quiet', { type: 'button', dataset: { testid }, onclick: () => made(file) }, icon('download'), file.kind);
}

/** @param {ShareFile} file */
async function made(file) {
  try {
    save(await /** @type {() => Promise<string>} */ (file.make)(), file.name, file.type ?? 'text/plain');
  } catch (trouble) {
    toast(/** @type {Error} */ (trouble).message);
  }
}

/** Gives a text to the visitor as a file. @param {string} text @param {string} name @param {string} type */
export function save(text, name, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** @param {string} text @param {HTMLInputElement | HTMLTextAreaElement} [field] selected where the browser lets nobody copy */
export async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('share.copied'));
  } catch {
    field?.select();
    toast(t('share.copy_by_hand'));
  }
}

/** The files of a game of the server. @param {string} game @returns {ShareFile[]} */
export function gameFiles(game) {
  return ['pdn', 'svg', 'png', 'gif', 'json'].map((kind) => ({ kind: kind.toUpperCase(), href: `/game/export/${game}.${kind}`, name: `damas-${game}.${kind}` }));
}

/** Makes the share button of a page work. @param {() => {title: string, path: string, note?: string, files: ShareFile[]}} what */
export function shareButton(what) {
  $('[data-testid="share"]').addEventListener('click', () => openShare(what()));
}
