/** A study: chapters on the analysis board, edited by their owner and read or guessed by everybody else. */

import { messageOf, readResponse, request } from '../lib/api.js';
import { byId, isWriting } from '../lib/dom.js';
import { listRulebooks, rulebookOptions } from '../lib/rulebooks.js';
import { leaveAddress } from './analysis/address.js';
import './analysis/controls.js';
import { board, onNavigation } from './analysis/navigation.js';
import { openExport } from './analysis/pdn-dialogs.js';
import { state } from './analysis/state.js';
import './analysis/tables.js';
import './analysis/typed-moves.js';
import './study/chapters.js';
import './study/head.js';
import { follow, showChapter } from './study/open.js';
import './study/reading.js';
import { flush, noteChange, redo, sendKept, undo } from './study/saving.js';
import { study, studyPath } from './study/state.js';

leaveAddress();
onNavigation({ nodeSelected: noteChange });

byId('export').addEventListener('click', () => openExport(state.view?.fen ?? '', writtenPdn()));

/** The chapter as the server writes it, once it is saved. */
async function writtenPdn() {
  await flush();
  const pdn = await readResponse(await request(`${studyPath()}/pdn?chapter=${study.chapter.id}`, {}));
  return { pdn: String(pdn) };
}

/** @type {Record<string, () => void>} */
const UNDO_KEYS = { z: undo, 'shift+z': redo, y: redo };

document.addEventListener('keydown', (event) => {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || isWriting(event) || !study.view.mine) return;
  const command = UNDO_KEYS[(event.shiftKey ? 'shift+' : '') + key];
  if (!command || document.querySelector('dialog[open]')) return;
  event.preventDefault();
  command();
});
document.addEventListener('visibilitychange', () => { if (!document.hidden) void follow(); });

async function start() {
  await listRulebooks();
  byId('rulebook').replaceChildren(...rulebookOptions());
  board.set({ movable: 'both' });
  await showChapter(study.chapter);
  if (study.view.mine) void sendKept();
}

start().catch((error) => { byId('state').textContent = messageOf(error); })
  .finally(() => { document.body.dataset.ready = 'study'; });
