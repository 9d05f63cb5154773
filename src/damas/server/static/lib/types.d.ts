// What the server sends and reads. Written by `make docs` from the Python views; a test says when it is stale.

/** Any other command of a player. */
export interface Act {
  t: "act"; id: string; last_seq: number;
  do: "abort" | "absence" | "accept" | "adjust" | "attention" | "blow" | "call" | "claim" | "crown" | "decline" | "demand" | "give" | "grant" | "lift" | "offer" | "press" | "refuse" | "report" | "resign" | "stop" | "take_back" | "touch" | "withdraw";
  rule?: string; square?: string | number; move?: string; conduct?: string; side?: "black" | "white";
}

/** Asks for the arbiter's role at this socket. */
export interface Arbitrate { t: "arbitrate"; key: string; }

/** A page of the archive; `next` asks for the following one. */
export interface Archive { games: ArchivedGame[]; next: string | null; }

/** A game in the archive. */
export interface ArchivedGame {
  id: string; rulebook: string; white: PlayerName; black: PlayerName; you: string | null; status: string;
  result: string | null; reason: string | null; article: string | null; plies: number; fen: string;
  time: string; created_ms: number; updated_ms: number;
}

/** How often a pupil has broken an article. */
export interface ArticleCountView { article: string; count: number; }

/** An article in our words, and the ids of our readings of it. */
export interface ArticleView { id: string; cite: string; tags: string[]; text: string; readings: string[]; }

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

/** A `Node` of the library as pages send and read it: a move with its annotations and alternatives. */
export interface Branch {
  text: string; nags?: number[]; comments?: string[]; variations?: Branch[][]; commands?: string;
  before?: string[];
}

/** A question that two rulebooks answer differently. */
export interface CauseView { switch: string; question: string; first: ClauseView; second: ClauseView; }

/** A chapter in the list of its study. */
export interface ChapterEntryView {
  id: string; title: string; rulebook: string; mode: string; orientation: string; version: number;
}

/** A line of chat. */
export interface Chat { t: "chat"; text: string; }

/** An article: as the text itself is cited, and our id of it. */
export interface CitationView { article: string; article_id: string; }

/** What a player may claim now, or call attention to. */
export interface ClaimView {
  kind: string; rule: string; article: string; article_id: string; have: number; need: number;
  message: string;
}

/** A board of the class, for the teacher. */
export interface ClassBoardView {
  id: string; key: string; white: string; black: string; status: string; result: string | null;
  rulebook: string; fen: string; move: number; awaited: string; held: boolean; calls: string[];
  irregularities: Record<string, number>; clocks: ClockView | null;
}

/** A pupil, for the teacher. */
export interface ClassPupilView {
  id: string; number: number; name: string; here: boolean; game: string | null;
}

/** What all pupils have done, and the homework. */
export interface ClassReportView { pupils: PupilReportView[]; homework: HomeworkView[]; }

/** What the games of a class are played by. */
export interface ClassTermsView { rulebook: string; preset: string; time: string; }

/** A class as its teacher follows it. */
export interface ClassView {
  id: string; title: string; code: string; terms: ClassTermsView; chat: boolean; held: boolean;
  notice: string; pupils: ClassPupilView[]; boards: ClassBoardView[];
}

/** A rulebook's answer to one question. */
export interface ClauseView { rulebook: string; value: any; answer: string; articles: CitationView[]; }

/** Milliseconds that each side has left (null without a clock), and whose time runs. */
export interface ClockView { white: number | null; black: number | null; running: string | null; }

/** Whether this page computes the moves of the level that its visitor plays against. */
export interface Compute { t: "compute"; ready: boolean; }

/** Something that a player may report of the opponent, with the article that forbids it. */
export interface ConductView { conduct: string; message: string; article: string; }

/** How far a draw rule has counted. */
export interface CountView {
  rule: string; name: string; have: number; need: number; since: number; rulebook: string; article: string;
  article_id: string; platform: boolean; message: string;
}

