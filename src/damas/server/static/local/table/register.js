/**
 * The register of irregularities and the latest events at a table, as `damas.arbiter.conduct` and its views
 * have them.
 */

import { other } from './clock.js';
import { articleOn, illegalMoveOf } from './hand.js';

/** @import { Sentences } from '../sentences.js' */
/** @import { LocalEvent, Side } from '../records.js' */
/** @import { Cited } from './refused.js' */
/** @import { Table } from './table.js' */
/** @import { Moment, TableEvent } from './types.js' */

/**
 * @typedef {{moment: Moment, by: Side, conduct: string, article: Cited | null,
 *   source: 'refused' | 'made' | 'reported'}} Irregularity
 */

const MAX_SHOWN = 30;
/**
 * The conduct behind a recorded refusal; any other refused move is an illegal one.
 * @type {Record<string, string>}
 */
const BY_CODE = {
  TOUCHED: 'touching', NO_BLOWING: 'blowing', CROWNING_DUE: 'crowning', LIFT_ORDER: 'lifting',
    WRONG_CLAIM: 'claim',
};
const SIDES = /** @type {const} */ (['white', 'black']);

/** @param {Table} table @returns {Irregularity[]} */
function register(table) {
  return table.notable.flatMap((moment) => entryOf(moment, table));
}

/** @param {Moment} moment @param {Table} table @returns {Irregularity[]} */
function entryOf(moment, table) {
  const event = table.events[moment.n];
  if (event.kind === 'refused') {
    if (event.code === 'FLAG') return []; // a move that came too late breaks no rule
    const conduct = BY_CODE[event.code] ?? (event.attempt.kind === 'claimed' ? 'claim' : 'illegal');
    return [{ moment, by: event.attempt.by, conduct, article: event.article, source: 'refused' }];
  }
  if (event.kind === 'reported') {
    const { conduct } = event;
    return [{ moment, by: other(event.by), conduct, article: articleOn(conduct, table), source: 'reported' }];
  }
  if (event.kind === 'unfinished' && table.rules.registers) {
    return [{ moment, by: event.by, conduct: 'unfinished', article: moment.article, source: 'made' }];
  }
  return [];
}

/**
 * An article as the rulebook cites it; for a setting of the regulation, the regulation's name.
 * @param {Cited | null} cited @param {Table} table @param {Sentences} sentences
 */
export function articleWords(cited, table, sentences) {
  if (!cited) return '';
  return cited.startsWith('regulation.') ? sentences.citation(cited, table.terms.preset)
    : sentences.cited(cited).article;
}

/**
 * @param {Irregularity} entry @param {Table} table @param {Sentences} sentences @param {boolean} namesSide
 */
function entrySentence({ moment, by, conduct, article, source }, table, sentences, namesSide) {
  const cited = articleWords(article, table, sentences);
  const detail = detailOf(table.events[moment.n], table, sentences) + countedWords(moment.n, table,
    sentences);
  return sentences.sentence(`register.${namesSide ? '' : 'own.'}${source}`, {
    by, conduct: sentences.word('conduct', conduct), article: cited && ` (${cited})`, detail: detail
      && `: ${detail}`,
  });
}

/**
 * Which illegal move of its player an event is, and which one loses.
 * @param {number} n @param {Table} table @param {Sentences} sentences
 */
function countedWords(n, table, sentences) {
  const { people_lose_at: limit } = table.rules, { bots, terms } = table.terms;
  const by = illegalMoveOf(table.events[n]);
  if (!by || !limit || terms.first_invalid_loses || bots[by]) return '';
  const count = table.events.slice(0, n + 1).filter((event) => illegalMoveOf(event) === by).length;
  return sentences.sentence('register.counted', { count, limit });
}

/**
 * What a limit is called; a rule that the game does not have stands for itself.
 * @param {string} rule @param {Table} table @param {Sentences} sentences
 */
function ruleName(rule, { game }, sentences) {
  return game.claim(rule).known ? sentences.book.limits[rule].name : rule;
}

/**
 * The move, square or limit of an entry.
 * @param {TableEvent} event @param {Table} table @param {Sentences} sentences
 */
function detailOf(event, table, sentences) {
  const tried = event.kind === 'refused' ? event.attempt : /** @type {LocalEvent} */ (event);
  switch (tried.kind) {
    case 'moved':
    case 'unfinished': return [...tried.move].slice(0, 80).join('');
    case 'blew':
    case 'lifted': return sentences.squares[tried.square] ?? tried.square;
    case 'claimed': return ruleName(tried.rule, table, sentences);
    default: return '';
  }
}

/** @param {Table} table @param {Sentences} sentences */
export function registerViews(table, sentences) {
  const entries = register(table);
  const line = (/** @type {Irregularity} */ entry) => {
    const { side, move } = entry.moment, isOwn = entry.by === side;
    const at = sentences.move(side, move);
    const text = entrySentence(entry, table, sentences, !isOwn);
    return `${at[0].toUpperCase()}${at.slice(1)}${isOwn ? ':' : ' –'} ${text}`;
  };
  const totals = SIDES.flatMap((by) => {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const entry of entries.filter((each) => each.by === by)) {
      const article = articleWords(entry.article, table, sentences);
      counts.set(article, (counts.get(article) ?? 0) + 1);
    }
    return [...counts].map(([article, count]) => ({ by, article, count }));
  });
  return {
    register: {
      entries: entries.slice(-MAX_SHOWN).map((entry) => ({
        n: entry.moment.n, by: entry.by, conduct: entry.conduct, source: entry.source,
        article: articleWords(entry.article, table, sentences), message: line(entry),
      })),
      totals,
    },
    news: newsViews(entries, table, sentences),
  };
}

/** @param {Irregularity[]} entries @param {Table} table @param {Sentences} sentences */
function newsViews(entries, table, sentences) {
  return table.notable.slice(-MAX_SHOWN).map(({ n }) => {
    const event = table.events[n], entry = entries.find(({ moment }) => moment.n === n);
    const by = event.kind === 'refused' ? event.attempt.by : event.by;
    const message = entry ? entrySentence(entry, table, sentences, true)
      : eventSentence(event, table, sentences);
    return { n, kind: event.kind, by, message };
  });
}

/** @param {TableEvent} event @param {Table} table @param {Sentences} sentences @returns {string} */
function eventSentence(event, table, sentences) {
  if (event.kind === 'refused') {
    const article = articleWords(event.article, table, sentences);
    return sentences.sentence('event.refused', {
      attempt: eventSentence(event.attempt, table, sentences), fault: sentences.word('fault', event.code),
      article: article && ` (${article})`,
    });
  }
  const happened = /** @type {LocalEvent} */ (event);
  const named = 'rule' in happened ? { ...happened, rule: ruleName(happened.rule, table, sentences) }
    : happened;
  return sentences.event(named, table.terms.preset);
}
