/** PDN and FEN, in and out. */

import { api, request, readResponse as readAnswer } from '../../lib/api.js';
import { h, icon } from '../../lib/dom.js';
import { copy, saveText } from '../../lib/share.js';
import { t } from '../../lib/words.js';

const MOST_TEXT = 60_000;

/** Whether a text is a position and not a game. @param {string} text */
export function isFen(text) {
  return /^\s*[wb]\s*:[^[\n]*$/i.test(text) && text.includes(':');
}

/** @param {string} title @param {...(Node|string|false|null|undefined)} content @returns {HTMLDialogElement} */
function dialog(title, ...content) {
  const box = h('dialog', { 'aria-label': title },
    h('div.dialog-title', null, h('h2', null, title), h('button.button-quiet.button-icon', { type: 'button', 'aria-label': t('analysis.close'), onclick: () => box.close() }, icon('close'))),
    ...content);
  box.addEventListener('close', () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/**
 * Asks for a PDN or a FEN, pasted or as a file.
 * @param {{rulebook: string, onGame: (game: any) => void, onFen: (fen: string) => Promise<void>}} parts
 */
export function openImport({ rulebook, onGame, onFen }) {
  const text = h('textarea', { rows: 8, spellcheck: false, dataset: { testid: 'import-text' }, 'aria-label': t('analysis.import_label'), placeholder: t('analysis.import_placeholder') });
  const file = h('input', { type: 'file', accept: '.pdn,.txt,.fen,text/plain', dataset: { testid: 'import-file' }, 'aria-label': t('analysis.import_file') });
  const found = h('div.stack', { dataset: { testid: 'import-found' }, 'aria-live': 'polite' });
  const box = dialog(t('analysis.import'),
    h('p.small.muted', null, t('analysis.import_help')), text, file,
    h('div.toolbar', null, h('button.button', { type: 'button', dataset: { testid: 'import-read' }, onclick: readResponse }, icon('upload'), t('analysis.import_read'))), found);

  async function readResponse() {
    const chosen = file.files?.[0];
    const source = chosen ? await chosen.text() : text.value;
    try {
      if (isFen(source)) {
        await onFen(source.trim());
        box.close();
        return;
      }
      show(await readPdn(source, rulebook));
    } catch (trouble) {
      found.replaceChildren(h('p.notice.notice-bad', { role: 'alert' }, /** @type {Error} */ (trouble).message));
    }
  }

  /** @param {{games: any[], bad: any[], more: boolean}} told */
  function show(told) {
    if (told.games.length === 1 && !told.bad.length) {
      onGame(told.games[0]);
      box.close();
      return;
    }
    const take = (/** @type {any} */ game) => () => { onGame(game); box.close(); };
    found.replaceChildren(
      !told.games.length && !told.bad.length ? h('p.notice', null, t('analysis.import_nothing')) : '',
      h('ul.import-games', null, ...told.games.map((game) => h('li', null, h('button.button-quiet.button-wide', { type: 'button', dataset: { testid: 'import-game' }, onclick: take(game) }, nameOf(game))))),
      ...told.bad.map((bad) => h('div.notice.notice-bad', { role: 'alert' }, h('p', null, t('analysis.import_bad', { game: bad.game, line: bad.line, message: bad.message })), bad.hint && h('p', null, bad.hint),
        bad.moves.length > 0 && bad.rulebook && h('button.button-quiet', { type: 'button', onclick: take(bad) }, t('analysis.import_until', { moves: bad.moves.length })))));
  }
}

/** @param {string} source @param {string} rulebook @returns {Promise<any>} */
export async function readPdn(source, rulebook) {
  if (source.length <= MOST_TEXT) return api.post('/api/pdn/read', { pdn: source, rulebook });
  return readAnswer(await request(`/api/pdn/read?rulebook=${encodeURIComponent(rulebook)}`, {
    method: 'POST', body: source, headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Damas': '1' },
  }));
}

/** @param {any} game */
function nameOf(game) {
  const players = [game.tags.White ?? '?', game.tags.Black ?? '?'].join(' – ');
  return [players, game.tags.Event, game.tags.Date, game.result].filter(Boolean).join(' · ');
}

/** @param {{fen: string, pdn: Promise<{pdn: string}>}} what */
export async function openExport({ fen, pdn }) {
  const text = h('textarea', { rows: 12, readOnly: true, spellcheck: false, dataset: { testid: 'export-pdn' }, 'aria-label': 'PDN' });
  const position = h('input', { type: 'text', readOnly: true, value: fen, dataset: { testid: 'export-fen' }, 'aria-label': 'FEN' });
  dialog(t('analysis.export'),
    h('div.field', null, h('span.label', null, 'FEN'), h('div.share-link', null, position, h('button.button-quiet', { type: 'button', onclick: () => copy(fen, position) }, icon('copy'), t('share.copy')))),
    h('div.field', null, h('span.label', null, 'PDN'), text),
    h('div.toolbar', null,
      h('button.button-quiet', { type: 'button', onclick: () => copy(text.value, text) }, icon('copy'), t('share.copy')),
      h('button.button', { type: 'button', dataset: { testid: 'export-save' }, onclick: () => saveText(text.value, 'damas.pdn', 'text/x-pdn') }, icon('download'), t('analysis.export_save'))));
  try {
    text.value = (await pdn).pdn;
  } catch (trouble) {
    text.value = /** @type {Error} */ (trouble).message;
  }
}