/** A study that was made; `bad` are the games that could not be read. */
export interface CreatedStudy { bad: any[]; chapters: number; id: string; url: string; }

/** A man that the opponent must crown before playing on. */
export interface CrowningView { by: string; square: number; name: string; }

/** What a regulation settles about the laws: may the platform end a game, and which limits wait for a claim. */
export interface Customs {
  platform_rules?: boolean; claims?: boolean; offers?: boolean; offers_wait?: boolean;
}

/** Draw rules that only one of two rulebooks has. */
export interface DrawDifferenceView { first: DrawRuleView[]; second: DrawRuleView[]; }

/** A draw rule, as data and in words. */
export interface DrawRuleView {
  id: string; rule: string; limit: number; claim: string; decides: string; platform: boolean; text: string;
  article: string; article_id: string; articles: CitationView[];
}

/** An arrow between two squares, or a marked square where both are equal. */
export interface DrawingView { start: number; end: number; color: "blue" | "green" | "red" | "yellow"; }

/** Positions in which something must be captured. */
export interface Drill { positions: PositionView[]; rulebook: string; seed: number; }

/** An ending to practise. */
export interface Ending {
  ending: string; fen: string; goal: string; rulebook: string; verdict: BoardProbeView; view: FrameView;
}

/** How a learner's move was answered. */
export interface EndingReply {
  after_move: FrameView; best: BoardProbedMoveView; kept: boolean; played: string; reply: string | null;
  verdict: BoardProbeView | null; view: FrameView; won: boolean;
}

/** A position that shows what an article means. */
export interface ExampleView {
  article: string; name: string; rulebook: string; view: PositionView; refused: string[]; played: boolean;
  lesson: string;
}

/** A legal move with internal squares and with names. */
export interface ExplainedMoveView {
  text: string; routes: number[][]; captured: number[]; promotes: boolean; from: string; to: string;
  route: string[];
}

/** A position in the explorer; the moves that were played most come first. */
export interface Explored {
  games: number; has_file: boolean; moves: ExploredMove[]; names: string[]; source: string;
}

/** A legal move, and the games in which it was played. */
export interface ExploredMove {
  black: number; draws: number; games: number; name: string; score: number | null; text: string;
  white: number;
}

/** A board that an arbiter follows: `board` and what comes after it only where `status` is that of a game. */
export interface FollowedBoard {
  board?: FollowedView; clocks?: ClockView; id: string; players?: any;
  rematch?: Record<string, string> | null; status: string;
}

/** A board among the many that an arbiter follows. */
export interface FollowedView {
  rulebook: string; preset: string; awaited: string; move: number; last: string; calls: string[];
  irregularities: Record<string, number>; news: NewsView[]; suspended: boolean; outcome: OutcomeView | null;
}

/** One of the positions of a game that is shown step by step. */
export interface FrameView {
  rulebook: string; fen: string; turn: string; pieces: Record<string, string>; legal: BoardMoveView[];
  must_capture: boolean; ply: number; last: LastMoveView | null; counts: CountView[];
  outcome: OutcomeView | null; claimed?: boolean;
}

/** A game that can be watched. */
export interface GameOnShow {
  black: string; fen: string; id: string; mine: boolean; ply: number; preset: string; rulebook: string;
  time: string; viewers: number; white: string;
}

/** A move in the graph of a report. */
export interface GraphPointView {
  score: number; chance: number; winner: string | null; plies: number | null; ply: number; number: number;
  by: string; move: string; lost: number; kind: string | null; forced: boolean;
}

/** What a text would mean in a scheme that the board does not use; offered, never played. */
export interface HintView { scheme: string; move: string; message: string; }

/** Homework, with the pupils who have done it. */
export interface HomeworkView {
  id: string; kind: string; title: string; rulebook: string; lesson: string; count: number; due: string;
  done: string[]; begun: Record<string, number>;
}

