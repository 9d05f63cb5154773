/** JSON that the server sends to the pages. A square is an index into `BoardView.squares`. */

export type Side = 'white' | 'black';
export type NotationScheme = 'alg' | 'numbers' | 'rc';

export interface NamedSquare {
  /** Counted from the bottom as White sees it, from 0. */
  row: number;
  column: number;
  alg: string;
  numbers: string;
  rc: string;
}

export interface BoardView {
  size: number;
  all_squares: boolean;
  corner: string;
  squares: NamedSquare[];
  scheme: NotationScheme;
  first_number: string;
  main_diagonal?: number[];
}

export interface RulebookView {
  id: string;
  name: string;
  river: boolean;
  board: BoardView;
  start: PositionView;
  start_fen: string;
}

/** A rulebook in the list of all rulebooks. */
export interface RulebookEntry {
  id: string;
  name: string;
  summary: string;
}

/** A legal move with every route that leads to the same position. */
export interface MoveView {
  text: string;
  routes: number[][];
  captured: number[];
  promotes: boolean;
}

export interface LastMoveView {
  text: string;
  route: number[];
  captured: number[];
}

/** Progress of a draw rule that counts moves. */
export interface CountView {
  message: string;
  have: number;
  need: number;
  /** A limit of this website, not of the rulebook. */
  platform?: boolean;
}

export interface OutcomeView {
  winner: Side | null;
  message: string;
  /** The game was cancelled. */
  void?: boolean;
  rulebook?: string;
  article_id?: string;
}

/** Piece codes (w, W, b, B) by square index. */
export type Pieces = Record<string, string>;

export interface PositionView {
  rulebook?: string;
  fen: string;
  turn: Side;
  pieces: Pieces;
  legal: MoveView[];
  must_capture: boolean;
  ply?: number;
  last?: LastMoveView | null;
  counts?: CountView[];
  outcome?: OutcomeView | null;
  /** Name of the square whose piece was touched and must be played. */
  touched?: string | null;
}

/** A position of a recorded game; `claimed` when a player claimed a draw there. */
export interface FrameView extends PositionView {
  ply: number;
  claimed?: boolean;
}

// Refusals

/** Why a move or command is refused, and by which article. */
export interface RefusalView {
  /** Stable, never translated. */
  code: string;
  message: string;
  rulebook?: string;
  article?: string;
  article_id?: string;
  /** The move that was tried. */
  tried?: string;
  article_text?: string;
  /** What can be played instead. */
  alternatives?: MoveView[];
  /** Squares to mark. */
  marks?: number[];
}

/** The answer of `/api/explain`. */
export interface ExplanationView {
  legal?: boolean;
  scheme?: NotationScheme | null;
  route?: number[];
  /** Where the move is legal. */
  move?: MoveView;
  refusal: RefusalView | null;
  article_text?: string;
  alternatives?: MoveView[];
  marks?: number[];
  /** A legal move that the same text means in another notation. */
  hint?: { move: string; message: string } | null;
  /** A man passed the last row without being crowned. */
  not_crowned?: { message: string; article_id: string } | null;
}

// Games

/** Whose seat the visitor has. */
export type You = Side | 'both' | 'viewer';

export interface ClocksView {
  /** Milliseconds left; null without a clock. */
  white: number | null;
  black: number | null;
  running: Side | null;
}

/** A move of the game so far. */
export interface PlayedMoveView {
  text: string;
  by: Side;
}

export interface ClaimView {
  rule: string;
  kind: 'claim' | 'attention';
  message: string;
}

export interface GameCountView extends CountView {
  rule: string;
  rulebook: string;
  article_id: string;
}

export interface GameView extends PositionView {
  rulebook: string;
  ply: number;
  moves: PlayedMoveView[];
  to_move: Side;
  counts: GameCountView[];
  claims: ClaimView[];
  /** Who offers a draw. */
  offer: Side | null;
  /** Who asks to take a move back. */
  take_back: Side | null;
  touched_square: number | null;
  adjusting: Side[];
  /** A capture that was stopped before its end. */
  unfinished: { by: Side; move: string; demanded: boolean } | null;
  /** Milliseconds of absence by side. */
  absent: Partial<Record<Side, number>>;
  clocks: ClocksView;
  suspended: boolean;
  /** The second player has not come yet. */
  waiting?: boolean;
  hints: boolean;
  touch_move: boolean;
  preset: string;
  /** Text of the time control. */
  time: string;
  /** Commands that are possible now. */
  can: string[];
}

export interface PlayerView {
  name: string;
  /** `person`, `bot` or `level:N`. */
  kind: string;
  /** Nobody has taken the seat. */
  free: boolean;
  here: boolean;
}

export type PlayersView = Record<Side, PlayerView>;

/** Clocks at the moment a message was sent. */
export interface ClockMoment {
  clocks?: ClocksView;
  /** Milliseconds left for a first move that is awaited. */
  first_move_ms?: number | null;
}

export interface HelloMessage extends ClockMoment {
  t: 'hello';
  seq: number;
  chain: string;
  status: string;
  you: You;
  players: PlayersView;
  viewers?: number;
  view: GameView;
  rematch: string | null;
  paused?: string;
  start?: string;
}

export interface EventMessage extends ClockMoment {
  t: 'event';
  seq: number;
  chain: string;
  event: { kind: string; by?: Side; fen?: string };
  view?: GameView;
}

export interface AckMessage { t: 'ack'; id: string }
export interface NackMessage { t: 'nack'; id?: string; code: string; error?: RefusalView }
export interface ChatMessage { t: 'chat'; name: string; text: string; wall_ms: number }

/** Messages without a number. */
export type NoticeMessage =
  | ChatMessage
  | { t: 'presence'; white: boolean; black: boolean; viewers: number }
  | { t: 'players'; players: PlayersView }
  | { t: 'rematch'; id: string | null; by: Side | null }
  | { t: 'called_off' }
  | { t: 'paused'; reason: string; message?: string }
  | ({ t: 'resumed' } & ClockMoment);

export type ServerMessage =
  | HelloMessage | EventMessage | AckMessage | NackMessage | NoticeMessage
  | { t: 'busy'; id: string; retry_ms: number }
  | { t: 'ping' | 'pong'; n: number }
  | { t: 'superseded' | 'restarting' };

/** A command, sent again with the same id until the server answers it. */
export type CommandMessage =
  | { t: 'move'; id: string; ply: number; last_seq: number; move: string }
  | { t: 'act'; id: string; last_seq: number; do: string; rule?: string; square?: number; move?: string };

export type ClientMessage =
  | CommandMessage
  | { t: 'chat'; text: string }
  | { t: 'ping' | 'pong'; n: number }
  | { t: 'resume'; last: number; chain: string };

// Lobby and archive

export interface SeekView {
  id: string;
  name: string;
  rulebook: string;
  time: string;
  preset: string;
  mine: boolean;
}

export interface LiveGameView {
  id: string;
  white: string;
  black: string;
  rulebook: string;
  time: string;
  preset: string;
  ply: number;
  mine: boolean;
}

export interface LobbyView {
  seeks: SeekView[];
  games: LiveGameView[];
}
