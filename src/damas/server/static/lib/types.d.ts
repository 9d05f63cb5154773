// What the server sends and reads. Written by `make docs` from the Python views; a test says when it is stale.

export interface Account { bot: boolean; id: string; name: string; }

/** Any other command of a player. */
export interface Act {
  t: "act"; id: string; last_seq: number;
  do: "abort" | "absence" | "accept" | "adjust" | "attention" | "claim" | "decline" | "demand" | "grant" | "offer" | "press" | "refuse" | "resign" | "stop" | "take_back" | "touch" | "withdraw";
  rule?: string; square?: string | number; move?: string; side?: "black" | "white";
}

/** By a link: whoever opens it may take the other seat. */
export interface AgainstFriend { kind: "friend"; }

export interface AgainstLevel { kind: "level"; level?: number; }

/** Whoever looks into the lobby. */
export interface AgainstSeek { kind: "seek"; }

export interface AiTerms {
  rulebook: string; time?: string; color?: "black" | "random" | "white"; preset?: string; fen?: string;
  level?: number;
}

/** A page of the archive; `next` asks for the following one. */
export interface Archive { games: ArchivedGame[]; next: string | null; }

/** A game in the archive. */
export interface ArchivedGame {
  article: string | null; black: PlayerName; created_ms: number; fen: string; id: string; plies: number;
  reason: string | null; result: string | null; rulebook: string; status: string; time: string;
  updated_ms: number; white: PlayerName; you: string | null;
}

/** An article in our words, and the ids of our readings of it. */
export interface ArticleView { id: string; cite: string; tags: string[]; text: string; readings: string[]; }

/** A position for the lens, in the notation of the rulebook, or of the first that can read it. */
export interface AskCompare { fen: string; rulebook?: string; }

/** An ending to practise; the same seed gives the same position. */
export interface AskEnding { rulebook: string; ending: string; seed?: number; }

/** A move somebody tried: by its text in any scheme, or by the squares of a board. */
export interface AskExplain { rulebook: string; fen?: string; move?: string; route?: number[]; }

/** Recorded games. `rulebook` is for games that name none; `letter` leaves platform rules out. */
export interface AskJudge { pdn: string; rulebook?: string; letter?: boolean; }

/** A position, and moves played from it; the opening position where no FEN is given. */
export interface AskPosition { rulebook: string; fen?: string; moves?: string[]; }

/** The moves of a practice game, the learner's last one at the end. */
export interface AskReply { rulebook: string; fen: string; moves: string[]; }

/** How a puzzle went. */
export interface Attempt { solved: boolean; hints?: number; spent_ms?: number; }

/** The answer of `POST /api/explain`: moves with the squares of a board. */
export interface BoardExplanationView {
  rulebook: string; fen: string; tried: string; scheme: string | null; legal: boolean;
  not_crowned: UncrownedView | null; refusal: RefusalView | null; hint: HintView | null; route: number[];
  after?: string; article_text?: string; move?: ExplainedMoveView; alternatives?: BoardMoveView[];
  marks?: number[];
}

/** A move in internal squares, with every route that leads to the same position. */
export interface BoardMoveView { text: string; routes: number[][]; captured: number[]; promotes: boolean; }

/** The same as `ProbeView` for boards: `POST /api/tablebase`. */
export interface BoardProbeView {
  verdict: string; value: string; unlimited: string; winner: string | null; plies: number | null;
  budget: number | null; limit: LimitView | null; left_out: string[]; message: string; sentence: string;
  there: boolean; moves: BoardProbedMoveView[];
}

/** A move for boards, and what it comes to. */
export interface BoardProbedMoveView {
  text: string; route: number[]; captured: number[]; promotes: boolean; verdict: string; value: string;
  plies: number | null; ends: string | null; name: string;
}

/** Rows of a board, its playing squares (dark or all) and the hand at which each player has a playing corner. */
export interface BoardShapeView { size: number; squares: string; corner: string; }

/** A board, its squares in the order of their internal index. */
export interface BoardView {
  size: number; all_squares: boolean; corner: string; squares: SquareView[]; scheme: string;
  first_number: string; main_diagonal: number[];
}

/** A move of a tree with its annotations and alternatives. */
export interface Branch { text: string; nags?: number[]; comments?: string[]; variations?: Branch[][]; }

/** A question that two rulebooks answer differently. */
export interface CauseView { switch: string; question: string; first: ClauseView; second: ClauseView; }

/** What proves how a game ended; `damas judge` checks it. */
export interface Certificate { ledger: any[]; outcome: any; seal: string; }