/** An intervention of the arbiter. */
export interface Intervene {
  t: "intervene"; id: string; last_seq: number;
  do: "clock" | "note" | "position" | "release" | "restore" | "result" | "resume" | "say" | "time";
  reason: string; side?: "black" | "white"; seconds?: number; fen?: string; ply?: number;
  result?: "" | "*" | "0-1" | "1-0" | "1/2-1/2"; conduct?: string;
}

/** An entry of the register. */
export interface IrregularityView {
  n: number; by: string; conduct: string; article: string; source: string; message: string;
}

/** A move that was played, or that an engine would play. */
export interface LastMoveView { text: string; route: number[]; captured: number[]; promotes: boolean; }

/** A mistake that is no puzzle: `forced`, `no_gain`, `second_way`, `no_end`, `too_easy` or `solved`. */
export interface LeftMistake { ply: number; why: string; }

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

/** A lesson in the list; its course is named by the rulebook. */
export interface LessonEntryView {
  id: string; course: string; chapter: string; title: string; summary: string; steps: number;
}

/** A whole lesson. */
export interface LessonView {
  id: string; course: string; chapter: string; title: string; summary: string; steps: number;
  step: StepView[]; next: LessonEntryView | null;
}

/** The second tempo of a capture: whoever captured lifts the pieces, in this order. */
export interface LiftingView { by: string; squares: number[]; }

/** The limit that is being counted. */
export interface LimitView { rule: string; article: string; have: number; need: number; unit: string; }

/** A line of play and its score. */
export interface LineView {
  score: number; chance: number; winner: string | null; plies: number | null; moves: LastMoveView[];
}

/** A rulebook in a list, with the name people know it by. */
export interface ListedRulebookView {
  id: string; aliases: string[]; hash: string; board: BoardShapeView; starter: string; gametype: string;
  source: string; special: string; reading_of: string; other_readings: OtherReadingView[]; lang: string;
  name: string; alias: string; summary: string;
}

/** A study in a list. */
export interface ListedStudyView {
  id: string; title: string; visibility: string; chapters: number; rulebook: string; updated_ms: number;
}

/** Who looks for a game, and which games can be watched. */
export interface LobbySnapshot { games: GameOnShow[]; playing: number; seeks: Seek[]; }

/** An article: as its text is cited, and as a sentence cites it. */
export interface LocalCitationView { article: string; where: string; }

/** The pieces of an ending to practise: see `damas.server.learning.ending.Ending`. */
export interface LocalEndingView {
  id: string; mine: string; theirs: string; goal: string; on_diagonal: boolean | null;
}

/** A position beside an article, and the moves of its game if it has one. */
export interface LocalExampleView {
  article: string; name: string; rulebook: string; position: string; refused: string[]; moves: string[];
  recorded: boolean; lesson: string;
}

/** All that can be learnt without a network, in one language; examples and puzzles by rulebook. */
export interface LocalLearningView {
  lessons: LocalLessonView[]; examples: Record<string, LocalExampleView[]>;
  puzzles: Record<string, LocalPuzzlesView>; endings: LocalEndingView[];
}

/** A lesson whose steps have no positions. */
export interface LocalLessonView {
  id: string; course: string; chapter: string; title: string; summary: string; steps: number;
  step: LocalStepView[]; next: LessonEntryView | null;
}

/** A draw rule of a rulebook, as sentences name it. */
export interface LocalLimitView {
  kind: string; counts: string; limit: number; names: string[]; name: string;
}

/** A puzzle without the positions of its solution. */
export interface LocalPuzzleView {
  id: string; rating: number; grade: number; motifs: string[]; moves: number; fen: string; goal: string;
  line: string[]; also: string[];
}

/** Some puzzles of a rulebook; how many it has, and of each motif. */
export interface LocalPuzzlesView {
  total: number; motifs: Record<string, number>; puzzles: LocalPuzzleView[];
}

/** A regulation, as far as a table in the browser asks it: see the settings of `Regulation`. */
export interface LocalRegulationView {
  where: string; customs: Customs; registers: boolean; people_lose_at: number; wrong_claim: string;
  wrong_claim_ms: number; clock_stopped_by: string; recorded: boolean; hints: boolean; take_back: boolean;
  offers_from_move: number; abort_before_ply: number; procedures: string[];
}

