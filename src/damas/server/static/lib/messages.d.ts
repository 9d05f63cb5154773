/**
 * What the server sends, as the pages name it: the generated views with their closed sets of words, and by
 * hand what has no generated view. A square is an index into `BoardView.squares`.
 */

import type { GameSettings } from '../core/types.js';
import type * as views from './types.js';

export type Side = 'white' | 'black';
export type NotationScheme = 'alg' | 'numbers' | 'rc';
export type MistakeKind = 'inaccuracy' | 'mistake' | 'blunder';
/** Piece codes (w, W, b, B) by square index. */
export type Pieces = Record<string, string>;

/** Fields that are only strings in the generated views. */
interface Words {
  turn: Side;
  by: Side;
  to_move: Side;
  winner: Side;
  offer: Side;
  take_back: Side;
  running: Side;
  scheme: NotationScheme;
}

/** A generated view whose fields have the words of `Words`. */
export type Exact<View> =
  View extends (infer Item)[] ? Exact<Item>[] :
  View extends object ? {
    [Name in keyof View]: Name extends keyof Words
      ? Words[Name] | Extract<View[Name], null | undefined> : Exact<View[Name]>
  } : View;

/** A type with some fields replaced. */
export type With<View, Fields> = Omit<View, keyof Fields> & Fields;

// Rulebooks and positions

export type NamedSquare = views.SquareView;
export type BoardView = Exact<views.BoardView>;
export type RulebookView = Exact<views.RulebookPageView>;
/** What a board needs of a rulebook. */
export type ShownRulebook = Exact<views.ShownRulebookView>;
/** A rulebook in the list of all rulebooks. */
export type RulebookEntry = views.ListedRulebookView;
/** A legal move with every route that leads to the same position. */
export type MoveView = views.BoardMoveView;
export type CountView = views.CountView;
/** A position of a recorded game; `claimed` when a player claimed a draw there. */
export type FrameView = Exact<views.FrameView>;
/** The positions of a game or line, and what a board needs to draw them. */
export type RemarkView = Exact<views.RemarkView>;
export type ReplayView = Exact<views.ReplayView>;

/** What a board shows: a position, and as much of its game as is known. */
export type PositionView =
  Pick<Exact<views.PositionView>, 'fen' | 'turn' | 'pieces' | 'legal' | 'must_capture'>
  & Partial<Exact<views.TableView>>;

// Refusals

/** Why a move or command is refused, and by which article. */
export type RefusalView =
  { code: string; message: string }
  & Partial<Pick<views.RefusalView, 'rulebook' | 'article' | 'article_id' | 'tried' | 'article_text'
    | 'alternatives' | 'marks'>>;

/** The answer of `/api/explain`, or as much of it as is known without asking. */
export type ExplanationView =
  With<Partial<Exact<views.BoardExplanationView>>, { refusal: RefusalView | null }>;

// Games

/** Whose seat the visitor has. */
export type You = Side | 'both' | 'viewer' | 'arbiter';
export type ClocksView = Exact<views.ClockView>;
/** A move of the game so far. */
export type PlayedMoveView = Exact<views.PlayedMoveView>;
export type ClaimView = With<views.ClaimView, { kind: 'claim' | 'attention' }>;
export type GameView = With<Exact<views.TableView>, { claims: ClaimView[]; adjusting: Side[] }>;

export interface PlayerView {
  name: string;
  /** `person`, `bot` or `level:N`. */
  kind: string;
  /** Nobody has taken the seat. */
  free: boolean;
  here: boolean;
  /** Has had the arbiter's link since before the other person came. */
  arbiter_link: boolean;
}

export type PlayersView = Record<Side, PlayerView>;

/** Clocks at the moment a message was sent. */
export interface ClockMoment {
  clocks?: ClocksView;
  /** Milliseconds left for a first move that is awaited. */
  first_move_ms?: number | null;
  /** Whether a teacher holds the game. */
  held?: boolean;
}

