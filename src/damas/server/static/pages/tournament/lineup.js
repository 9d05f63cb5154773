/** The form in which a team is lined up: by its captain, or at the desk. */

import { api } from '../../lib/api.js';
import { h } from '../../lib/dom.js';
import { t } from '../../lib/words.js';

/** @import { LineupView } from './messages.js' */

/** @param {string} id of the tournament @param {number} number of the team @returns {Promise<LineupView>} */
export const fetchLineup = (id, number) => api.get(`/api/club/${id}/teams/${number}/lineup`);

/**
 * @param {LineupView} lineup with a match @param {(names: string[]) => unknown} onSend
 * @returns {HTMLElement}
 */
export function lineupForm({ round, match, opponent, boards, named, open, published, min_boards: least },
  onSend) {
  const menus = boards.map(({ board, name, fitting }) => h('select', { id: `lineup-${board}`,
    testid: `lineup-${board}`, disabled: !open },
    h('option', { value: '' }, t('club.vacant')),
    fitting.map((each) => h('option', { value: each, selected: each === name }, each))));
  const note = open ? t(named ? 'club.lineup.named' : 'club.lineup.usual')
    : t(published ? 'club.lineup.closed' : 'club.lineup.begun');
  const form = h('form.stack', { testid: 'lineup' },
    h('p.club-seat', t('club.lineup.match', { round, match, name: opponent })),
    h('p', { class: named ? 'notice' : 'muted', testid: 'lineup-note' }, note),
    h('div.club-fields', boards.map(({ board, kind }, place) => h('div.field',
      h('label', { htmlFor: `lineup-${board}` }, t('club.lineup.board', { n: board, kind })), menus[place]))),
    least > 1 && h('p.small.muted', t('club.lineup.min', { n: least })),
    open && h('div.toolbar', h('button.button', { type: 'submit', testid: 'lineup-send' },
      t('club.lineup.send'))));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    onSend(menus.map(({ value }) => value));
  });
  return form;
}
