/** What the page knows of its game: the last messages of the server, and a few choices of the visitor. */

/** @import { GameView, HelloMessage, PlayersView, RulebookView, Side, You } from '../../lib/messages.js' */

/** @import { LocalGame } from '../../local/local-game.js' */

export const state = {
  /** The game itself, if it is played in this browser alone. @type {LocalGame | null} */
  local: null,
  /** Where the server has stored such a game; empty while it has not. */
  storedAt: '',
  /** Null until it is loaded; everything else is drawn after that. @type {RulebookView | null} */
  book: null,
  /** Null until the server's first message. @type {HelloMessage | null} */
  hello: null,
  /** Set by the first message. */
  view: /** @type {GameView} */ (/** @type {unknown} */ (null)),
  /** Set by the first message. */
  players: /** @type {PlayersView} */ (/** @type {unknown} */ (null)),
  /** FEN of a start position that is not the rulebook's. */
  startFen: '',
  /** The earlier position that is shown, in plies; null for the current one. @type {number | null} */
  shownPly: null,
  viewers: 0,
  hasArbiter: false,
  /** Players who want an arbiter for this game. @type {Side[]} */
  arbiterWanted: [],
  /** The arbiter is setting up a position: the board shows that one. */
  isEditing: false,
  /** @type {You} */
  you: 'viewer',
  /** The side that the visitor turned to the bottom. @type {Side | null} */
  flippedTo: null,
  /** Id of the next game between the same players. @type {string | null} */
  rematch: null,
  /** Who asked for a rematch. @type {You | null} */
  rematchBy: null,
  /** Squares of a capture that is being entered jump by jump. @type {number[]} */
  enteredSquares: [],
  /** The game was called off before it began. */
  isCalledOff: false,
  /** Why the server cannot store moves now; empty if it can. */
  pauseMessage: '',
};

/** @returns {Side} the side at the bottom: the one flipped to, else the player's own; White for viewers */
export function bottomSide() {
  return state.flippedTo ?? (state.you === 'black' ? 'black' : 'white');
}

/** Whether the visitor plays one side or both. */
export function isPlayer() {
  return state.you !== 'viewer' && state.you !== 'arbiter';
}

/** Whether a side is the visitor's. @param {Side | null} side */
export function isMine(side) {
  return side !== null && (state.you === side || state.you === 'both');
}

export function isOver() {
  return Boolean(state.view.outcome) || state.isCalledOff;
}

/** The level of a computer player, or undefined. @param {Side} side */
export function levelOf(side) {
  return /^level:(\d+)$/.exec(state.players[side].kind)?.[1];
}

/** The level against which the visitor plays, or null. */
export function playedLevel() {
  const level = levelOf('white') ?? levelOf('black');
  return isPlayer() && level ? Number(level) : null;
}

/** How many seats people have taken. */
export function countPeople() {
  return Object.values(state.players).filter((player) => player.kind === 'person' && !player.free).length;
}
