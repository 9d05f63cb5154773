/** The share dialog: a link, its QR code, and files to download. */

import { messageOf } from './api.js';
import { openDialog } from './dialog.js';
import { h, icon, iconButton, toast } from './dom.js';
import { t } from './words.js';

/**
 * @typedef {{kind: string, href?: string, name: string, type?: string, makeText?: () => Promise<string>}}
 *   ShareFile a file at an address, or a text that is made on demand
 * @typedef {{title: string, path: string, files: ShareFile[], embed?: string, more?: HTMLElement[]}} Shared
 *   `embed`: path of the page that other sites may frame; `more`: what else the dialog shows, at its end
 */

const QR_SIZE_PX = 224;

/**
 * A page of this server under the address by which others reach it: `127.0.0.1` would send a phone to itself.
 * @param {string} path
 */
export function publicUrl(path) {
  return new URL(path, document.documentElement.dataset.address || location.origin).href;
}

/** @param {Shared} shared */
export function openShare({ title, path, files, embed, more = [] }) {
  const address = publicUrl(path);
  openDialog('share', t('share.title'),
    h('p.share-name', title),
    h('img.share-qr', {
      src: `/qr.svg?path=${encodeURIComponent(path)}`, alt: t('share.qr', { address }), testid: 'share-qr',
      width: QR_SIZE_PX, height: QR_SIZE_PX,
    }),
    h('p.small.muted.share-note', t('share.scan')),
    linkRow('share', address, t('share.link'), t('share.copy'), t('share.copied')),
    systemShareButton('share-system', title, address, t('share.send'), 'button.button-wide'),
    files.length > 0 && h('h3.share-files-title', t('share.files')),
    h('div.toolbar', files.map(fileButton)),
    embed && [
      h('h3.share-files-title', t('share.embed')),
      linkRow('frame', frameLine(embed), t('share.embed'), t('share.embed_copy'), t('share.copied')),
    ], more);
}

/** The line that shows a page of `/embed/` on another site. @param {string} path */
export function frameLine(path) {
  const address = publicUrl(path).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<iframe src="${address}" width="400" height="600" style="border:0" title="damas"></iframe>`;
}

/**
 * A read-only field with an address, and a button that copies it.
 * @param {'share' | 'waiting' | 'arbiter' | 'frame'} name of its class and test ids @param {string} address
 * @param {string} label
 * @param {string} copyLabel @param {string} copied shown afterwards
 */
export function linkRow(name, address, label, copyLabel, copied) {
  const field = h('input', {
    type: 'text', readOnly: true, value: address, 'aria-label': label, testid: `${name}-link`,
  });
  field.addEventListener('focus', () => field.select());
  return h(`div.${name}-link`, field,
    iconButton(`${name}-copy`, 'copy', copyLabel, () => copy(address, field, copied)));
}

/**
 * A button that hands an address to another application, where the browser can do that.
 * @param {string} testid @param {string} title @param {string} url @param {string} label
 * @param {string} [classes]
 */
export function systemShareButton(testid, title, url, label, classes = 'button') {
  const share = () => navigator.share({ title, url }).catch(() => {});
  return 'share' in navigator && iconButton(testid, 'share', label, share, classes);
}

/** @param {ShareFile} file */
function fileButton(file) {
  const testid = `share-${file.kind.toLowerCase()}`;
  if (!file.href) return iconButton(testid, 'download', file.kind, () => saveFile(file));
  return h('a.button-quiet', { href: file.href, download: file.name, testid }, icon('download'), file.kind);
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
 * @param {string} text @param {HTMLInputElement | HTMLTextAreaElement} field @param {string} [copied]
 */
export async function copy(text, field, copied = t('share.copied')) {
  try {
    await navigator.clipboard.writeText(text);
    toast(copied);
  } catch {
    field.select();
    toast(t('share.copy_by_hand'));
  }
}
