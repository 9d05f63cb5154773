/** What a screen in the hall shows one after the other: every list cut into parts that are read from afar. */

import { isWorthShowing } from '../../lib/counts.js';
import { isLeague, seatsOf, seatsOfMatch } from '../tournament/seats.js';

/** @import { BoardView, RoundView, TableRowView, TournamentView } from '../tournament/messages.js' */
/** @import { Seat } from '../tournament/seats.js' */
/** @import { AppBoardView, HallScreenView } from './messages.js' */

export const KINDS = /** @type {const} */ (['pairings', 'names', 'results', 'table', 'players', 'timer',
  'claims']);

/** @typedef {typeof KINDS[number]} Kind */

/**
 * @typedef {object} Options of the address
 * @property {Kind[] | null} kinds what is shown; null for what fits the state of the round
 * @property {number} seconds for each slide
 * @property {number} rows of a slide
 * @property {number} delayMs from the publication of a round until its clocks start
 *
 * @typedef {{name: string, board: string | null, side: 'white' | 'black' | null, rest: string}} Seated
 *
 * @typedef {{match: BoardView} | {seat: Seat}} Line a board, or the match whose boards follow
 *
 * @typedef {{kind: 'pairings' | 'results', rows: Line[]} | {kind: 'names', rows: Seated[]}
 *   | {kind: 'table' | 'players', rows: TableRowView[]} | {kind: 'claims', rows: AppBoardView[]}
 *   | {kind: 'timer' | 'waiting', rows: never[]}} Content
 *
 * @typedef {Content & {part: number, parts: number}} Slide
 */

/**
 * Reads `?pages=names,table&seconds=15`.
 * @param {string} search the query of an address @returns {Options}
 */
export function readOptions(search) {
  const query = new URLSearchParams(search);
  const number = (/** @type {string} */ name, /** @type {number} */ usual, /** @type {number} */ min,
    /** @type {number} */ max) => {
    const value = Number(query.get(name) || NaN);
    return Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : usual;
  };
  const wanted = (query.get('pages') ?? '').split(',');
  const kinds = wanted.flatMap((name) => KINDS.filter((kind) => kind === name));
  return {
    kinds: kinds.length ? kinds : null, seconds: number('seconds', 12, 2, 600),
    rows: Math.round(number('rows', 10, 4, 30)), delayMs: number('delay', 0, 0, 600) * 60_000,
  };
}

/** The last published round, if any. @param {TournamentView} tournament @returns {RoundView | undefined} */
export function roundOf({ played }) {
  return played.filter(({ published }) => published).at(-1);
}

/**
 * Every slide, in order.
 * @param {TournamentView} tournament @param {HallScreenView} screen @param {Options} options
 * @param {TableRowView[]} [players] of a league, by their own table
 * @returns {Slide[]}
 */
export function slidesOf(tournament, screen, { kinds, rows }, players = []) {
  const round = roundOf(tournament);
  if (!round) return [{ kind: 'waiting', rows: [], part: 1, parts: 1 }];
  const contents = (kinds ?? usualKinds(tournament, round)).map((kind) =>
    contentOf(kind, tournament, round, screen, players));
  const shown = contents.filter(({ kind, rows: { length } }) => kind === 'timer' || length > 0);
  const slides = shown.flatMap((content) => parts(content, content.kind === 'names' ? 2 * rows : rows));
  return slides.length ? slides : parts(contentOf('timer', tournament, round, screen, players), rows);
}

/**
 * Before the first result players look for their boards; later everybody looks at results.
 * @param {TournamentView} tournament @param {RoundView} round @returns {Kind[]}
 */
function usualKinds(tournament, round) {
  const tables = /** @type {Kind[]} */ (isLeague(tournament) ? ['table', 'players'] : ['table']);
  if (tournament.over) return [...tables, 'results'];
  if (round.complete) return ['results', ...tables];
  const begun = seatsOf(tournament, round).some(({ result, first, second }) => result && first && second);
  if (!begun) return ['pairings', 'names', 'timer', 'claims'];
  return round.round > 1 ? ['results', 'timer', 'claims', 'table'] : ['results', 'timer', 'claims'];
}

