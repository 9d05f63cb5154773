/**
 * The report on a game without a network: how much each move gave away, by the server's own measures. Why it
 * was a mistake, and the shots in it, only the server says.
 */

import { fill } from '../lib/fill.js';
import { SCORES } from '../core/rulebooks.js';
import { playOn, startOf } from '../core/lines.js';
import { chance, rounded, scoreView } from './scores.js';

/** @import { Game, Rulebook } from '../core/core.js' */
/** @import { Color } from '../core/types.js' */
/** @import { MistakeKind, ReportView } from '../lib/messages.js' */
/** @import { FoundLine } from './scores.js' */

/**
 * @typedef {object} Judged a move; its scores are those of the side that made it
 * @property {number} ply
 * @property {Color} by
 * @property {string} before FEN
 * @property {FoundLine} played
 * @property {FoundLine} best
 * @property {number} lost chance to win given away
 * @property {boolean} forced
 * @property {MistakeKind | null} kind
 */

/**
 * The report by the best line at each ply; `better` is the sentence of a mistake by language, with a place
 * for the better move.
 * @param {Rulebook} book @param {{fen: string, moves: string[], lines: FoundLine[]}} searched
 * @param {Record<string, string>} better
 * @returns {ReportView & {rulebook: string, start: string, plies: number}}
 */
export function reportOf(book, { fen, moves, lines }, better) {
  const start = startOf(book, fen);
  const judged = judge(start, moves, lines);
  const offset = start.turn === startOf(book, '').turn ? 0 : 1;
  const shared = (/** @type {Judged} */ { ply, by, played, lost, kind }) => ({
    ply, number: Math.floor((ply - 1 + offset) / 2) + 1, by, move: played.moves[0], lost: rounded(lost), kind,
  });
  const shown = reportedPlies(judged);
  return {
    rulebook: book.id, start: start.fen, plies: moves.length,
    graph: judged.map((each) =>
      ({ ...scoreView(each.played.score, each.by), ...shared(each), forced: each.forced })),
    mistakes: judged.filter(({ ply }) => shown.has(ply)).map((each) => {
      const { by, before, best, played } = each;
      const message = Object.fromEntries(Object.entries(better)
        .map(([language, sentence]) => [language, fill(sentence, { best: best.moves[0] })]));
      return {
        ...shared(each), before, best: best.moves[0], best_score: scoreView(best.score, by),
        chance_before: rounded(chance(best.score)), chance_after: rounded(chance(played.score)),
        line: best.moves, message, sentence: message, missed: null, allowed: null, proof: null,
      };
    }),
    tally: { white: tallyOf(judged, 'white'), black: tallyOf(judged, 'black') },
  };
}

/** @param {Game} start @param {string[]} moves @param {FoundLine[]} lines @returns {Judged[]} */
function judge(start, moves, lines) {
  let game = start;
  return moves.map((move, index) => {
    const { fen: before, turn: by, book } = game;
    const { legal } = game.outcome ? startOf(book, before) : game;
    game = playOn(game, move);
    const text = game.last?.text ?? move;
    const isForced = legal.length === 1;
    const isBest = lines[index].moves[0] === text;
    const reply = lines[index + 1];
    const played = isBest ? lines[index] : playedLine(text, by, reply, game);
    // Seen from a ply further on, it may be better than all that was seen before.
    const best = played.score > lines[index].score ? played : lines[index];
    const lost = isBest || isForced ? 0 : chance(best.score) - chance(played.score);
    const [kind = null] = SCORES.kinds.find(([, least]) => lost >= least) ?? [];
    return { ply: index + 1, by, before, played, best, lost, forced: isForced,
      kind: /** @type {MistakeKind | null} */ (kind) };
  });
}

/**
 * A move and the best reply to it, for the side that made the move: everything is one ply further away.
 * @param {string} move @param {Color} by @param {FoundLine} reply @param {Game} after @returns {FoundLine}
 */
function playedLine(move, by, reply, after) {
  if (reply.moves.length) {
    const nearer = Math.abs(reply.score) > SCORES.decided ? Math.sign(reply.score) : 0;
    return { score: nearer - reply.score, moves: [move, ...reply.moves].slice(0, SCORES.lineMoves) };
  }
  const winner = after.outcome?.winner;
  if (!winner) return { score: 0, moves: [move] };
  return { score: winner === by ? SCORES.win - 1 : 1 - SCORES.win, moves: [move] };
}

/** Plies of mistakes, and the worst of each side whatever they are called. @param {Judged[]} judged */
function reportedPlies(judged) {
  const plies = new Set(judged.filter(({ kind }) => kind).map(({ ply }) => ply));
  for (const side of ['white', 'black']) {
    const own = judged.filter(({ by, lost }) => by === side && lost >= SCORES.minLoss);
    own.sort((a, b) => b.lost - a.lost);
    for (const { ply } of own.slice(0, SCORES.worstMoves)) plies.add(ply);
  }
  return plies;
}

/** @param {Judged[]} judged @param {Color} side */
function tallyOf(judged, side) {
  const own = judged.filter(({ by }) => by === side);
  const free = own.filter(({ forced }) => !forced);
  const lost = free.reduce((sum, each) => sum + each.lost, 0);
  const count = (/** @type {MistakeKind} */ kind) => own.filter((each) => each.kind === kind).length;
  return { blunder: count('blunder'), mistake: count('mistake'), inaccuracy: count('inaccuracy'),
    moves: own.length, kept: rounded(free.length ? 1 - lost / free.length : 1) };
}