export interface HelloMessage extends ClockMoment {
  t: 'hello';
  seq: number;
  chain: string;
  /** The game of which this is the rematch. */
  previous: string | null;
  status: string;
  you: You;
  /** Whether this visitor may take the free seat. */
  may_join: boolean;
  players: PlayersView;
  viewers?: number;
  view: GameView;
  rematch: string | null;
  arbiter_wanted: Side[];
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
export interface ChatMessage {
  t: 'chat';
  room: 'players' | 'viewers';
  name: string;
  text: string;
  wall_ms: number;
}


/** The server asks this page for the move of the level it plays against. */
export interface ThinkMessage {
  t: 'think';
  ply: number;
  side: Side;
  level: number;
  seed: number;
  /** Of the strongest level, which thinks by the clock. */
  movetime_ms: number | null;
  /** A reply comes no sooner, so that people see their own move first. */
  reply_ms: number;
  rulebook: string;
  game: GameSettings;
}

/** Messages without a number. */
export type NoticeMessage =
  | ChatMessage
  | ThinkMessage
  | { t: 'presence'; white: boolean; black: boolean; viewers: number; arbiter: boolean }
  | { t: 'players'; players: PlayersView }
  | { t: 'rematch'; id: string | null; by: Side | null }
  | { t: 'arbiter'; by: Side; agreed: boolean }
  | { t: 'called_off' }
  | { t: 'paused'; reason: string; message?: string }
  | ({ t: 'resumed' } & ClockMoment);

export type ServerMessage =
  | HelloMessage | EventMessage | AckMessage | NackMessage | NoticeMessage
  | { t: 'busy'; id: string; retry_ms: number }
  | { t: 'ping' | 'pong'; n: number }
  | { t: 'superseded' | 'restarting' };

/** A command, sent again with the same id until the server answers it. */
export type CommandMessage = views.Move | views.Act | views.Intervene;
export type CommandName = views.Act['do'];
/** What the arbiter does. */
export type Remedy = views.Intervene['do'];
export type ClientMessage =
  CommandMessage | views.Arbitrate | views.Compute | views.Resume | views.Chat | views.Ping | views.Pong;

/** A board that an arbiter follows; without `board` where the link is wrong or the game cannot be had. */
export type FollowedBoard = With<views.FollowedBoard, {
  players?: PlayersView; board?: With<Exact<views.FollowedView>, { calls: Side[]; awaited: Side }>;
  clocks?: ClocksView; rematch?: { id: string; key: string } | null;
}>;

// The lobby

export type SeekView = views.Seek;
export type LiveGameView = views.GameOnShow;
export type LobbyView = views.LobbySnapshot;

// Analysis

/** A score from White's side; empty if unknown. */
export type ScoreView = Partial<Exact<views.ScoreView>>;
export type EngineLineView = Exact<views.LineView>;
/** A message of the engine's stream. */
/** `threads`: of a search in this browser. */
export type EngineResultView = Exact<views.SearchView> & { threads?: number };
export type ShotView = views.ShotView;
export type MistakeView = With<Exact<views.MistakeReportView>, { kind: MistakeKind | null }>;
export type GraphPointView = With<Exact<views.GraphPointView>, { kind: MistakeKind | null }>;
export type ReportView = {
  graph: GraphPointView[];
  mistakes: MistakeView[];
  tally: Record<Side, views.TallyView>;
};

export type ReportJobView = With<views.ReportJob, { report: ReportView | null }>;
export type ExploredView = views.Explored;
export type OwnLine = views.OwnLine;
export type RepertoireQuestion = views.RepertoireQuestion;
export type OpeningLine = Exact<views.OpeningLineView>;
export type TablebaseView = ({ there: true } & Omit<views.BoardProbeView, 'there'>)
  | ({ there: false } & Omit<views.NoProbeView, 'there'>);

/** A move of a PDN game with the variations that replace it. */
export type PdnMove = views.Branch;
/** `standard`: the game starts from the rulebook's start position. */
export type PdnGame =
  With<views.Tree, { tags: Record<string, string>; moves: PdnMove[]; standard?: boolean }>;

/** A game of a PDN text that could be read only in part. */
export type BadPdnGame = PdnGame & {
  /** Number of the game in the text. */
  game: number;
  line: number;
  message: string;
  hint?: string;
};

/** A game as it is exported. */
export interface ExportedGame {
  rulebook: string;
  /** FEN of the start position. */
  start: string;
  you: You;
  white: views.PlayerName;
  black: views.PlayerName;
  outcome?: { result: string } | null;
  moves: { text: string }[];
}

// Comparing rulebooks

/** A rulebook's answer to a question. */
export type ClauseView = views.ClauseView;
export type CauseView = views.CauseView;
export type ComparedMove = views.MoveView & { squares: number[] };
/** Rulebooks that allow the same moves in a position. */
export type LensGroup =
  With<views.LensGroupView, { moves: ComparedMove[]; added: ComparedMove[]; missing: ComparedMove[] }>;
export type LensView = With<Exact<views.LensView>, { groups: LensGroup[] }>;
/** Where two rulebooks differ. */
export type DifferenceView = views.RulebookDifferenceView;

// Archive, account

export type ArchivedGame = With<views.ArchivedGame, { you: You | null }>;
export type ArchivePage = With<views.Archive, { games: ArchivedGame[] }>;

export interface AccountView {
  logins: { key: string; agent: string; seen_ms: number; here: boolean }[];
  tokens: { id: string; label: string; scopes: string[]; used_ms: number | null }[];
}

// Classes

export type ClassView = Exact<views.ClassView>;
export type ClassBoardView = Exact<views.ClassBoardView>;
export type ClassPupilView = views.ClassPupilView;
export type ClassReportView = views.ClassReportView;
export type HomeworkView = views.HomeworkView;
export type PairedView = views.PairedView;
export type PastedView = views.PastedView;
export type PinView = views.PinView;
export type PupilView = views.PupilView;
export type TaskView = views.TaskView;

// Studies

export type StudyView = views.StudyView;
export type StudyListView = views.StudyListView;
export type ListedStudyView = views.ListedStudyView;
export type CreatedStudy = views.CreatedStudy;
export type StudyChapter = With<views.StudyChapter, { game: PdnGame }>;
/** A chapter as the page sends it. */
export type ChapterBody = PdnGame & { title?: string; mode?: string; orientation?: string };
export type NewChapter = Partial<ChapterBody> & { rulebook: string };
