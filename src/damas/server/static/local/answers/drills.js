/** Positions for the drills, from random games: those that the server finds (`learning/drill.py`). */

import { Random } from '../../core/random.js';
import { positionView } from './games.js';
import { playedGame } from './rules.js';

/** @import { Drill, PositionView } from '../../lib/types.js' */
/** @import { Handler, Handlers } from './handler.js' */

const COUNT = 20, MAX_SIMPLE = 4, GAME_PLIES = 60, APART_PLIES = 5, MAX_PLIES = 2000;
const MAX_SEED = 2 ** 16;

/** @type {Handler} */
async function drill({ parameters: { id: rulebook }, query }, tools) {
  const seed = Number(query.get('seed') ?? Math.floor(Math.random() * MAX_SEED));
  const random = new Random(String(seed));
  const start = await playedGame({ rulebook, bare: true }, tools);
  /** @type {PositionView[]} */
  const positions = [];
  let view = start, ply = 0, lastChosen = -APART_PLIES, simple = 0;
  for (let played = 0; played < MAX_PLIES; played += 1) {
    const { legal } = view;
    if (!legal.length || ply === GAME_PLIES) {
      [view, ply, lastChosen] = [start, 0, -APART_PLIES];
      continue;
    }
    if (view.must_capture && ply - lastChosen >= APART_PLIES) {
      const isSimple = legal.length === 1 && legal[0].captured.length === 1;
      if (!isSimple || simple < MAX_SIMPLE) {
        positions.push(positionView(view));
        lastChosen = ply;
        simple += Number(isSimple);
        if (positions.length === COUNT) break;
      }
    }
    const { text } = legal[Math.floor(random.next() * legal.length)];
    view = await playedGame({ rulebook, fen: view.fen, moves: [text], bare: true }, tools);
    ply += 1;
  }
  /** @type {Drill} */
  const found = { rulebook, seed, positions };
  return found;
}

/** @type {Handlers} */
export const DRILLS = { 'GET /api/drills/{id}': drill };