/** What a table of one rulebook needs: sentences, articles, and how each regulation is played under it. */
export interface LocalRulebookView {
  hash: string; terms: Record<string, LocalTermsView>; topics: Record<string, string>;
  whole_capture: [string, string]; crowning: string; turn: string; time_out: string; invalid_move: string;
  agrees: boolean; own: Record<string, string>; articles: Record<string, LocalCitationView>;
  limits: Record<string, LocalLimitView>;
}

/** A step without its positions. */
export interface LocalStepView {
  task: string; rulebook: string; text: string; after: string; articles: QuotedArticleView[];
  games: NamedRulebookView[]; view: PositionView | null; marks: number[]; numbered: boolean; position: string;
  moves: string[] | null; recorded: boolean; answer?: string[] | string; judged?: boolean;
  refuted?: Record<string, string[]>; tried?: string; code?: string; ask?: string; options?: number[];
  choices?: string[]; lifts?: number[]; frames?: FrameView[];
}

/** How a regulation is played under a rulebook (see the methods of `Regulation`). */
export interface LocalTermsView {
  agreement: boolean; touch_move: boolean; two_tempi: boolean; crowning_by_hand: boolean; bots_lose: boolean;
  people_lose: boolean; first_invalid_loses: boolean; judges_chain: boolean; lot: boolean;
  cites: Record<string, string>;
}

/** The sentences of the catalogue that a game in the browser says, in one language. */
export interface LocalWordsView {
  lang: string; regulations: Record<string, LocalRegulationView>; reportable: Record<string, string>;
  sentences: Record<string, string>; questions: Record<string, string>;
  rulebooks: Record<string, LocalRulebookView>;
}

/** A move of a report that gave something away, in words of every language. */
export interface MistakeReportView {
  ply: number; number: number; by: string; move: string; kind: string | null; lost: number; before: string;
  best: string; best_score: ScoreView; chance_before: number; chance_after: number; line: string[];
  message: Record<string, string>; sentence: Record<string, string>; missed: ShotView | null;
  allowed: ShotView | null; proof: ProofView | null;
}

/** Which mistakes of a game are trained from now on, and why the others are not. */
export interface MistakesTaken { left: LeftMistake[]; rulebook: string; taken: TakenMistake[]; }

/** How the first tries at puzzles of a motif went. */
export interface MotifRecord { motif: string; solved: number; tried: number; }

/** A whole move as text. */
export interface Move {
  t: "move"; id: string; ply: number; last_seq: number; move: string; side?: "black" | "white";
}

/** A move, its squares named as in the rulebook's FEN. */
export interface MoveView {
  text: string; from: string; to: string; route: string[]; captured: string[]; promotes: boolean;
  squares?: number[];
}

/** A rulebook to be read. */
export interface NamedRulebookView { id: string; name: string; }

/** An event that both players and the arbiter see: a claim, a refusal that counts, an intervention. */
export interface NewsView { n: number; kind: string; by: string | null; message: string; }

/** The puzzle that comes next; `met` is true where all of the motif were tried before. */
export interface NextPuzzle { id: string; met: boolean; }

/** Why the tables have no verdict. */
export interface NoProbeView { there: boolean; code: string; message: string; sentence: string; }

/** A line of play from the first position of a rulebook, or from another one. */
export interface OpeningLineView {
  source: string; name: string; moves: string[]; fen: string; turn: string; start?: string;
}

/** Another reading of a text that can be played, beside our own. */
export interface OtherReadingView {
  id: string; name: string; reading: string; answer: string; usual: string;
}

/** How a game ended: the winner, the reason and the article. */
export interface OutcomeView {
  result: string; winner: string | null; reason: string; rulebook: string; article: string;
  article_id: string; rule: string; platform: boolean; void: boolean; facts: any; message: string;
  sentence: string;
}

/** A line of a repertoire. */
export interface OwnLine {
  id: string; moves: string[]; name: string; questions: RepertoireQuestion[]; side: "black" | "white";
}

