/** What a game in the browser says: the server's sentences, filled with what the core decides. */

import { fill } from '../lib/fill.js';

/** @import { LocalRulebookView, LocalWordsView } from './messages.js' */
/** @import { Count, Refusal } from '../core/types.js' */

/** As many as the server's sentences name. */
const MAX_LEGAL_SHOWN = 8;

/** The sentences of one rulebook in one language. */
export class Sentences {
  /**
   * @param {LocalWordsView} words @param {string} id
   * @param {Record<string, string>} squares names in moves by those in FEN
   */
  constructor(words, id, squares) {
    this.rulebook = id;
    this.words = words;
    this.squares = squares;
    /** @type {LocalRulebookView} */
    this.book = words.rulebooks[id];
  }

  /** @param {string} key @param {Record<string, string | number>} [facts] @returns {string} */
  sentence(key, facts = {}) {
    const text = this.book.own[key] ?? this.words.sentences[key];
    return text === undefined ? key : fill(text, this.#worded(facts));
  }

  /**
   * Facts as they stand in a sentence.
   * @param {Record<string, string | number>} facts @returns {Record<string, string | number>}
   */
  #worded(facts) {
    return Object.fromEntries(Object.entries(facts).map(([name, fact]) => {
      if (name === 'piece') return [name, this.sentence(`piece.${fact}`)];
      if (name === 'loser') return [name, this.sentence(`color.${fact}`)];
      return [name, this.squares[fact] && typeof fact === 'string' ? this.squares[fact] : fact];
    }));
  }

  /** An article as its text is cited, and as a sentence cites it. @param {string} id */
  cited(id) {
    return this.book.articles[id] ?? this.book.articles[''];
  }

  /** @param {Refusal} refusal */
  refusal({ code, tried, article, facts, legal }) {
    const text = this.sentence(`refusal.${code}`, { tried, ...facts });
    const parts = [`${text} (${this.cited(article).where}).`];
    if (legal.length) {
      const apart = legal.some((move) => move.includes(',')) ? '; ' : ', ';
      const shown = legal.slice(0, MAX_LEGAL_SHOWN).join(apart);
      const more = legal.length > MAX_LEGAL_SHOWN ? ' …' : '';
      parts.push(fill(this.words.sentences['refusal.legal'], { legal: shown + more }));
    }
    return parts.join(' ');
  }

  /** @param {{winner: string | null, reason: string, article: string, rule: string, platform: boolean,
   *   facts: Record<string, string | number>, by?: 'regulation', ending?: number}} outcome */
  outcome({ winner, reason, article, rule, platform, facts, by, ending = 0 }) {
    const verdict = this.sentence(winner ? `outcome.${winner}_wins` : 'outcome.draw');
    const limit = reason === 'LIMIT' ? this.book.limits[rule] : null;
    const key = limit ? `LIMIT_${limit.limit ? limit.counts : 'at_once'}` : reason;
    const named = limit ? { ...facts, name: limit.names[ending] ?? limit.names[0] } : facts;
    const where = by ? this.words.regulation : this.where({ article, platform });
    return `${verdict}: ${this.sentence(`reason.${key}`, named)} (${where}).`;
  }

  /** What a limit is called. @param {Count} count */
  limitName({ rule, ending }) {
    const { names } = this.book.limits[rule];
    return names[Math.max(0, ending)] ?? names[0];
  }

  /** @param {Count} count */
  count(count) {
    const { kind, counts } = this.book.limits[count.rule];
    const { have, need, since } = count;
    const facts = { name: this.limitName(count), have: Math.min(have, need), need, since };
    const key = kind === 'limit' ? `limit_${counts}` : kind;
    return `${this.sentence(`progress.${key}`, facts)} (${this.where(count)})`;
  }

  /** @param {'claim' | 'attention'} kind @param {Count} count */
  claim(kind, count) {
    const { need, platform } = count;
    const key = kind === 'claim' && platform ? 'open_offer' : `open_${kind}`;
    const facts = { name: this.limitName(count), have: kind === 'claim' ? need : 0, need };
    return `${this.sentence(`progress.${key}`, facts)} (${this.where(count)})`;
  }

  /** @param {{article: string, platform: boolean}} rule */
  where({ article, platform }) {
    return platform ? this.sentence('outcome.platform') : this.cited(article).where;
  }
}
