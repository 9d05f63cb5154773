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

// Analysis

/** A score from White's side. */
export interface ScoreView {
  /** Hundredths of a man; missing if unknown. */
  score?: number;
  /** White's chance to win, 0 to 1. */
  chance?: number;
  winner?: Side | null;
  /** Plies to the end of the game, where a winner is known. */
  plies?: number | null;
}

export interface EngineLineView extends ScoreView {
  moves: { text: string; route: number[] }[];
}

/** A message of the engine's stream. */
export interface EngineResultView extends ScoreView {
  depth?: number;
  nodes?: number;
  lines?: EngineLineView[];
  waiting?: boolean;
  /** Why the search has ended; missing while it runs. */
  done?: string;
}

export interface ShotView {
  moves: string[];
  given: number;
  taken: number;
}

export type MistakeKind = 'inaccuracy' | 'mistake' | 'blunder';

export interface MistakeView {
  ply: number;
  /** Move number. */
  number: number;
  by: Side;
  move: string;
  kind: MistakeKind | null;
  /** Chance given away. */
  lost: number;
  chance_before: number;
  chance_after: number;
  best: string;
  /** The better line. */
  line: string[];
  /** FEN before the move. */
  before: string;
  /** A winning shot that the move missed, or allowed. */
  missed?: ShotView | null;
  allowed?: ShotView | null;
  /** By language. */
  sentence: Record<string, string>;
}

export interface GraphPointView extends ScoreView {
  ply: number;
  chance: number;
  number: number;
  by: Side;
  move: string;
  kind?: MistakeKind | null;
}

export interface ReportView {
  graph: GraphPointView[];
  mistakes: MistakeView[];
  tally: Record<Side, Record<MistakeKind, number> & { kept: number }>;
}

export interface ReportJobView {
  id: string;
  state: string;
  done: number;
  total: number;
  report?: ReportView;
}

export interface TablebaseView {
  /** Whether there is a table for the position. */
  there: boolean;
  verdict: string;
  sentence: string;
  moves: { text: string; value: 'win' | 'loss' | 'draw'; name: string }[];
}

/** A move of a PDN game with the variations that replace it. */
export interface PdnMove {
  text: string;
  nags?: number[];
  comments?: string[];
  variations?: PdnMove[][];
}

export interface PdnGame {
  rulebook: string;
  fen?: string;
  /** The game starts from the rulebook's start position. */
  standard?: boolean;
  tags: Record<string, string>;
  result?: string;
  comments?: string[];
  moves: PdnMove[];
}

/** A game of a PDN text that could be read only in part. */
export interface BadPdnGame extends PdnGame {
  /** Number of the game in the text. */
  game: number;
  line: number;
  message: string;
  hint?: string;
}

/** A game as it is exported. */
export interface ExportedGame {
  rulebook: string;
  /** FEN of the start position. */
  start: string;
  you: You;
  white: { name: string; kind: string };
  black: { name: string; kind: string };
  outcome?: { result: string } | null;
  moves: { text: string }[];
}

// Lessons, examples, puzzles and endings

export interface ArticleView {
  id: string;
  rulebook: string;
  /** How the article is cited. */
  cite: string;
  text: string;
}

export interface LessonEntry {
  id: string;
  title: string;
  steps: number;
}

export interface LessonStep {
  task: 'look' | 'read' | 'watch' | 'count' | 'play' | 'only' | 'refused' | 'line';
  rulebook: string;
  text: string;
  /** Shown when the step is done. */
  after: string;
  article: ArticleView | null;
  view: PositionView | null;
  marks: number[];
  numbered: boolean;
  /** Right moves, or the right number as text. */
  answer?: string[] | string;
  /** Whether the engine judged the answer. */
  judged?: boolean;
  /** The line that refutes a wrong move. */
  refuted?: Record<string, string[]>;
  /** The move to try that is refused, and the code of its refusal. */
  tried?: string;
  code?: string;
  options?: number[];
  frames?: FrameView[];
}

export interface LessonView extends LessonEntry {
  step: LessonStep[];
  next: LessonEntry | null;
}

/** A position beside an article of a rulebook. */
export interface ExampleView {
  article: string;
  name: string;
  rulebook: string;
  view: PositionView;
  /** Moves that are refused. */
  refused: string[];
  /** Whether there is a recorded game. */
  played: boolean;
  lesson: string;
}

export interface PuzzleEntry {
  id: string;
  grade: number;
  motif: string;
  moves: number;
}

export interface PuzzleView extends PuzzleEntry {
  fen: string;
  line: string[];
  /** Other last moves that win as much. */
  also: string[];
  given: number;
  taken: number;
  /** Level of the engine that finds the solution. */
  level: number;
  frames: FrameView[];
  also_frames: Record<string, FrameView>;
}