/** The mistake that a puzzle was made of. */
export interface OwnMistakeView { played: string; message: string; }

/** The games that were started. */
export interface PairedView { games: string[]; left: string; }

/** What came of a pasted list of names. */
export interface PastedView { added: PinView[]; twice: string[]; unreadable: string[]; }

/** A game that was read, with its variations. */
export interface PdnGameTree {
  comments: string[]; fen: string; moves: Branch[]; result: string; rulebook: string; standard: boolean;
  tags: Record<string, string>; winner: string | null;
}

/** A new PIN of a pupil, which is shown once. */
export interface PinView { id: string; number: number; name: string; pin: string; }

/** Asks for a `pong` with the same word. */
export interface Ping { t: "ping"; n?: number | string; }

/** A move of the score sheet and what it left on the player's clock. */
export interface PlayedMoveView {
  text: string; by: string; number: number; clock_ms: number | null; unfinished: boolean;
  start: string | null;
}

/** A player's name, and whether it is a person, a level or a bot. */
export interface PlayerName { kind: string; name: string; }

/** The answer to the server's `ping`. */
export interface Pong { t: "pong"; n?: number | string; }

/** A position and its legal moves. */
export interface PositionView {
  rulebook: string; fen: string; turn: string; pieces: Record<string, string>; legal: BoardMoveView[];
  must_capture: boolean;
}

/** How a regulation is played under a rulebook. */
export interface PresetView {
  time: string; touch_move: boolean; hints: boolean; take_back: boolean; agreement: boolean;
  recorded: boolean; by_lot: boolean; invalid_loses: boolean; illegal_lose_at: number;
  text_rules: TextRuleView[];
}

/** One thing wrong with a text or a setup. */
export interface ProblemView {
  code: string; token: string; offset: number; squares: string[]; message: string;
}

/** The moves that prove the reason for a mistake. */
export interface ProofView { motif: string; ply: number; moves: string[]; takes: number[]; marks: number[]; }

/** What a pupil has done. */
export interface PupilReportView {
  id: string; number: number; name: string; irregularities: ArticleCountView[]; refused: number;
  lessons: number; puzzles: number; homework: number;
}

/** A class as a pupil sees it. */
export interface PupilView {
  title: string; name: string; number: number; held: boolean; notice: string; game: string | null;
  opponent: string; mates: string[]; tasks: TaskView[];
}

/** A puzzle in the list, without its moves. */
export interface PuzzleEntryView {
  id: string; rating: number; grade: number; motifs: string[]; moves: number;
}

/** Some puzzles of a rulebook, without their moves. */
export interface PuzzleList {
  matching: number; motifs: Record<string, number>; puzzles: PuzzleEntryView[]; rulebook: string;
  total: number;
}

/** Puzzles of a run, each harder than the one before. */
export interface PuzzleRun { puzzles: string[]; seed: number; }

/** A few puzzles of every kind with their solutions. */
export interface PuzzleSample {
  motifs: Record<string, number>; puzzles: PuzzleView[]; rulebook: string; total: number;
}

/** A try is stored; `rating` is null where it was not for the rating. */
export interface PuzzleTried { change: number; ok: boolean; rating: SolverRating | null; }

/** A puzzle with every position of its solution. */
export interface PuzzleView {
  id: string; rating: number; grade: number; motifs: string[]; moves: number; rulebook: string; fen: string;
  goal: string; line: string[]; also: string[]; given: number; taken: number; frames: FrameView[];
  also_frames: Record<string, FrameView>; mistake: OwnMistakeView | null;
}

/** An article, or our reading of one, to be quoted beside a board. */
export interface QuotedArticleView {
  id: string; rulebook: string; cite: string; text: string; original: string; original_language: string;
}

/** A rating in its plot. */
export interface RatingPoint { at_ms: number; rating: number; }

/** How we read what the text leaves unclear, and the articles it is about. */
export interface ReadingView { id: string; about: string[]; text: string; }

