/** Dialogs to import and export games (PDN) and positions (FEN). */

import { api, ApiError, messageOf, readResponse, request, WRITE_HEADERS } from '../../lib/api.js';
import { openDialog } from '../../lib/dialog.js';
import { errorNotice, h, iconButton } from '../../lib/dom.js';
import { copy, saveText } from '../../lib/share.js';
import { t } from '../../lib/words.js';

/** @import { BadPdnGame, PdnGame } from '../../lib/messages.js' */

/** Longer texts are sent as they are instead of inside JSON. */
const MAX_JSON_CHARACTERS = 60_000;

/** Whether a text is a position and not a game. @param {string} text */
export function isFen(text) {
  return /^\s*[wb]\s*:[^[\n]*$/i.test(text);
}

/** @param {string} name @param {HTMLInputElement | HTMLTextAreaElement} field */
function copyButton(name, field) {
  return iconButton(`copy-${name}`, 'copy', t('share.copy'), () => copy(field.value, field));
}

/**
 * Asks for a PDN or FEN, pasted or as a file; a given text is read at once.
 * @param {{rulebook: string, text?: string, openGame: (game: PdnGame) => void, openFen: (fen: string) =>
 *   Promise<void>}} options
 */
export function openImport({ rulebook, text = '', openGame, openFen }) {
  const field = h('textarea', {
    rows: 8, spellcheck: false, testid: 'import-text', 'aria-label': t('analysis.import_label'),
    placeholder: t('analysis.import_placeholder'), value: text,
  });
  const file = h('input', {
    type: 'file', accept: '.pdn,.txt,.fen,text/plain', testid: 'import-file',
    'aria-label': t('analysis.import_file'),
  });
  const results = h('div.stack', { testid: 'import-results', 'aria-live': 'polite' });
  const readButton = iconButton('import-read', 'upload', t('analysis.import_read'), read, 'button');
  const dialog = openDialog('import', t('analysis.import'),
    h('p.small.muted', t('analysis.import_help')), field, file, h('div.toolbar', readButton), results);
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
    const gameButtons = games.map((game) => h('li', h('button.button-quiet.button-wide',
      { testid: 'import-game', onclick: () => choose(game) }, describeGame(game))));
    const problems = bad.map((game) => h('div.notice.notice-bad', { role: 'alert' },
      h('p', t('analysis.import_bad', { game: game.game, line: game.line, message: game.message })),
      game.hint && h('p', game.hint),
      game.moves.length > 0 && game.rulebook && h('button.button-quiet', { onclick: () => choose(game) },
        t('analysis.import_until', { moves: game.moves.length }))));
    const nothing = games.length || bad.length ? [] : [h('p.notice', t('analysis.import_nothing'))];
    results.replaceChildren(...nothing, h('ul.import-games', ...gameButtons), ...problems);
  }
}

/** @param {string} text @param {string} rulebook @returns {Promise<{games: PdnGame[], bad: BadPdnGame[]}>} */
export async function readPdn(text, rulebook) {
  if (text.length <= MAX_JSON_CHARACTERS) return api.post('/api/pdn/read', { pdn: text, rulebook });
  try {
    return await readResponse(await request(`/api/pdn/read?rulebook=${encodeURIComponent(rulebook)}`, {
      method: 'POST', body: text, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...WRITE_HEADERS },
    }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 0) throw error;
    return api.post('/api/pdn/read', { pdn: text, rulebook }); // without a network the browser reads it
  }
}

/** @param {PdnGame} game */
function describeGame({ tags, result }) {
  const players = `${tags.White ?? '?'} – ${tags.Black ?? '?'}`;
  return [players, tags.Event, tags.Date, result].filter(Boolean).join(' · ');
}

/** @param {string} fen @param {Promise<{pdn: string}>} response of the server's PDN writer */
export async function openExport(fen, response) {
  const pdnField = h('textarea',
    { rows: 12, readOnly: true, spellcheck: false, testid: 'export-pdn', 'aria-label': 'PDN' });
  const fenField = h('input',
    { type: 'text', readOnly: true, value: fen, testid: 'export-fen', 'aria-label': 'FEN' });
  openDialog('export', t('analysis.export'),
    h('div.field', h('span.label', 'FEN'), h('div.share-link', fenField, copyButton('fen', fenField))),
    h('div.field', h('span.label', 'PDN'), pdnField),
    h('div.toolbar', copyButton('pdn', pdnField),
      iconButton('export-save', 'download', t('analysis.export_save'),
        () => saveText(pdnField.value, 'damas.pdn', 'text/x-pdn'), 'button')));
  pdnField.value = await response.then(({ pdn }) => pdn, messageOf);
}