/**
 * @param {Kind} kind @param {TournamentView} tournament @param {RoundView} round
 * @param {HallScreenView} screen @param {TableRowView[]} players @returns {Content}
 */
function contentOf(kind, tournament, round, screen, players) {
  if (kind === 'names') return { kind, rows: seats(tournament, round) };
  if (kind === 'table') return { kind, rows: tournament.table.rows };
  if (kind === 'players') return { kind, rows: players };
  if (kind === 'claims') return { kind, rows: counting(screen) };
  if (kind === 'timer') return { kind, rows: [] };
  return { kind, rows: isLeague(tournament)
    ? round.boards.flatMap((match) => [{ match }, ...seatsOfMatch(match).map((seat) => ({ seat }))])
    : seatsOf(tournament, round).map((seat) => ({ seat })) };
}

/** The boards with counts that are worth showing. @param {HallScreenView} screen */
function counting({ boards }) {
  const shown = boards.map((board) => ({ ...board, counts: board.counts.filter(isWorthShowing) }));
  return shown.filter(({ counts }) => counts.length > 0);
}

/**
 * Every player by name, also those without an opponent.
 * @param {TournamentView} tournament @param {RoundView} round @returns {Seated[]}
 */
function seats(tournament, round) {
  /** @type {Seated[]} */
  const all = [
    ...seatsOf(tournament, round).flatMap(({ place: board, first, second, firstIsWhite }) =>
      /** @type {Seated[]} */ ([
        { name: first, board, side: firstIsWhite ? 'white' : 'black', rest: '' },
        { name: second, board, side: firstIsWhite ? 'black' : 'white', rest: '' },
      ]).filter(({ name }) => name)),
    ...round.resting.map(({ name, kind }) => ({ name, board: null, side: null, rest: kind })),
  ];
  const { compare } = new Intl.Collator(undefined, { sensitivity: 'base' });
  return all.toSorted((a, b) => compare(a.name, b.name));
}

/**
 * Parts of equal length; a match stays together with its boards, as far as they fit.
 * @param {Content} content @param {number} most rows @returns {Slide[]}
 */
function parts(content, most) {
  const heads = content.rows.flatMap((row, place) => ('match' in row ? [place] : []));
  const unit = heads.length > 1 ? heads[1] : Math.max(1, heads.length * content.rows.length);
  const limit = unit > 1 && unit <= most ? Math.floor(most / unit) * unit : most;
  const count = Math.max(1, Math.ceil(content.rows.length / limit));
  const even = Math.max(1, Math.ceil(content.rows.length / count));
  const size = unit > 1 && unit <= most ? Math.ceil(even / unit) * unit : even;
  return Array.from({ length: count }, (_, place) => /** @type {Slide} */ ({
    ...content, rows: content.rows.slice(place * size, (place + 1) * size), part: place + 1, parts: count,
  }));
}

/** The name of a slide, the same after its content has changed. @param {Slide} slide */
export const keyOf = ({ kind, part }) => `${kind}-${part}`;

/**
 * Where to go from a slide that may not exist any more.
 * @param {Slide[]} slides @param {string} key of the slide that is shown @param {number} step
 * @returns {number}
 */
export function stepFrom(slides, key, step) {
  const at = slides.findIndex((slide) => keyOf(slide) === key);
  if (at >= 0) return (at + step + slides.length) % slides.length;
  const kind = key.split('-')[0]; // its list has become shorter, or is not shown any more
  return Math.max(0, slides.findLastIndex((slide) => slide.kind === kind)) % slides.length;
}

/**
 * How long a round runs: milliseconds since its clocks started, and what is left of the longest encounter.
 * @param {HallScreenView} screen @param {number} sinceMs since the server sent it @param {number} delayMs
 * @returns {{elapsed: number, left: number | null} | null}
 */
export function roundTime({ server_ms, published_ms, limit_ms }, sinceMs, delayMs) {
  if (published_ms === null) return null;
  const elapsed = server_ms + sinceMs - published_ms - delayMs;
  return { elapsed, left: limit_ms === null ? null : Math.max(0, limit_ms - Math.max(0, elapsed)) };
}
