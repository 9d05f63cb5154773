/** The log at the desk: every entry with who, when and why; each can be undone. */

import { api, messageOf } from '../../lib/api.js';
import { errorNotice, fill, h, iconButton } from '../../lib/dom.js';
import { lang, t } from '../../lib/words.js';
import { askWhy, doAtDesk } from './asking.js';

/** @import { LogLineView, TournamentReply } from '../tournament/messages.js' */

/** @param {TournamentReply} reply @param {HTMLElement} panel filled when the log has come */
export async function fillLog({ you, tournament }, panel) {
  const { id } = tournament;
  const time = new Intl.DateTimeFormat(lang, { hour: '2-digit', minute: '2-digit', day: '2-digit',
    month: '2-digit' });
  try {
    /** @type {{log: LogLineView[]}} */
    const { log } = await api.get(`/api/club/${id}/log`);
    fill(panel, h('section.card', h('h2', t('club.tab.log')), h('ol.desk-log', { testid: 'log' },
      log.toReversed().map(
      (line) => h(`li.desk-line${line.undone ? '.is-undone' : ''}`,
        h('span.small.muted.numbers', `${line.n} · ${time.format(new Date(line.at))} · ${line.who}`),
        h('span', line.message, line.why && ` (${t('club.because', { why: line.why })})`,
          line.undone && h('span.tag', t('club.undone'))),
        you.may.includes('overrule') && !line.undone && line.kind !== 'created'
          && iconButton(`undo-${line.n}`, 'take-back', t('club.undo'), () => askWhy(t('club.undo_n',
            { n: line.n }),
            (why) => doAtDesk(id, 'undo', { entry: line.n, why }))))))));
  } catch (error) {
    fill(panel, errorNotice(messageOf(error)));
  }
}
