/** The share dialog: a link, its QR code, and files to download. */

import { byId, h, icon, toast } from './dom.js';
import { messageOf } from './api.js';
import { showDialog } from './settings.js';
import { t } from './words.js';

/**
 * @typedef {{kind: string, href?: string, name: string, type?: string, makeText?: () => Promise<string>}}
 *   ShareFile a file at an address, or a text that is made on demand
 * @typedef {{title: string, path: string, note?: string, files: ShareFile[]}} Shared
 */

const QR_SIZE_PX = 224;
const STYLESHEET = '/static/css/share.css';
if (!document.querySelector(`link[href^="${STYLESHEET}"]`)) {
  document.head.append(h('link', { rel: 'stylesheet', href: STYLESHEET }));
}

/** @param {Shared} shared */
export function openShare({ title, path, note, files }) {
  document.querySelector('dialog.share')?.remove();
  const address = new URL(path, location.origin).href;
  const dialog = h('dialog.share', { 'aria-labelledby': 'share-title', dataset: { testid: 'share-dialog' } });
  const link = linkField(address, t('share.link'), 'share-link');
  const qrCode = h('img.share-qr', {
    src: `/qr.svg?path=${encodeURIComponent(path)}`, alt: t('share.qr', { address }), width: QR_SIZE_PX,
    height: QR_SIZE_PX,
    dataset: { testid: 'share-qr' },
  });
  dialog.append(
    h('div.dialog-title', null, h('h2', { id: 'share-title' }, t('share.title')),
      h('button.button-quiet.button-icon', {
      type: 'button', 'aria-label': t('share.close'), dataset: { testid: 'share-close' },
      onclick: () => dialog.close(),
    }, icon('close'))),
    h('p.share-name', null, title),
    qrCode,
    h('p.small.muted.share-note', null, note ?? t('share.scan')),
    h('div.share-link', null, link, h('button.button-quiet', {
      type: 'button', dataset: { testid: 'share-copy' }, onclick: () => copy(address, link),
    }, icon('copy'), t('share.copy'))),
    ...('share' in navigator ? [h('button.button.button-wide', {
      type: 'button', dataset: { testid: 'share-system' },
      onclick: () => navigator.share({ title, url: address }).catch(() => {}),
    }, icon('share'), t('share.send'))] : []),
    ...(files.length ? [h('h3.share-files-title', null, t('share.files'))] : []),
    h('div.toolbar', null, ...files.map(fileButton)));
  showDialog(dialog);
}

/**
 * A read-only field with an address, selected when focused.
 * @param {string} address @param {string} label @param {string} testid
 */
export function linkField(address, label, testid) {
  const field = h('input', { type: 'text', readOnly: true, value: address, 'aria-label': label,
    dataset: { testid } });
  field.addEventListener('focus', () => field.select());
  return field;
}

/** @param {ShareFile} file */
function fileButton(file) {
  const dataset = { testid: `share-${file.kind.toLowerCase()}` };
  if (file.href) {
    return h('a.button-quiet', { href: file.href, download: file.name, dataset }, icon('download'),
      file.kind);
  }
  return h('button.button-quiet', { type: 'button', dataset, onclick: () => saveFile(file) },
    icon('download'), file.kind);
}

/** @param {ShareFile} file */
async function saveFile({ makeText, name, type = 'text/plain' }) {
  try {
    if (makeText) saveText(await makeText(), name, type);
  } catch (error) {
    toast(messageOf(error));
  }
}

/** Downloads a text as a file. @param {string} text @param {string} name @param {string} type */
export function saveText(text, name, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * Copies a text; where the browser forbids it, the field is selected instead.
 * @param {string} text @param {HTMLInputElement | HTMLTextAreaElement} [field]
 */
export async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('share.copied'));
  } catch {
    field?.select();
    toast(t('share.copy_by_hand'));
  }
}

/** The downloads of a game. @param {string} game @returns {ShareFile[]} */
export function gameFiles(game) {
  return ['pdn', 'svg', 'png', 'gif', 'json'].map((kind) =>
    ({ kind: kind.toUpperCase(), href: `/game/export/${game}.${kind}`, name: `damas-${game}.${kind}` }));
}

/** Opens the dialog from the page's share button. @param {() => Shared} shared */
export function shareButton(shared) {
  byId('share').addEventListener('click', () => openShare(shared()));
}