export interface EndingVerdict {
  sentence: string;
  moves?: { text: string; route: number[] }[];
}

export interface EndingView {
  fen: string;
  goal: 'win' | 'draw';
  view: PositionView;
  verdict: EndingVerdict;
}

export interface EndingReply {
  played: string;
  /** Whether the move kept the goal. */
  kept: boolean;
  best: { text: string };
  reply: string | null;
  won: boolean;
  after_move: PositionView;
  view: PositionView;
  verdict: EndingVerdict | null;
}

// Comparing rulebooks

/** A rulebook's answer to a question. */
export interface ClauseView {
  rulebook: string;
  answer: string;
  articles: { article: string; article_id: string }[];
}

export interface CauseView {
  question: string;
  first: ClauseView;
  second: ClauseView;
}

export interface ComparedMove {
  text: string;
  squares: number[];
}

/** Rulebooks that allow the same moves in a position. */
export interface LensGroup {
  count: number;
  /** `causes`: sets of answers, each of which explains the difference. */
  rulebooks: { id: string; moves: string[]; causes: CauseView[][] }[];
  moves: ComparedMove[];
  added: ComparedMove[];
  missing: ComparedMove[];
}

export interface LensView {
  rulebook: string;
  fen: string;
  turn: Side;
  pieces: Pieces;
  groups: LensGroup[];
}

/** Where two rulebooks differ. */
export interface DifferenceView {
  switches: CauseView[];
  draws: Record<'first' | 'second', { text: string; article?: string }[]>;
  same_moves: boolean;
  positions: {
    switch: string;
    causes: CauseView[][];
    first: { rulebook: string; fen: string; moves: { text: string }[] };
    second: { moves: { text: string }[] };
  }[];
}

// Archive, account

export interface ArchivedGame {
  id: string;
  status: string;
  result: string;
  rulebook: string;
  fen: string;
  time: string;
  plies: number;
  updated_ms: number;
  you: You | null;
  white: { name: string; kind: string };
  black: { name: string; kind: string };
}

export interface ArchivePage {
  games: ArchivedGame[];
  /** Where the next page starts; missing on the last page. */
  next?: string | null;
}

export interface AccountView {
  logins: { key: string; agent: string; seen_ms: number; here: boolean }[];
  tokens: { id: string; label: string; scopes: string[]; used_ms: number | null }[];
}

// Tournaments of programs

export type ContestStatus = 'open' | 'closed' | 'queued' | 'running' | 'paused' | 'stuck' | 'finished';

export interface ContestEntry {
  id: string;
  title: string;
  status: ContestStatus;
  rulebook: string;
  format_name: string;
  control: string;
  entrants: number;
  done: number;
  total: number;
  organiser: string;
}

export interface EntrantView {
  id: string;
  name: string;
  owner: string;
  /** `program`, `random` or `level`. */
  kind: string;
  mine: boolean;
  language?: string;
  /** Bytes. */
  size?: number;
  hash?: string;
  level?: number;
}

export interface StandingsRow {
  place: number;
  name: string;
  points: number;
  games: number;
  walkovers: number;
  wins: number;
  draws: number;
  losses: number;
  elo: number;
  error: number;
  forfeits: number;
  /** Why the entrant was disqualified; null if it was not. */
  disqualified: string | null;
}

export interface FinishedGame {
  id: string;
  round: number;
  white: string;
  black: string;
  result: string;
  reason_text: string;
  offender: Side | null;
  receipt: string | null;
  played: boolean;
}

export interface StandingsView {
  rows: StandingsRow[];
  /** By row and column; null where two have not met. */
  cross: ({ points: number; games: number } | null)[][] | null;
  games: FinishedGame[];
  /** Number of all games that are over. */
  counted: number;
  tiers: string[];
  seed: number;
}

export interface ContestView extends Omit<ContestEntry, 'entrants'> {
  version: string;
  games_of_pair: number;
  legal: boolean;
  trouble: string;
  entries: EntrantView[];
  table: StandingsView | null;
  mine: boolean;
  who: string;
  code?: string | null;
  no_box?: string;
  started_ms: number | null;
}

export interface ContestGame {
  id: string;
  round: number;
  white: string;
  black: string;
  ply?: number;
  view?: PositionView;
}

/** A message of a tournament's stream. */
export interface ContestMessage {
  status: ContestStatus;
  done: number;
  total: number;
  version: string;
  games: ContestGame[];
}

/** Why a program lost a game. */
export interface ReceiptView {
  name: string;
  rulebook: string;
  fen: string;
  offender: Side;
  said: string;
  bytes: number;
  nearest: string;
  article: string;
  seconds: number | null;
  tier: string;
  legal: string[];
  stderr: string;
  verdict_text: string;
  message: string;
}
