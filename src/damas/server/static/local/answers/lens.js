/** The lens, and in what two rulebooks differ. */

import { moveKey, movesKey } from '../positions.js';
import { playedGame } from './rules.js';

/** @import { CauseView, ClauseView, LensView, ListedRulebookView, MoveView } from '../../lib/types.js' */
/** @import { DrawRuleView, RulebookDifferenceView, RulebookPageView } from '../../lib/types.js' */
/** @import { GameView as CoreView, LegalMove } from '../../core/types.js' */
/** @import { Handler, Handlers, Tools } from './handler.js' */

/** @typedef {{id: string, view: CoreView, causes: string[][]}} Compared */

/** @param {string} id @param {Tools} tools @returns {Promise<RulebookPageView>} */
const rulebookPage = (id, { load }) => load(`/api/rulebook/${id}`);

/** @param {LegalMove} move @param {string[]} names @returns {MoveView} */
function moveView({ text, routes: [squares], captured, promotes }, names) {
  const route = squares.map((square) => names[square]);
  return { text, from: route[0], to: route[route.length - 1], route,
    captured: captured.map((square) => names[square]), promotes, squares };
}

/**
 * A rulebook's answer to a question.
 * @param {RulebookPageView} book @param {string} key @returns {ClauseView}
 */
function clause({ switches }, key) {
  const answered = switches.find((each) => each.key === key);
  if (!answered) throw new RangeError(`no question ${key}`);
  const { rulebook, value, answer, articles } = answered;
  return { rulebook, value, answer, articles };
}

/**
 * A question that two rulebooks answer differently.
 * @param {RulebookPageView} first @param {RulebookPageView} second @param {string} key @param {Tools} tools
 * @returns {Promise<CauseView>}
 */
async function causeView(first, second, key, tools) {
  const { words: { questions } } = await tools.sentences(first.id);
  return { switch: key, question: questions[key], first: clause(first, key), second: clause(second, key) };
}

/** @type {Handler} */
async function compare({ body }, tools) {
  /** @type {{fen: string, rulebook: string}} */
  const { fen, rulebook } = body;
  const { fen: own, turn, pieces } = await playedGame({ rulebook, fen, bare: true }, tools);
  /** @type {{rulebooks: ListedRulebookView[]}} */
  const { rulebooks: listed } = await tools.load('/api/rulebooks');
  const page = await rulebookPage(rulebook, tools);
  const others = listed.filter(({ id, board }) => id !== rulebook && board.size === page.board.size
    && (board.squares === 'all') === page.board.all_squares).map(({ id }) => id);
  /** @type {Compared[]} */
  const compared = await tools.core.ask('lens', { rulebooks: [rulebook, ...others], fen: own });
  const groups = await groupViews(compared, page, tools);
  /** @type {LensView} */
  const view = { rulebook, fen: own, turn, lang: tools.language, groups, pieces };
  return view;
}

/**
 * Rulebooks together that allow the same moves; the position's own first.
 * @param {Compared[]} compared @param {RulebookPageView} own @param {Tools} tools
 * @returns {Promise<LensView['groups']>}
 */
async function groupViews(compared, own, tools) {
  /** @type {Map<string, Compared[]>} */
  const groups = new Map();
  for (const each of compared) {
    const key = movesKey(each.view.legal);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const first = compared[0].view.legal, firstKeys = new Set(first.map(moveKey));
  const ownNames = await squareNames(own.id, tools);
  return Promise.all([...groups.values()].map(async (group) => {
    const { id, view: { legal } } = group[0];
    const names = await squareNames(id, tools), keys = new Set(legal.map(moveKey));
    const views = (/** @type {LegalMove[]} */ moves, /** @type {string[]} */ written) =>
      moves.map((move) => moveView(move, written));
    return {
      count: legal.length,
      rulebooks: await Promise.all(group.map(async ({ id: name, view, causes }) => ({
        id: name, fen: view.fen, moves: view.legal.map(({ text }) => text),
        causes: await Promise.all(causes.map((keysOf) => Promise.all(keysOf.map(async (key) =>
          causeView(own, await rulebookPage(name, tools), key, tools))))),
      }))),
      moves: views(legal, names),
      added: views(legal.filter((move) => !firstKeys.has(moveKey(move))), names),
      missing: views(first.filter((move) => !keys.has(moveKey(move))), ownNames),
    };
  }));
}

/** @param {string} rulebook @param {Tools} tools @returns {Promise<string[]>} */
async function squareNames(rulebook, { core }) {
  return (await core.ask('names', { rulebook })).squareNames;
}

/**
 * In what two rulebooks differ; no positions that show it, which the server looks for at length.
 * @type {Handler}
 */
async function difference({ parameters }, tools) {
  const [first, second] = await Promise.all([parameters.first, parameters.second]
    .map((id) => rulebookPage(id, tools)));
  const differing = first.switches.filter(({ key, value }) =>
    JSON.stringify(value) !== JSON.stringify(clause(second, key).value));
  const shared_board = first.board.size === second.board.size
    && first.board.all_squares === second.board.all_squares;
  const switches = await Promise.all(differing.map(async ({ key }) => {
    const { switch: name, ...cause } = await causeView(first, second, key, tools);
    return { key: name, ...cause };
  }));
  const words = (/** @type {DrawRuleView[]} */ draws) => new Set(draws.map(({ text }) => text));
  const only = (/** @type {DrawRuleView[]} */ draws, /** @type {Set<string>} */ others) =>
    draws.filter(({ text }) => !others.has(text));
  const onMoves = first.switches.filter(({ section }) => section === 'moves').map(({ key }) => key);
  /** @type {RulebookDifferenceView} */
  const view = {
    first: first.id, second: second.id, lang: tools.language, shared_board,
    same_moves: shared_board && !switches.some(({ key }) => onMoves.includes(key)), switches,
    draws: { first: only(first.draws, words(second.draws)), second: only(second.draws, words(first.draws)) },
    positions: [], without_position: [],
  };
  return view;
}

/** @type {Handlers} */
export const LENS = {
  'POST /api/compare': compare,
  'GET /api/difference/{first}/{second}': difference,
};
