/** The links of a tournament: who may do what, each with its PIN and QR code. */

import { api, messageOf, tryAction } from '../../lib/api.js';
import { openDialog } from '../../lib/dialog.js';
import { $, errorNotice, fill, h, icon, iconButton, toast } from '../../lib/dom.js';
import { linkRow, publicUrl } from '../../lib/share.js';
import { t } from '../../lib/words.js';

/** @import { LinkView, TournamentReply } from '../tournament/messages.js' */

const QR_SIZE_PX = 224;
const ROLES = ['arbiter', 'desk', 'chief', 'spectator'];

/** @param {LinkView} link */
const nameOf = ({ name, role }) => name || t(`club.role.${role}`);

/** @param {string} id @returns {Promise<LinkView[]>} */
const fetchLinks = async (id) => (await api.get(`/api/club/${id}/links`)).links;

/** @param {TournamentReply} reply @param {HTMLElement} panel filled when the links have come */
export async function fillLinks({ you, tournament }, panel) {
  const { id } = tournament;
  const refresh = () => fillLinks({ you, tournament }, panel);
  try {
    const links = await fetchLinks(id);
    const form = you.may.includes('staff_links')
      && (panel.querySelector('form') ?? newLinkForm(id, refresh)); // what is being typed stays
    fill(panel,
      h('section.card', h('div.row.row-between', h('h2', t('club.links.title')),
        h('a.button-quiet', { href: `/club/${id}/papers/cards.pdf`, testid: 'cards' }, icon('print'),
          h('span', t('club.paper.cards')))),
      h('p.muted', t('club.links.line')),
        h('ul.desk-links', { testid: 'links' }, links.map((link) => h('li.desk-link',
          h('span.desk-names', nameOf(link), link.name && h('span.small.muted', t(`club.role.${link.role}`))),
          h('code', link.pin),
          iconButton(`show-${link.id}`, 'link', t('club.links.show'), () => showLink(link)),
          iconButton(`revoke-${link.id}`, 'trash', t('club.links.revoke'), () => revoke(id, link,
            refresh)))))),
      form,
      you.may.includes('overrule') && h('div.toolbar',
        h('a.button-quiet', { href: `/club/${id}/files/tournament.damas`, testid: 'file-damas' },
          t('club.file.damas')),
        h('a.button-quiet', { href: `/club/${id}/files/tournament.trf`, testid: 'file-trf' },
          t('club.file.trf')),
        h('a.button-quiet', { href: `/club/${id}/files/ratings.csv`, testid: 'file-ratings' },
          t('club.file.ratings'))));
  } catch (error) {
    fill(panel, errorNotice(messageOf(error)));
  }
}

/** @param {string} id @param {string} name of a player, or of a captain's team @param {string} [role] */
export async function showLinkOf(id, name, role = 'player') {
  await tryAction(async () => {
    const link = (await fetchLinks(id)).find((each) => each.role === role && each.name === name);
    if (link) showLink(link);
  }, ({ message }) => toast(message));
}

/** @param {LinkView} link */
function showLink(link) {
  const name = nameOf(link);
  openDialog('link', name,
    h('img.share-qr', { src: `/qr.svg?path=${encodeURIComponent(link.path)}`, alt: t('club.links.qr',
      { name }),
      width: QR_SIZE_PX, height: QR_SIZE_PX, testid: 'link-qr' }),
    h('p.desk-pin', t('club.enter.pin'), ' ', h('code', { testid: 'pin' }, link.pin)),
    linkRow('share', publicUrl(link.path), name, t('club.links.copy'), t('club.links.copied')));
}

/** @param {string} id @param {LinkView} link @param {() => void} refresh */
function revoke(id, link, refresh) {
  const dialog = openDialog('revoke', t('club.links.revoke'),
    h('p', t('club.links.revoke_sure', { name: nameOf(link) })),
    h('div.toolbar', h('button.button-bad', { testid: 'revoke-do', onclick: async () => {
      dialog.close();
      await tryAction(() => api.delete(`/api/club/${id}/links/${link.id}`), ({ message }) => toast(message,
        6000));
      refresh();
    } }, t('club.links.revoke')), h('button.button-quiet', { onclick: () => dialog.close() },
      t('club.back'))));
}

/** @param {string} id @param {() => void} refresh */
function newLinkForm(id, refresh) {
  const form = h('form.card.stack', h('h2', t('club.links.new')), h('div.club-fields',
    h('div.field', h('label', { htmlFor: 'l-role' }, t('club.links.role')), h('select', { id: 'l-role',
      testid: 'l-role' },
      ROLES.map((role) => h('option', { value: role }, t(`club.role.${role}`))))),
    h('div.field', h('label', { htmlFor: 'l-name' }, t('club.links.note')),
      h('input', { type: 'text', id: 'l-name', maxLength: 60, testid: 'l-name', autocomplete: 'off' }))),
  h('div.toolbar', h('button.button-quiet', { type: 'submit', testid: 'l-make' }, t('club.links.make'))));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const body = { role: $('#l-role', HTMLSelectElement).value, name: $('#l-name',
      HTMLInputElement).value.trim() };
    await tryAction(async () => {
      showLink(await api.post(`/api/club/${id}/links`, body));
      refresh();
    }, ({ message }) => toast(message, 6000));
  });
  return form;
}
