// The types of the core for JavaScript; see docs/reference/javascript.md.

/** What `rulebooks.js` has of each rulebook. */
export interface RulebookData {
  network: string; tablePieces: number; text: string; aliases: string[];
  /** GameType of PDN by the scheme of its moves; empty where PDN has no number for it. */
  gametypes: Record<string, string>;
}

/** What scores mean, and what is called a mistake. */
export interface ScoreData {
  scale: number; decided: number; win: number; tableWin: number;
  /** Names of mistakes, the worst first, and the least chance to win that each gives away. */
  kinds: [string, number][];
  worstMoves: number; minLoss: number; lineMoves: number;
}

/** What a regulation settles about the laws. */
export interface Customs {
  platformRules?: boolean;
  /** Limits that a federation words as a claim wait for one. */
  claims?: boolean;
  /** The platform offers a draw at a third occurrence under a text that has no rule on it. */
  offers?: boolean;
}

export interface GameSettings {
  /** The first position; without it, that of the rulebook. */
  fen?: string;
  moves?: readonly string[];
  /** Plies after which a player called attention to a limit, and its id. */
  calls?: readonly (readonly [number, string])[];
  /** Whether the players write the game down. */
  recorded?: boolean;
  customs?: Customs;
}

/** A legal move: its squares are internal indices, `squareNames` has their names. */
export interface LegalMove { text: string; routes: number[][]; captured: number[]; promotes: boolean; }
export interface PlayedMove { text: string; route: number[]; captured: number[]; promotes: boolean; }

/** How far a draw rule has counted, in the unit of its article. */
export interface Count {
  rule: string; have: number; need: number;
  /** Number of the first move counted. */
  since: number;
  /** Id of the article. */
  article: string;
  /** Which of the rule's endings is on the board. */
  ending: number;
  platform: boolean;
}

export type Color = "white" | "black";

export interface Outcome {
  result: "1-0" | "0-1" | "1/2-1/2"; winner: Color | null; reason: string; article: string; rule: string;
  platform: boolean; facts: Record<string, string | number>;
  /** Moves of a side after which a repeated position stood, or with which a cycle began; 0 is the start. */
  occurrences?: { side: Color; numbers: number[]; cycle: boolean };
}

/** What a claim of a draw rule meets. */
export interface ClaimAnswer {
  /** Whether the game has such a rule. */
  known: boolean;
  /** Whether it ends the game only by a claim. */
  waits: boolean;
  /** Whether it counts only after a player has called attention to it. */
  attention: boolean;
  need: number; article: string; counting: Count | null;
  /** What a right claim brings; null for a wrong one. */
  outcome: Outcome | null;
}

export interface BrokenRule { code: string; article: string; facts: Record<string, string | number>; }

/** Why a move is refused. */
export interface Refusal extends BrokenRule { tried: string; legal: string[]; further: BrokenRule[]; }

/** Something wrong with a text: a FEN or a move. */
export interface Problem { code: string; token: string; offset: number; }

export interface GameView {
  rulebook: string; fen: string; turn: Color;
  /** Letters w, W, b, B by internal square. */
  pieces: Record<string, string>;
  legal: LegalMove[]; must_capture: boolean; ply: number; last: PlayedMove | null; counts: Count[];
  /** Complete limits that wait for a player to say so. */
  claimable: Count[];
  /** Limits that count as soon as a player calls attention to them. */
  attention: Count[];
  outcome: Outcome | null;
}

export interface Limits {
  depth?: number; nodes?: number;
  /** Seconds. */
  movetime?: number;
  /** Best lines wanted. */
  lines?: number;
  /** The moves to choose from. */
  only?: readonly string[];
}

/** Weakens the search; see `Handicap` in Python. */
export interface Handicap { noise?: number; share?: number; horizon?: number | null; seed?: bigint; }

export interface Line {
  /** Hundredths of a man, for the side to move; beyond 25,000 it says who wins. */
  score: number; depth: number; moves: string[];
}

export interface Result {
  lines: Line[]; nodes: number; depth: number; deepest: number; seconds: number; tableHits: number;
  hashFull: number;
}

export interface EngineSettings {
  /** The bytes of the network that `Rulebook.network` names; without it the engine counts pieces. */
  network?: Uint8Array | null;
  hashMb?: number;
  /** The engine knows all endings of up to so many pieces; they are made when it is. */
  tables?: number;
  platformRules?: boolean;
  /** The most threads of a search, in a module that has them; those that have been started take part. */
  threads?: number;
}

export interface SearchSettings {
  handicap?: Handicap;
  /** Called with the result of each depth. */
  onInfo?: (result: Result) => void;
  /** On a SharedArrayBuffer: another thread ends the search by storing 1 in its first place. */
  stop?: Int32Array;
}

/** How a move text is read; the squares are none, and the scheme is null, where it cannot be. */
export interface Reading {
  scheme: "algebraic" | "numbers" | "rows-columns" | null;
  squares: number[];
  /** Where a man only passes the last row, and the article by which it stays a man. */
  uncrowned: { square: number; article: string } | null;
  /** The legal move that is meant if its numbers count from the bottom left. */
  bottom_left: string | null;
}

/** What the endgame tables say of a position, for the side to move. */
export interface Verdict {
  /** Without limits. */
  unlimited: "win" | "draw" | "loss"; plies: number | null;
  /** With the rulebook's limits, counted from their beginning. */
  limited: "win" | "draw" | "loss";
}

/** A move of a PDN, with what is written about it. */
export interface PdnMove {
  text: string;
  nags?: number[];
  comments?: string[];
  /** Lines that could have been played instead. */
  variations?: PdnMove[][];
  /** Clocks and marks, as comments have them. */
  commands?: string;
  /** Comments before the move, where it begins a variation. */
  before?: string[];
}

/** A game to be written as PDN. */
export interface PdnTree {
  rulebook: string;
  fen?: string;
  moves?: PdnMove[];
  comments?: string[];
  tags?: Record<string, string>;
  /** Where there is none, it follows from `winner`: null for a draw, nothing for a game that goes on. */
  result?: string;
  winner?: Color | null;
  /** algebraic, numbers or rows-columns; empty: the rulebook's own. */
  numbering?: string;
}

/** A game that was read. */
export interface PdnGame extends PdnTree {
  fen: string;
  /** Whether it begins at the start of its rulebook. */
  standard: boolean;
  tags: Record<string, string>;
  result: string;
  winner: Color | null;
  comments: string[];
  moves: Required<PdnMove>[];
}

/** A game with a mistake, and what could be read of it. */
export interface BadPdnGame {
  /** Number of the game in the text, and the place of the mistake. */
  game: number;
  line: number;
  column: number;
  tags: Record<string, string>;
  /** Null where the tags name none. */
  rulebook: string | null;
  fen: string | null;
  /** The moves before the mistake, if it is a move of the main line. */
  moves: { text: string }[];
  /** The text that is wrong, and what is wrong with it. */
  text: string;
  problems: Problem[];
  refusal: Refusal | null;
  /** A rulebook that nobody knows. */
  unknown: string | null;
}
