/** The forms of the desk that enter players and teams: one by one, or a whole list. */

import { readResponse, request, tryAction, WRITE_HEADERS } from '../../lib/api.js';
import { $, h } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { isLeague } from '../tournament/seats.js';
import { doAtDesk } from './asking.js';

/** @import { TournamentReply } from '../tournament/messages.js' */

const FIELDS = /** @type {const} */ ([['name', 80], ['club', 60], ['rating', 4], ['birth', 10]]);

/** The forms that enter players, for those who may. @param {TournamentReply} reply */
export function playerForms({ you, tournament }) {
  return you.may.includes('draft')
    && h('div.desk-forms', enterForm(tournament), importForm(tournament), ratingsForm(tournament.id));
}

/** @param {TournamentReply['tournament']} tournament */
function enterForm(tournament) {
  const { id } = tournament, league = isLeague(tournament);
  const form = h('form.card.stack', { testid: 'enter-player-form' },
    h('div.club-fields', FIELDS.map(([field, most]) => h('div.field',
      h('label', { htmlFor: `p-${field}` }, league && field === 'club' ? t('club.team')
        : t(`club.field.${field}`)),
      h('input', { type: 'text', id: `p-${field}`, name: field, maxLength: most,
        required: field === 'name' || (league && field === 'club'),
        testid: `p-${field}`, autocomplete: 'off',
        ...(field === 'rating' && { inputMode: 'numeric', pattern: '[0-9]*' }) }))),
    h('div.field', h('label', { htmlFor: 'p-sex' }, t('club.field.sex')), h('select', { id: 'p-sex',
      name: 'sex' },
      ['', 'f', 'm'].map((sex) => h('option', { value: sex }, sex ? t(`club.sex.${sex}`) : '–'))))),
    h('div.toolbar', h('button.button', { type: 'submit', testid: 'p-enter' }, t('club.enter_player'))));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const text = (/** @type {string} */ name) => String(data.get(name) ?? '').trim();
    const player = { name: text('name'), club: text('club'), birth: text('birth'), sex: text('sex'),
      rating: Number(text('rating')) };
    if (await doAtDesk(id, 'enter', { player })) {
      form.reset();
      if (league) $('#p-club', HTMLInputElement).value = player.club; // the next one is often of it too
      $('#p-name', HTMLInputElement).focus();
    }
  });
  return form;
}

/** @param {TournamentReply['tournament']} tournament */
function importForm(tournament) {
  const { id } = tournament, league = isLeague(tournament);
  const area = h('textarea', { id: 'import', rows: 5, required: true, maxLength: 60_000, testid: 'import',
    spellcheck: false });
  const team = h('input', { type: 'text', id: 'import-team', testid: 'import-team', maxLength: 80,
    autocomplete: 'off' });
  const file = h('input', { type: 'file', id: 'import-file', testid: 'import-file',
    accept: '.csv,.txt,text/*', onchange: async () => {
      const chosen = file.files?.[0];
      if (chosen) area.value = decoded(await chosen.arrayBuffer());
    } });
  const form = h('form.card.stack', h('div.field',
    h('label', { htmlFor: 'import' }, t(league ? 'club.import.teams' : 'club.import.title')), area,
    h('p.small.muted', t(league ? 'club.import.teams_line' : 'club.import.line'))),
  h('div.club-fields',
    league && h('div.field', h('label', { htmlFor: 'import-team' }, t('club.import.team')), team),
    h('div.field', h('label', { htmlFor: 'import-file' }, t('club.import.file')), file)),
  h('div.toolbar', h('button.button-quiet', { type: 'submit', testid: 'import-do' }, t('club.import.do'))));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const body = { text: area.value, ...(league && { team: team.value.trim() }) };
    if (await doAtDesk(id, 'import', body)) form.reset();
  });
  return form;
}

/** The list of a federation, which is sent as it is. @param {string} id */
function ratingsForm(id) {
  const file = h('input', { type: 'file', id: 'ratings', testid: 'ratings', required: true,
    accept: '.csv,.txt,text/*', 'aria-describedby': 'ratings-line' });
  const done = h('p.small', { role: 'status', testid: 'ratings-done' });
  const label = h('label', { htmlFor: 'ratings' }, t('club.ratings.title'));
  const form = h('form.card.stack', h('div.field', label, file,
    h('p.small.muted', { id: 'ratings-line' }, t('club.ratings.line'))), done,
  h('div.toolbar', h('button.button-quiet', { type: 'submit', testid: 'ratings-do' }, t('club.ratings.do'))));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const chosen = file.files?.[0];
    if (!chosen) return;
    await tryAction(async () => {
      const headers = { ...WRITE_HEADERS, Accept: 'application/json',
        'Content-Type': 'application/octet-stream' };
      const response = await request(`/api/club/${id}/ratings`, { method: 'POST', headers,
        body: await chosen.arrayBuffer() });
      const { changed, missing } = await readResponse(response);
      done.textContent = [t('club.ratings.done', { n: changed }), missing.length
        && t('club.ratings.missing', { names: missing.join(', ') })].filter(Boolean).join(' ');
      form.reset();
    }, ({ message }) => { done.textContent = message; });
  });
  return form;
}

/** The text of a list: UTF-8, or what spreadsheets under Windows write. @param {ArrayBuffer} data */
function decoded(data) {
  const [one, two] = new Uint8Array(data);
  if ((one === 0xff && two === 0xfe) || (one === 0xfe && two === 0xff)) {
    return new TextDecoder(one === 0xff ? 'utf-16le' : 'utf-16be').decode(data);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data);
  } catch {
    return new TextDecoder('windows-1252').decode(data);
  }
}
