// Plays games at the table of the browser as standard input asks, and answers with what it shows.

import { loadCore } from '../../../src/damas/server/static/core/core.js';
import { LevelPlayer } from '../../../src/damas/server/static/core/levels.js';
import { apply, storedEvents } from '../../../src/damas/server/static/local/table/arbiter.js';
import { computerActs } from '../../../src/damas/server/static/local/table/computer.js';
import { Session } from '../../../src/damas/server/static/local/table/session.js';
import { refusalView, tableView } from '../../../src/damas/server/static/local/table/view.js';

/** @import { Table } from '../../../src/damas/server/static/local/table/table.js' */
/** @import { LocalWordsView } from '../../../src/damas/server/static/local/messages.js' */
/** @import { LocalEvent, LocalGameRecord } from '../../../src/damas/server/static/local/records.js' */

const SEED = 7;
const core = await loadCore();
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
/** @typedef {{record: LocalGameRecord, events: LocalEvent[], asked: boolean[]}} Asked */
/** @type {{words: LocalWordsView, games: Asked[]}} */
const { words, games } = JSON.parse(Buffer.concat(chunks).toString());

/**
 * What the computer does at a table; null where it waits.
 * @param {Session} session @param {Table} table
 */
function acts({ computer, level }, table) {
  if (computer === null || level === null) return null;
  const engine = table.game.book.engine({ hashMb: 1 });
  const event = computerActs(table, computer, new LevelPlayer(engine, level, SEED), table.now);
  engine.free();
  return event;
}

const answers = games.map(({ record, events, asked }) => {
  const session = new Session(core.rulebook(record.rulebook), words, record);
  let { table } = session;
  const steps = events.map((event, n) => {
    const { table: next, refused } = apply(event, table);
    const step = { refusal: refused && refusalView(refused, table, session.sentences) };
    table = next;
    const act = asked[n] ? acts(session, table) : null;
    return { ...step, act, view: tableView(table, session.sentences, table.now) };
  });
  return { steps, stored: storedEvents(table) };
});
process.stdout.write(JSON.stringify(answers));