/** A game that waits for one certain player; `color` is that of the challenger. */
export interface ChallengeTerms {
  challenger: Person; color: string; destUser: Person; id: string; preset: string; rulebook: string;
  status: string; time: string; url: string;
}

export interface Chat { t: "chat"; text: string; }

/** An article: as the text itself is cited, and our id of it. */
export interface CitationView { article: string; article_id: string; }

/** What a player may claim now, or call attention to. */
export interface ClaimView {
  kind: string; rule: string; article: string; article_id: string; have: number; need: number;
  message: string;
}

/** A rulebook's answer to one question. */
export interface ClauseView { rulebook: string; value: any; answer: string; articles: CitationView[]; }

/** Milliseconds that each side has left (null without a clock), and whose time runs. */
export interface ClockView { white: number | null; black: number | null; running: string | null; }

export interface Contest { entries: any[]; id: string; status: string; table: any | null; title: string; }

export interface ContestList { contests: any[]; no_box: string | null; }

/** An event of a tournament's stream: how far it is, and the games in play. */
export interface ContestNews { done: number; games: any[]; status: string; total: number; version: string; }

export interface ContestResults { list: any[]; players: any[]; settings: any; }

/** How far a draw rule has counted. */
export interface CountView {
  rule: string; have: number; need: number; since: number; rulebook: string; article: string;
  article_id: string; platform: boolean; message: string;
}

/** A game or a tournament that was made. */
export interface Created { id: string; url: string; }

export interface CreatedChallenge { challenge: ChallengeTerms; id: string; url: string; }

/** To make an account, or to log in to one. */
export interface Credentials { name: string; password: string; }

/** Draw rules that only one of two rulebooks has. */
export interface DrawDifferenceView { first: DrawRuleView[]; second: DrawRuleView[]; }

/** A draw rule, as data and in words. */
export interface DrawRuleView {
  id: string; rule: string; limit: number; claim: string; decides: string; platform: boolean; text: string;
  article: string; article_id: string; articles: CitationView[];
}

/** An ending to practise. */
export interface Ending {
  ending: string; fen: string; goal: string; rulebook: string; verdict: BoardProbeView; view: FrameView;
}

/** How a learner's move was answered. */
export interface EndingReply {
  after_move: FrameView; best: BoardProbedMoveView; kept: boolean; played: string; reply: string | null;
  verdict: BoardProbeView | null; view: FrameView; won: boolean;
}

/** Why something is refused: a stable code, a sentence for people, and the facts that go with the code. */
export interface ErrorView {
  code: string; message: string; lang: string; rulebook?: string; article?: string; article_id?: string;
  regulation?: string; known?: string[]; [fact: string]: any;
}

/** A position that shows what an article means. */
export interface ExampleView {
  article: string; lesson: string; name: string; played: boolean; refused: string[]; rulebook: string;
  view: PositionView;
}

/** A legal move with internal squares and with names. */
export interface ExplainedMoveView {
  text: string; routes: number[][]; captured: number[]; promotes: boolean; from: string; to: string;
  route: string[];
}

/** One of the positions of a game that is shown step by step. */
export interface FrameView {
  rulebook: string; fen: string; turn: string; pieces: Record<string, string>; legal: BoardMoveView[];
  must_capture: boolean; ply: number; last: LastMoveView | null; counts: CountView[];
  outcome: OutcomeView | null; claimed?: boolean;
}

/** A game step by step. */
export interface Frames { frames: FrameView[]; }

/** A game that can be watched. */
export interface GameOnShow {
  black: string; fen: string; id: string; mine: boolean; ply: number; preset: string; rulebook: string;
  time: string; viewers: number; white: string;
}

/** The whole of a game, as the socket's `hello` has it too. */
export interface GameReply {
  chain: string; clocks: ClockView; epoch: number; first_move_ms: number | null; game: string;
  paused: string | null; players: Record<string, Seat>; previous: string | null; rematch: string | null;
  seq: number; server_ms: number; start: string; status: string; view: TableView; you: string;
}

/** A game at one of its plies: the position, the last move, what is counted and how it ended. */
export interface GameView {
  rulebook: string; fen: string; turn: string; pieces: Record<string, string>; legal: BoardMoveView[];
  must_capture: boolean; ply: number; last: LastMoveView | null; counts: CountView[];
  outcome: OutcomeView | null;
}

/** A move in the graph of a report. */
export interface GraphPointView {
  score: number; chance: number; winner: string | null; plies: number | null; ply: number; number: number;
  by: string; move: string; lost: number; kind: string | null; forced: boolean;
}

