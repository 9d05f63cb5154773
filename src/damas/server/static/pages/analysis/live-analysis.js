/** The engine and the endgame tables, which follow the position on the board. */

import { byId } from '../../lib/dom.js';
import { EnginePanel } from './engine.js';
import { board, goTo, onNavigation, play } from './navigation.js';
import { state } from './state.js';
import { TablebasePanel } from './tables.js';

export const evaluationBar = byId('eval-bar');

export const engine = new EnginePanel(byId('engine-panel'), evaluationBar, {
  showArrows: (arrows) => { board.arrows = arrows; },
  playLine: (texts) => {
    const nodes = state.tree.playAll(state.node, texts);
    void goTo(nodes[nodes.length - 1]);
  },
});
const tablebase = new TablebasePanel(byId('tablebase'), (text) => play(text));

onNavigation({
  positionShown: () => engine.clear(),
  positionSettled: (position, view) => {
    void engine.analyse(position);
    void tablebase.probe(position, view);
  },
});
