/** Dialogs to import and export games (PDN) and positions (FEN). */

import { api, messageOf, readResponse, request, WRITE_HEADERS } from '../../lib/api.js';
import { errorNotice, h, icon } from '../../lib/dom.js';
import { showDialog } from '../../lib/settings.js';
import { copy, saveText } from '../../lib/share.js';
import { t } from '../../lib/words.js';

/** @import { BadPdnGame, PdnGame } from '../../lib/messages.js' */

/** Longer texts are sent as they are instead of inside JSON. */
const MAX_JSON_CHARACTERS = 60_000;

/** Whether a text is a position and not a game. @param {string} text */
export function isFen(text) {
  return /^\s*[wb]\s*:[^[\n]*$/i.test(text);
}

/** @param {string} title @param {...Node} content @returns {HTMLDialogElement} */
function openDialog(title, ...content) {
  const dialog = h('dialog', { 'aria-label': title });
  const close = h('button.button-quiet.button-icon', {
    type: 'button', 'aria-label': t('analysis.close'), onclick: () => dialog.close(),
  }, icon('close'));
  dialog.append(h('div.dialog-title', null, h('h2', null, title), close), ...content);
  showDialog(dialog);
  return dialog;
}

/** @param {HTMLElement} field @param {() => void} onclick */
function withCopyButton(field, onclick) {
  return h('div.share-link', null, field,
    h('button.button-quiet', { type: 'button', onclick }, icon('copy'), t('share.copy')));
}

/**
 * Asks for a PDN or FEN, pasted or as a file; a given text is read at once.
 * @param {{rulebook: string, text?: string, openGame: (game: PdnGame) => void, openFen: (fen: string) =>
 *   Promise<void>}} options
 */
export function openImport({ rulebook, text = '', openGame, openFen }) {
  const field = h('textarea', {
    rows: 8, spellcheck: false, dataset: { testid: 'import-text' }, 'aria-label': t('analysis.import_label'),
    placeholder: t('analysis.import_placeholder'), value: text,
  });
  const file = h('input', {
    type: 'file', accept: '.pdn,.txt,.fen,text/plain', dataset: { testid: 'import-file' },
    'aria-label': t('analysis.import_file'),
  });
  const results = h('div.stack', { dataset: { testid: 'import-found' }, 'aria-live': 'polite' });
  const readButton = h('button.button', { type: 'button', dataset: { testid: 'import-read' }, onclick: read },
    icon('upload'), t('analysis.import_read'));
  const dialog = openDialog(t('analysis.import'), h('p.small.muted', null, t('analysis.import_help')), field,
    file,
    h('div.toolbar', null, readButton), results);
  if (text) void read();

  async function read() {
    const source = await file.files?.[0]?.text() ?? field.value;
    try {
      if (!isFen(source)) return show(await readPdn(source, rulebook));
      await openFen(source.trim());
      dialog.close();
    } catch (error) {
      results.replaceChildren(errorNotice(messageOf(error)));
    }
  }

  /** @param {PdnGame} game */
  function choose(game) {
    openGame(game);
    dialog.close();
  }

  /** @param {{games: PdnGame[], bad: BadPdnGame[]}} pdn */
  function show({ games, bad }) {
    if (games.length === 1 && !bad.length) return choose(games[0]);
    const gameButtons = games.map((game) => h('li', null, h('button.button-quiet.button-wide', {
      type: 'button', dataset: { testid: 'import-game' }, onclick: () => choose(game),
    }, describeGame(game))));
    const problems = bad.map((game) => h('div.notice.notice-bad', { role: 'alert' },
      h('p', null, t('analysis.import_bad', { game: game.game, line: game.line, message: game.message })),
      game.hint && h('p', null, game.hint),
      game.moves.length > 0 && game.rulebook
        && h('button.button-quiet', { type: 'button', onclick: () => choose(game) },
        t('analysis.import_until', { moves: game.moves.length }))));
    const nothing = games.length || bad.length ? [] : [h('p.notice', null, t('analysis.import_nothing'))];
    results.replaceChildren(...nothing, h('ul.import-games', null, ...gameButtons), ...problems);
  }
}

/**
 * @param {string} source @param {string} rulebook @returns {Promise<{games: PdnGame[], bad: BadPdnGame[]}>}
 */
async function readPdn(source, rulebook) {
  if (source.length <= MAX_JSON_CHARACTERS) return api.post('/api/pdn/read', { pdn: source, rulebook });
  return readResponse(await request(`/api/pdn/read?rulebook=${encodeURIComponent(rulebook)}`, {
    method: 'POST', body: source, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...WRITE_HEADERS },
  }));
}

/** @param {PdnGame} game */
function describeGame({ tags, result }) {
  const players = `${tags.White ?? '?'} – ${tags.Black ?? '?'}`;
  return [players, tags.Event, tags.Date, result].filter(Boolean).join(' · ');
}

/** @param {string} fen @param {Promise<{pdn: string}>} response of the server's PDN writer */
export async function openExport(fen, response) {
  const pdnField = h('textarea', {
    rows: 12, readOnly: true, spellcheck: false, dataset: { testid: 'export-pdn' }, 'aria-label': 'PDN',
  });
  const fenField = h('input', {
    type: 'text', readOnly: true, value: fen, dataset: { testid: 'export-fen' }, 'aria-label': 'FEN',
  });
  openDialog(t('analysis.export'),
    h('div.field', null, h('span.label', null, 'FEN'), withCopyButton(fenField, () => copy(fen, fenField))),
    h('div.field', null, h('span.label', null, 'PDN'), pdnField),
    h('div.toolbar', null,
      h('button.button-quiet', { type: 'button', onclick: () => copy(pdnField.value, pdnField) },
        icon('copy'), t('share.copy')),
      h('button.button', {
        type: 'button', dataset: { testid: 'export-save' },
        onclick: () => saveText(pdnField.value, 'damas.pdn', 'text/x-pdn'),
      }, icon('download'), t('analysis.export_save'))));
  pdnField.value = await response.then(({ pdn }) => pdn, messageOf);
}