/** What a text would mean in a scheme that the board does not use; offered, never played. */
export interface HintView { scheme: string; move: string; message: string; }

export interface Joined { id: string; url: string; you: string; }

export interface JudgedGames { games: VerdictView[]; holds: boolean; }

export interface KeptProgress { progress: any; }

/** A move that was played, or that an engine would play. */
export interface LastMoveView { text: string; route: number[]; captured: number[]; promotes: boolean; }

/** Rulebooks that allow the same moves. */
export interface LensGroupView {
  count: number; rulebooks: LensRulebookView[]; moves: MoveView[]; added: MoveView[]; missing: MoveView[];
}

/** A rulebook of a group: the position and its moves as it writes them, and why they differ from the first's. */
export interface LensRulebookView { id: string; fen: string; moves: string[]; causes: CauseView[][]; }

/** One position under every rulebook of its board. */
export interface LensView {
  rulebook: string; fen: string; turn: string; lang: string; groups: LensGroupView[];
  pieces: Record<string, string>;
}

/** A lesson in the list. */
export interface LessonEntryView {
  chapter: string; id: string; rulebook: string; steps: number; summary: string; title: string;
}

export interface LessonList { lessons: LessonEntryView[]; }

/** A whole lesson. */
export interface LessonView {
  chapter: string; id: string; next: LessonEntryView | null; rulebook: string; step: StepView[];
  steps: number; summary: string; title: string;
}

/** The limit that is being counted. */
export interface LimitView { rule: string; article: string; have: number; need: number; unit: string; }

/** The positions of a line; `error` says why it ends early. */
export interface LineOfPlay { error: ErrorView | null; views: GameView[]; }

/** A line of play and its score. */
export interface LineView {
  score: number; chance: number; winner: string | null; plies: number | null; moves: LastMoveView[];
}

/** A rulebook in a list, with the name people know it by. */
export interface ListedRulebookView {
  id: string; aliases: string[]; hash: string; board: BoardShapeView; starter: string; gametype: string;
  source: string; special: string; lang: string; name: string; alias: string; summary: string;
}

export interface LobbySnapshot { games: GameOnShow[]; playing: number; seeks: Seek[]; }

/** A move of a report that gave something away, in words of every language. */
export interface MistakeReportView {
  ply: number; number: number; by: string; move: string; kind: string | null; lost: number; before: string;
  best: string; best_score: ScoreView; chance_before: number; chance_after: number; line: string[];
  message: Record<string, string>; sentence: Record<string, string>; missed: ShotView | null;
  allowed: ShotView | null;
}

/** A whole move as text. */
export interface Move {
  t: "move"; id: string; ply: number; last_seq: number; move: string; side?: "black" | "white";
}

/** A move, its squares named as in the rulebook's FEN. */
export interface MoveView {
  text: string; from: string; to: string; route: string[]; captured: string[]; promotes: boolean;
  squares?: number[];
}

export interface NewAccount { name: string; password: string; bot?: boolean; }

/** What somebody wants to play. */
export interface NewGame {
  rulebook: string; opponent: AgainstLevel | AgainstFriend | OnOneDevice | AgainstSeek;
  color?: "black" | "random" | "white"; colour?: "black" | "random" | "white"; time?: string; preset?: string;
  fen?: string; public?: boolean;
}

export interface NewToken { scopes: string[]; label?: string; }

/** Why the tables have no verdict. */
export interface NoProbeView { there: boolean; code: string; message: string; sentence: string; }

export interface Ok { ok: boolean; }

/** Two people, one screen. */
export interface OnOneDevice { kind: "device"; }

/** How a game ended: the winner, the reason and the article. */
export interface OutcomeView {
  result: string; winner: string | null; reason: string; rulebook: string; article: string;
  article_id: string; rule: string; platform: boolean; void: boolean; facts: any; message: string;
  sentence: string;
}

/** A game that was read, with its variations. */
export interface PdnGameTree {
  comments: string[]; fen: string; moves: TreeMove[]; result: string; rulebook: string; standard: boolean;
  tags: Record<string, string>; winner: string | null;
}

/** The games of a text; `bad` ones could not be read. */
export interface PdnGames { bad: any[]; games: PdnGameTree[]; [fact: string]: any; }

export interface PdnText { pdn: string; rulebook?: string; }

export interface Person { id: string; name: string; }

export interface Ping { t: "ping"; n?: number | string; }

