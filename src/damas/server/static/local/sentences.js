/**
 * What a game in the browser says: the server's sentences, filled with what the core and the table decide.
 */

import { fill } from '../lib/fill.js';

/** @import { LocalRulebookView, LocalWordsView } from './messages.js' */
/** @import { Count, Problem, Refusal } from '../core/types.js' */
/** @import { LocalEvent, Side } from './records.js' */
/** @import { Cited, ProcedureRefused } from './table/refused.js' */
/** @import { Outcome } from './table/types.js' */

/** @typedef {Record<string, string | number>} Facts */

/** As many as the server's sentences name. */
const MAX_LEGAL_SHOWN = 8;
const MAX_REASONS = 8;
const MAX_QUOTED = 120;
const COLOURS = ['loser', 'color', 'by', 'side'];
const QUOTED = ['tried', 'move', 'token', 'text', 'reasons'];

/** A text as errors quote it. @param {string} text */
function quoted(text) {
  const line = text.split(/\s+/).filter(Boolean).join(' ');
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED - 3)}…` : line;
}

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

  /** @param {string} key @param {Facts} [facts] @returns {string} */
  sentence(key, facts = {}) {
    const text = this.book.own[key] ?? this.words.sentences[key];
    return text === undefined ? key : fill(text, this.#worded(facts));
  }

  /**
   * A name of the catalogue; one that is not in it stands for itself.
   * @param {string} table @param {string} name
   */
  word(table, name) {
    const key = `${table}.${name}`;
    return key in this.words.sentences ? this.sentence(key) : name;
  }

  /** Facts as they stand in a sentence. @param {Facts} facts @returns {Facts} */
  #worded(facts) {
    return Object.fromEntries(Object.entries(facts).map(([name, fact]) => {
      if (name === 'piece') return [name, this.sentence(`piece.${fact}`)];
      if (COLOURS.includes(name)) return [name, this.sentence(`color.${fact}`)];
      const isSquare = typeof fact === 'string' && !QUOTED.includes(name) && this.squares[fact];
      return [name, isSquare ? this.squares[fact] : fact];
    }));
  }

  /** An article as its text is cited, and as a sentence cites it. @param {Cited} id */
  cited(id) {
    return this.book.articles[id] ?? this.book.articles[''];
  }

  /** How a sentence cites an article or a regulation. @param {Cited} id @param {string} preset */
  citation(id, preset) {
    return id.startsWith('regulation.') ? this.words.regulations[preset].where : this.cited(id).where;
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

  /** Why a text cannot be read. @param {string} text @param {readonly Problem[]} problems */
  problems(text, problems) {
    const reasons = [...new Set(problems.map(({ code, token, offset }) =>
      this.sentence(`problem.${code}`, { token: quoted(token), offset, most: offset })))];
    const more = reasons.length > MAX_REASONS ? '; …' : '';
    return this.sentence('error.notation',
      { text: quoted(text), reasons: reasons.slice(0, MAX_REASONS).join('; ') + more });
  }

  /** What the table does not allow. @param {ProcedureRefused} refused @param {string} preset */
  procedure({ code, cited, facts, cause }, preset) {
    if (cause?.refusal) return this.refusal(cause.refusal);
    if (cause) return this.problems(cause.text, cause.problems);
    const { rule, conduct, known } = facts;
    const named = { ...facts, ...(rule && code !== 'UNKNOWN_RULE'
      && { rule: this.book.limits[rule]?.name ?? rule }),
      ...(code === 'NO_SUCH_CONDUCT' && {
        conduct, known: String(known).split(' ').map((each) => this.word('conduct', each)).join('; ')
          || '–' }) };
    const text = this.sentence(`procedure.${code}`, named);
    return cited === null ? `${text}.` : `${text} (${this.citation(cited, preset)}).`;
  }

  /**
   * @param {Outcome} outcome @param {string} preset
   * @param {number} [onBoard] which of the limit's endings is on the board
   */
  outcome({ winner, reason, article, rule, platform, facts, occurrences, void: isVoid }, preset,
    onBoard = 0) {
    const verdict = winner ? `${winner}_wins` : 'draw';
    const limit = reason === 'LIMIT' ? this.book.limits[rule] : null;
    const where = platform ? this.sentence('outcome.platform') : this.citation(article, preset);
    const key = limit ? `LIMIT_${limit.limit ? limit.counts : 'at_once'}`
      : reason + (occurrences ? '_after' : '');
    const named = { ...facts, ...(limit && { name: limit.names[onBoard] ?? limit.names[0] }),
      ...(occurrences && { occurrences: this.occurrences(occurrences) }),
      ...('code' in facts && { fault: this.word('fault', String(facts.code)) }) };
    return `${this.sentence(`outcome.${isVoid ? 'void'
      : verdict}`)}: ${this.sentence(`reason.${key}`, named)} (${where}).`;
  }

  /**
   * Where a position stood, or a cycle began: "at the start and after moves 2 and 4 of Black".
   * @param {NonNullable<Outcome['occurrences']>} places
   */
  occurrences({ side, numbers, cycle }) {
    const and = this.sentence('move.after.and');
    const moves = numbers.filter(Boolean).map(String);
    const listed = [moves.slice(0, -1).join(', '), ...moves.slice(-1)].filter(Boolean).join(and);
    const key = `move.after.${cycle ? 'from_' : ''}${side}`;
    return [
      ...(numbers.includes(0) ? [this.sentence('move.after.start')] : []),
      ...(moves.length ? [this.sentence(key, { numbers: listed, count: moves.length })] : []),
    ].join(and);
  }

  /**
   * What happened at the table; a rule has its name already.
   * @param {LocalEvent} event @param {string} preset
   */
  event(event, preset) {
    const { kind, at, ...facts } = event;
    void at;
    const isHeld = event.kind === 'touched' && event.held_over;
    return this.sentence(`event.${isHeld ? 'held' : kind}`, {
      ...facts, ...('conduct' in event && { conduct: this.word('conduct', event.conduct) }),
      article: this.citation('regulation.', preset),
    });
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

  /** A move by its number: "White's move 3". @param {Side} side @param {number} number */
  move(side, number) {
    return this.sentence(`move.${side}`, { number });
  }
}
