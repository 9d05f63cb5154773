/** The players at the desk: entering them, who is in the hall, who rests or leaves. */

import { openDialog } from '../../lib/dialog.js';
import { $, h, iconButton, keptElements, refill } from '../../lib/dom.js';
import { t } from '../../lib/words.js';
import { askWhy, doAtDesk } from './asking.js';
import { showLinkOf } from './links.js';

/** @import { PlayerView, TournamentReply } from '../tournament/messages.js' */

/** They stay in the page while players check in by phone: no click at the desk is lost to them. */
const list = h('ul.desk-players', { testid: 'players' });
const playerRows = keptElements();
/** What the rows are of. @type {TournamentReply} */
let latest;

/** The forms that enter players, for those who may. @param {TournamentReply} reply */
export function playerForms({ you, tournament }) {
  return you.may.includes('draft')
    && h('div.desk-forms', enterForm(tournament.id), importForm(tournament.id));
}

/** @param {HTMLElement} card @param {TournamentReply} reply */
export function fillPlayers(card, reply) {
  const { tournament } = latest = reply;
  const { players } = tournament;
  refill(list, playerRows(players.map((player) => [player, () => playerRow(tournament.id, player)])));
  refill(card, h('div.row.row-between', h('h2', `${t('club.players')} (${players.length})`),
    players.length > 0 && iconButton('all-present', 'check', t('club.all_present'),
      () => doAtDesk(tournament.id, 'check_in',
      { names: players.filter(({ out }) => !out).map(({ name }) => name) }))),
  list);
}

/** @param {string} id of the tournament @param {PlayerView} player */
function playerRow(id, player) {
  const { number, name, club, rating, present, out } = player;
  return h('li.desk-player', { testid: `player-${number}` },
    h('span.desk-number', number),
    h('span.desk-names', name, h('span.small.muted', [club, rating || ''].filter(Boolean).join(' · '))),
    out ? h('span.tag', t(`club.out.${out}`)) : h('label.check', h('input', {
      type: 'checkbox', checked: present, testid: `present-${number}`,
      onchange: async ({ target }) => {
        if (!(target instanceof HTMLInputElement)) return;
        const isDone = await doAtDesk(id, 'check_in', { names: [name], present: target.checked });
        if (!isDone) target.checked = present;
      },
    }), t(present ? 'club.present' : 'club.absent')),
    h('button.button-quiet.button-icon', {
      testid: `more-${number}`, 'aria-label': t('club.more', { name }), onclick: () => playerDialog(latest,
        player),
    }, '…'));
}

/** @param {TournamentReply} reply @param {PlayerView} player */
function playerDialog({ you, tournament }, { name, out }) {
  const { id } = tournament;
  const next = tournament.round + 1;
  const others = tournament.players.filter((each) => each.name !== name);
  const isArbiter = you.may.includes('draft');
  /** @param {Promise<boolean>} done */
  const closing = async (done) => { if (await done) dialog.close(); };
  const rival = h('select', { id: 'rival', 'aria-label': t('club.forbid'), testid: 'rival' },
    others.map((each) => h('option', { value: each.name }, each.name)));
  const dialog = openDialog('player', name, h('div.stack',
    iconButton('link', 'link', t('club.link'), () => { dialog.close(); void showLinkOf(id, name); }),
    isArbiter && !out && [
      iconButton('bye', 'pause', t('club.bye', { n: next }),
        () => closing(doAtDesk(id, 'bye', { player: name, round: next }))),
      iconButton('withdraw', 'close', t('club.withdraw'), () => closing(doAtDesk(id, 'withdraw',
        { player: name }))),
      others.length > 0 && h('div.row', rival, iconButton('forbid', 'hand', t('club.forbid'),
        () => closing(doAtDesk(id, 'forbid', { one: name, other: rival.value })))),
    ],
    isArbiter && out !== 'disqualified' && iconButton('disqualify', 'trash', t('club.disqualify'), () => {
      dialog.close();
      askWhy(t('club.disqualify'), (why) => doAtDesk(id, 'disqualify', { player: name, why }));
    })));
}

const FIELDS = /** @type {const} */ ([['name', 80], ['club', 60], ['rating', 4], ['birth', 10]]);

/** @param {string} id */
function enterForm(id) {
  const form = h('form.card.stack', { testid: 'enter-player-form' },
    h('div.club-fields', FIELDS.map(([field, most]) => h('div.field',
      h('label', { htmlFor: `p-${field}` }, t(`club.field.${field}`)),
      h('input', { type: 'text', id: `p-${field}`, name: field, maxLength: most, required: field === 'name',
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
      $('#p-name', HTMLInputElement).focus();
    }
  });
  return form;
}

/** @param {string} id */
function importForm(id) {
  const area = h('textarea', { id: 'import', rows: 5, required: true, maxLength: 60_000, testid: 'import',
    spellcheck: false });
  const form = h('form.card.stack', h('div.field', h('label', { htmlFor: 'import' }, t('club.import.title')),
    area,
    h('p.small.muted', t('club.import.line'))),
  h('div.toolbar', h('button.button-quiet', { type: 'submit', testid: 'import-do' }, t('club.import.do'))));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (await doAtDesk(id, 'import', { text: area.value })) area.value = '';
  });
  return form;
}