/** A move of the score sheet and what it left on the player's clock. */
export interface PlayedMoveView { text: string; by: string; clock_ms: number | null; unfinished: boolean; }

export interface PlayerName { kind: string; name: string; }

export interface Pong { t: "pong"; n?: number | string; }

/** A position and its legal moves. */
export interface PositionView {
  rulebook: string; fen: string; turn: string; pieces: Record<string, string>; legal: BoardMoveView[];
  must_capture: boolean;
}

/** How a regulation is played under a rulebook. */
export interface PresetView {
  time: string; touch_move: boolean; hints: boolean; take_back: boolean; agreement: boolean;
  recorded: boolean; by_lot: boolean;
}

/** One thing wrong with a text or a setup. */
export interface ProblemView {
  code: string; token: string; offset: number; squares: string[]; message: string;
}

/** What a visitor has done, by key: `lesson.ID`, `puzzles.RULEBOOK`, `endings.RULEBOOK`. */
export interface Progress { progress: any; }

/** A puzzle in the list: nothing that gives it away. */
export interface PuzzleEntryView { grade: number; id: string; motif: string; moves: number; }

export interface PuzzleList { puzzles: PuzzleEntryView[]; rulebook: string; }

export interface PuzzleSheet { puzzles: PuzzleView[]; rulebook: string; }

/** A puzzle with every position of its solution. */
export interface PuzzleView {
  also: string[]; also_frames: Record<string, FrameView>; fen: string; frames: FrameView[]; given: number;
  grade: number; id: string; level: number; line: string[]; motif: string; moves: number; rulebook: string;
  taken: number;
}

/** An article, or our reading of one, to be quoted beside a board. */
export interface QuotedArticleView { cite: string; id: string; rulebook: string; text: string; }

/** How we read what the text leaves unclear, and the articles it is about. */
export interface ReadingView { id: string; about: string[]; text: string; }

/** Why a program lost. */
export interface Receipt {
  article: string; fen: string; id: string; legal: string[]; name: string; nearest: string | null;
  said: string; verdict: string;
}

/** Why a move or another act of a player is refused; of a move also what may be played instead. */
export interface RefusalView {
  code: string; message: string; lang: string; rulebook?: string; article?: string; article_id?: string;
  regulation?: string; known?: string[]; text?: string; problems?: ProblemView[]; tried?: string;
  legal?: string[]; also?: string[]; article_text?: string; alternatives?: BoardMoveView[]; route?: number[];
  marks?: number[]; best?: string[]; best_takes?: number; [fact: string]: any;
}

/** A report that is being made, or is done. */
export interface ReportJob {
  done: number; id: string; report: ReportView | null; state: string; total: number;
}

/** The game of a report: a stored game, a PDN, or a position with moves. */
export interface ReportRequest {
  game?: string; pdn?: string; rulebook?: string; fen?: string; moves?: string[];
}

/** The report on a whole game. */
export interface ReportView {
  rulebook: string; start: string; plies: number; graph: GraphPointView[]; mistakes: MistakeReportView[];
  tally: Record<string, TallyView>;
}

export interface Resume { t: "resume"; last: number; chain?: string; }

/** In what two rulebooks differ. */
export interface RulebookDifferenceView {
  first: string; second: string; lang: string; shared_board: boolean; same_moves: boolean;
  switches: SwitchDifferenceView[]; draws: DrawDifferenceView; positions: WitnessView[];
  without_position: string[];
}

export interface RulebookList { rulebooks: ListedRulebookView[]; }

/** A whole rulebook with what a page needs to show it and to play by it. */
export interface RulebookPageView {
  id: string; aliases: string[]; hash: string; board: BoardView; starter: string; gametype: string;
  source: string; special: string; lang: string; sha256: string; articles: ArticleView[];
  readings: ReadingView[]; switches: SwitchView[]; statements: Record<string, string[]>;
  draws: DrawRuleView[]; name: string; alias: string; summary: string; edition: string; river: boolean;
  start_fen: string; start: PositionView; presets: Record<string, PresetView>;
}

export interface Said { text: string; }

/** A score from White's side. */
export interface ScoreView { score: number; chance: number; winner: string | null; plies: number | null; }

/** What a search knows after a depth: an event of `/api/analysis/stream`. */
export interface SearchView {
  depth?: number; nodes?: number; nodes_per_second?: number; score?: number; chance?: number; winner?: string;
  plies?: number; lines?: LineView[]; waiting?: boolean; done?: string;
}

/** A player of a game: whether the seat is still free, and whether somebody is there. */
export interface Seat { free: boolean; here: boolean; kind: string; name: string; }