/** Why a move or another act of a player is refused; of a move also what may be played instead. */
export interface RefusalView {
  code: string; message: string; lang: string; rulebook?: string; article?: string; article_id?: string;
  regulation?: string; known?: string[]; text?: string; problems?: ProblemView[]; tried?: string;
  legal?: string[]; also?: string[]; article_text?: string; alternatives?: BoardMoveView[]; route?: number[];
  marks?: number[]; best?: string[]; best_takes?: number; [fact: string]: any;
}

/** The register of irregularities: the latest entries, and the totals of all. */
export interface RegisterView { entries: IrregularityView[]; totals: TotalView[]; }

/** What an author says of a position, and has drawn on its board. */
export interface RemarkView { comments: string[]; drawings: DrawingView[]; }

/** A position of a line in which the visitor moves. */
export interface RepertoireQuestion { item: string; move: string; ply: number; }

/** The positions of a game or a line, the first one first. */
export interface ReplayView { book: ShownRulebookView; frames: FrameView[]; remarks: RemarkView[]; }

/** A report that is being made, or is done. */
export interface ReportJob {
  done: number; id: string; report: ReportView | null; state: string; total: number;
}

/** The report on a whole game. */
export interface ReportView {
  rulebook: string; start: string; plies: number; graph: GraphPointView[]; mistakes: MistakeReportView[];
  tally: Record<string, TallyView>;
}

/** Asks for every event after `last`. */
export interface Resume { t: "resume"; last: number; chain?: string; }

/** When an item comes back; `counted` is false where another page was first. */
export interface ReviewAnswered { counted: boolean; due_ms: number; item: string; }

/** Items of a deck; those up to `now_ms` are due. */
export interface ReviewDeck { deck: string; items: ReviewItem[]; now_ms: number; }

/** An item of a deck. */
export interface ReviewItem { due_ms: number; item: string; }

/** In what two rulebooks differ. */
export interface RulebookDifferenceView {
  first: string; second: string; lang: string; shared_board: boolean; same_moves: boolean;
  switches: SwitchDifferenceView[]; draws: DrawDifferenceView; positions: WitnessView[];
  without_position: string[];
}

/** A whole rulebook with what a page needs to show it and to play by it. */
export interface RulebookPageView {
  id: string; aliases: string[]; hash: string; board: BoardView; starter: string; gametype: string;
  source: string; special: string; reading_of: string; other_readings: OtherReadingView[]; lang: string;
  authors: string[]; label: string; sha256: string; articles: ArticleView[]; readings: ReadingView[];
  switches: SwitchView[]; statements: Record<string, string[]>; agreement: string; draws: DrawRuleView[];
  name: string; alias: string; summary: string; edition: string; river: boolean; start_fen: string;
  start: PositionView; presets: Record<string, PresetView>;
}

/** A score from White's side. */
export interface ScoreView { score: number; chance: number; winner: string | null; plies: number | null; }

/** What a search knows after a depth: an event of `/api/analysis/stream`. */
export interface SearchView {
  depth?: number; nodes?: number; nodes_per_second?: number; score?: number; chance?: number; winner?: string;
  plies?: number; lines?: LineView[]; waiting?: boolean; done?: string;
}

/** Somebody who looks for an opponent; `color` is the one that is free. */
export interface Seek {
  color: string; colour: string; id: string; mine: boolean; name: string; preset: string; rulebook: string;
  time: string;
}

/** A shot: pieces given for more pieces taken. */
export interface ShotView { moves: string[]; takes: number[]; given: number; taken: number; }

/** What a board needs to know of a rulebook to draw a position. */
export interface ShownRulebookView { id: string; name: string; river: boolean; board: BoardView; }

/** How strong a solver of puzzles is, by Glicko-2. */
export interface SolverRating { attempts: number; deviation: number; provisional: boolean; rating: number; }

/** A square as White sees it, with its name in every scheme. */
export interface SquareView { row: number; column: number; alg: string; numbers: string; rc: string; }

