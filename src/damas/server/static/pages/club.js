/** The tournaments of people, and the form of a new one. */

import { api, tryAction, readResponse, request, WRITE_HEADERS } from '../lib/api.js';
import { $, byId, showText } from '../lib/dom.js';
import { listRulebooks, rulebookOptions } from '../lib/rulebooks.js';

const form = byId('new-form', HTMLFormElement), fileForm = byId('file-form', HTMLFormElement);
const template = byId('template', HTMLSelectElement);

/** The systems in which teams meet; empty is that of the template. */
const OF_LEAGUES = ['', 'round-robin', 'swiss'];

/** Where the template comes from; the boards of a match are asked for in leagues alone. */
function showTemplate() {
  const { source, boards } = template.selectedOptions[0].dataset;
  byId('source').textContent = source ?? '';
  byId('league-fields').hidden = !boards;
  for (const option of byId('system', HTMLSelectElement).options) {
    option.hidden = option.disabled = Boolean(boards) && !OF_LEAGUES.includes(option.value);
    if (option.disabled && option.selected) byId('system', HTMLSelectElement).value = '';
  }
  byId('league-boards', HTMLInputElement).placeholder = boards ?? '';
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const data = new FormData(form), problem = byId('new-problem');
  showText(problem, '');
  const texts = ['title', 'template', 'rulebook', 'system', 'control', 'place', 'arbiter']
    .map((name) => [name, String(data.get(name) ?? '').trim()]);
  const ofLeague = !byId('league-fields').hidden && { boards: String(data.get('boards') ?? '').trim(),
    squad: Number(data.get('squad')), min_boards: Number(data.get('min_boards')) };
  const body = { ...Object.fromEntries(texts), ...ofLeague, rounds: Number(data.get('rounds')),
    check_in: data.has('check_in'), clubs_apart: data.has('clubs_apart'), public: data.has('public') };
  await tryAction(async () => location.assign((await api.post('/api/club', body)).url),
    ({ message }) => showText(problem, message));
});

fileForm.addEventListener('submit', async (event) => {
  event.preventDefault();
  const problem = byId('file-problem'), file = byId('file', HTMLInputElement).files?.[0];
  showText(problem, '');
  if (!file) return;
  await tryAction(async () => {
    const headers = { ...WRITE_HEADERS, Accept: 'application/json',
      'Content-Type': 'application/octet-stream' };
    const response = await request('/api/club/file', { method: 'POST', headers,
      body: await file.arrayBuffer() });
    location.assign((await readResponse(response)).url);
  }, ({ message }) => showText(problem, message));
});

template.addEventListener('change', showTemplate);
showTemplate();
await listRulebooks();
$('#t-rulebook', HTMLSelectElement).append(...rulebookOptions());
document.body.dataset.ready = 'club';