/** Somebody who looks for an opponent; `color` is the one that is free. */
export interface Seek {
  color: string; colour: string; id: string; mine: boolean; name: string; preset: string; rulebook: string;
  time: string;
}

/** Whether pieces may stand so; where they may not, the fields of the error stand beside it. */
export interface SetupCheck { fen?: string; fits: boolean; standard?: boolean; }

/** A shot: pieces given for more pieces taken. */
export interface ShotView { moves: string[]; given: number; taken: number; }

/** A square as White sees it, with its name in every scheme. */
export interface SquareView { row: number; column: number; alg: string; numbers: string; rc: string; }

/** A step of a lesson; which of the last fields it has depends on its task. */
export interface StepView {
  after: string; answer?: string[] | string; article: QuotedArticleView | null; ask?: string; code?: string;
  frames?: FrameView[]; judged?: boolean; marks: number[]; numbered: boolean; options?: number[];
  refuted?: Record<string, string[]>; rulebook: string; task: string; text: string; tried?: string;
  view: PositionView | null;
}

/** A line of a stream; what else it has depends on its type. */
export interface StreamEvent { type: string; }

/** A line of play; its positions from ply `since` on are wanted. */
export interface Stretch { rulebook: string; fen?: string; moves?: string[]; since?: number; }

/** A question that two rulebooks answer differently. */
export interface SwitchDifferenceView {
  key: string; question: string; first: ClauseView; second: ClauseView;
}

/** A rulebook's answer to one question, with the question. */
export interface SwitchView {
  rulebook: string; value: any; answer: string; articles: CitationView[]; section: string; key: string;
  question: string;
}

/** What the endgame tables say: a `BoardProbeView`, or why they say nothing. */
export interface TableAnswer { message: string; sentence: string; there: boolean; }

/** A game that is being played, as boards show it. */
export interface TableView {
  rulebook: string; fen: string; turn: string; pieces: Record<string, string>; legal: BoardMoveView[];
  must_capture: boolean; ply: number; last: LastMoveView | null; counts: CountView[];
  outcome: OutcomeView | null; moves: PlayedMoveView[]; to_move: string; awaited: string; claims: ClaimView[];
  offer: string | null; take_back: string | null; touched: string | null; touched_square: number | null;
  adjusting: string[]; unfinished: UnfinishedView | null; absent: Record<string, number>; clocks: ClockView;
  suspended: boolean; hints: boolean; touch_move: boolean; preset: string; time: string; can: string[];
  waiting: boolean;
}

/** How many mistakes a side made, and the share of its chances that it kept. */
export interface TallyView {
  blunder: number; mistake: number; inaccuracy: number; moves: number; kept: number;
}

/** The terms of a game. */
export interface Terms {
  rulebook: string; time?: string; color?: "black" | "random" | "white"; preset?: string; fen?: string;
}

export interface Token { id: string; label: string; scopes: string[]; token: string; }

/** A game as a page sends it. */
export interface Tree {
  rulebook: string; fen?: string; moves?: Branch[]; comments?: string[]; tags?: Record<string, string>;
  result?: string; numbering?: string;
}

/** A move of a tree, its comments, and what could have been played instead. */
export interface TreeMove { comments: string[]; nags: number[]; text: string; variations: TreeMove[][]; }

/** A man that passes the last row without ending its move there stays a man. */
export interface UncrownedView { square: string; article: string; article_id: string; message: string; }

/** A capture that stopped early. */
export interface UnfinishedView { by: string; move: string; route: number[]; demanded: boolean; }

/** Whether the recorded result of a game is what the rules give. */
export interface VerdictView {
  game: number; white: string; black: string; verdict: string; holds: boolean; rulebook: string; ply: number;
  plies: number; recorded: string; results: [string, string] | null; rules: OutcomeView | null;
  article: string; explanation: string; refusal: RefusalView | null; line: number | null; message: string;
  lang: string; story?: string[]; file?: string;
}

/** A place in a game. */
export interface Where { rulebook: string; fen?: string; moves?: string[]; }

export interface WhoAmI { account: boolean; bot: boolean; id: string; name: string; scopes: string[]; }

/** A position and its legal moves under one of two rulebooks. */
export interface WitnessSideView { rulebook: string; fen: string; moves: MoveView[]; }

/** A position in which two rulebooks allow different moves. */
export interface WitnessView {
  switch: string; causes: CauseView[][]; first: WitnessSideView; second: WitnessSideView;
}

export interface WrittenPdn { pdn: string; }