/** A step of a lesson; which of the last fields it has depends on its task. */
export interface StepView {
  task: string; rulebook: string; text: string; after: string; articles: QuotedArticleView[];
  games: NamedRulebookView[]; view: PositionView | null; marks: number[]; numbered: boolean;
  answer?: string[] | string; judged?: boolean; refuted?: Record<string, string[]>; tried?: string;
  code?: string; ask?: string; options?: number[]; choices?: string[]; lifts?: number[]; frames?: FrameView[];
}

/** A chapter with its game. */
export interface StudyChapter {
  game: PdnGameTree; id: string; mode: string; orientation: string; rulebook: string; title: string;
  version: number;
}

/** The visitor's own studies, or the public ones of an account, last changed first. */
export interface StudyListView { author: string | null; studies: ListedStudyView[]; }

/** A study without the games of its chapters. */
export interface StudyView {
  id: string; title: string; visibility: string; version: number; author: string | null; mine: boolean;
  updated_ms: number; chapters: ChapterEntryView[];
}

/** A question that two rulebooks answer differently. */
export interface SwitchDifferenceView {
  key: string; question: string; first: ClauseView; second: ClauseView;
}

/** A rulebook's answer to one question, with the question. */
export interface SwitchView {
  rulebook: string; value: any; answer: string; articles: CitationView[]; section: string; key: string;
  question: string;
}

/** A game that is being played, as boards show it. */
export interface TableView {
  rulebook: string; fen: string; turn: string; pieces: Record<string, string>; legal: BoardMoveView[];
  must_capture: boolean; ply: number; last: LastMoveView | null; counts: CountView[];
  outcome: OutcomeView | null; moves: PlayedMoveView[]; to_move: string; awaited: string; claims: ClaimView[];
  offer: string | null; take_back: string | null; touched: string | null; touched_square: number | null;
  adjusting: string[]; unfinished: UnfinishedView | null; lifting: LiftingView | null;
  crowning: CrowningView | null; conduct: ConductView[]; register: RegisterView; news: NewsView[];
  absent: Record<string, number>; calls: string[]; clocks: ClockView; suspended: boolean; hints: boolean;
  touch_move: boolean; preset: string; time: string; can: string[]; corrected: boolean; waiting: boolean;
}

/** A mistake that is a puzzle now. */
export interface TakenMistake { id: string; ply: number; }

/** How many mistakes a side made, and the share of its chances that it kept. */
export interface TallyView {
  blunder: number; mistake: number; inaccuracy: number; moves: number; kept: number;
}

/** Homework as a pupil sees it. */
export interface TaskView {
  id: string; kind: string; title: string; rulebook: string; lesson: string; count: number; due: string;
  done: boolean; solved: number;
}

/** A rule of the text or of the regulation that the line of a regulation mentions. */
export interface TextRuleView { rule: string; stands: string; article: string; }

/** How many irregularities a player has by one article. */
export interface TotalView { by: string; article: string; count: number; }

/** A solver's rating and its past; the motifs that are solved least come first. */
export interface Training {
  motifs: MotifRecord[]; points: RatingPoint[]; rating: SolverRating; rulebook: string;
}

/** What a solver may do today. */
export interface TrainingToday {
  daily: string; daily_solved: boolean; date: string; days: number; due: number; rulebook: string;
}

/** A game as a page sends it. */
export interface Tree {
  rulebook: string; fen?: string; moves?: Branch[]; comments?: string[]; tags?: Record<string, string>;
  result?: string; numbering?: string;
}

/** A man that passes the last row without ending its move there stays a man. */
export interface UncrownedView { square: string; article: string; article_id: string; message: string; }

/** A capture that stopped early. */
export interface UnfinishedView {
  by: string; move: string; route: number[]; demanded: boolean; article: string;
}

/** A position and its legal moves under one of two rulebooks. */
export interface WitnessSideView { rulebook: string; fen: string; moves: MoveView[]; }

/** A position in which two rulebooks allow different moves. */
export interface WitnessView {
  switch: string; causes: CauseView[][]; first: WitnessSideView; second: WitnessSideView;
}
