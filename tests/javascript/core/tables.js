// Plays games at the table of the browser as standard input asks, and answers with what it shows.

import { loadCore } from '../../../src/damas/server/static/core/core.js';
import { apply, storedEvents } from '../../../src/damas/server/static/local/table/arbiter.js';
import { Session } from '../../../src/damas/server/static/local/table/session.js';
import { refusalView, tableView } from '../../../src/damas/server/static/local/table/view.js';

/** @import { LocalWordsView } from '../../../src/damas/server/static/local/messages.js' */
/** @import { LocalEvent, LocalGameRecord } from '../../../src/damas/server/static/local/records.js' */

const core = await loadCore();
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
/** @type {{words: LocalWordsView, games: {record: LocalGameRecord, events: LocalEvent[]}[]}} */
const { words, games } = JSON.parse(Buffer.concat(chunks).toString());

const answers = games.map(({ record, events }) => {
  const session = new Session(core.rulebook(record.rulebook), words, record);
  let { table } = session;
  const steps = events.map((event) => {
    const { table: next, refused } = apply(event, table);
    const step = { refusal: refused && refusalView(refused, table, session.sentences) };
    table = next;
    return { ...step, view: tableView(table, session.sentences, table.now) };
  });
  return { steps, stored: storedEvents(table) };
});
process.stdout.write(JSON.stringify(answers));
