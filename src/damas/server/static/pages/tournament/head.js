/** What stands above every page of a tournament: its title, its facts, and who you are. */

import { api } from '../../lib/api.js';
import { byId, fill, h, icon, iconButton } from '../../lib/dom.js';
import { rulebookName } from '../../lib/rulebooks.js';
import { openShare } from '../../lib/share.js';
import { dateWords, t } from '../../lib/words.js';

/** @import { TournamentReply } from './messages.js' */

/** @param {TournamentReply} reply @param {'desk' | 'public'} here */
export function showHead({ you, tournament }, here) {
  const { id, title, system, rulebook, control, place, date, arbiter } = tournament;
  byId('title').textContent = title;
  document.title = `${title} · damas`;
  const facts = [system, rulebookName(rulebook), control,
    [place, dateWords(date)].filter(Boolean).join(', '), arbiter];
  byId('facts').textContent = facts.filter(Boolean).join(' · ');
  const other = here === 'desk' ? '' : '/desk';
  fill(byId('you'),
    you.role !== 'visitor' && h('span.tag', { testid: 'role' }, t('club.you',
      { role: [t(`club.role.${you.role}`), you.name].filter(Boolean).join(', ') })),
    you.may.includes('drafts') && h('a.button-quiet', { href: `/club/${id}${other}`, testid: 'other-page' },
      icon(here === 'desk' ? 'trophy' : 'edit'), h('span',
        t(here === 'desk' ? 'club.public_page' : 'club.desk'))),
    you.may.includes('drafts') && h('a.button-quiet', { href: `/club/${id}/tv`, target: '_blank',
      rel: 'noopener', testid: 'tv-page' }, icon('computer'), h('span', t('tv.title'))),
    iconButton('share', 'share', t('share.title'), () => openShare({ title, path: `/club/${id}`,
      files: [] })),
    you.role !== 'visitor' && iconButton('leave', 'close', t('club.leave'), async () => {
      await api.post(`/api/club/${id}/leave`);
      location.assign(`/club/${id}`);
    }));
}
