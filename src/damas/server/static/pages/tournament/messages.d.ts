/** Tournaments of people as the server sends them (views/club.py). */

export interface Wanting {
  round: number;
  board: number;
  match_board: number;
  /** Players who want to play the board in the app. */
  names: string[];
}

/** A board whose games in the app are over, and whose result the desk enters. */
export interface Undecided {
  round: number;
  board: number;
  match_board: number;
  /** Signs for the player named first; `*` for a game without a result. */
  games: string;
  /** The tie; empty where a game has no result. */
  result: string;
}

export interface You {
  role: 'chief' | 'arbiter' | 'desk' | 'captain' | 'player' | 'spectator' | 'visitor';
  name: string;
  may: string[];
  wanting: Wanting[];
  undecided: Undecided[];
}

export interface PlayerView {
  number: number;
  name: string;
  club: string;
  rating: number;
  birth: string;
  sex: string;
  present: boolean;
  out: string;
  /** In a league the competitor is a team: its players in the order of boards. */
  squad: SquadPlayerView[];
}

/** Personal facts are empty for everybody but the staff. */
export interface SquadPlayerView {
  name: string;
  rating: number;
  birth: string;
  sex: string;
}

export interface ReportView {
  name: string;
  games: string;
  result: string;
}

/** A board of a match; a name is empty where nobody sits. */
export interface MatchBoardView {
  board: number;
  first: string;
  second: string;
  white: string;
  games: string;
  result: string;
  reports: ReportView[];
  app_games: string[];
}

export interface BoardView {
  board: number;
  first: string;
  second: string;
  games: string;
  result: string;
  match_boards: MatchBoardView[];
  reports: ReportView[];
  app_games: string[];
}

export interface RoundView {
  round: number;
  published: boolean;
  complete: boolean;
  edition: string;
  ballot: string;
  by_hand: boolean;
  boards: BoardView[];
  resting: { name: string; kind: string; points: number }[];
  warnings: string[];
  /** `knockout` in rounds of a knock-out. */
  phase: string;
  /** Of a league: everybody sees which teams meet. */
  announced: boolean;
  /** Teams of a draft that have named their line-up. */
  named: string[];
}

export interface TableRowView {
  rank: number;
  number: number;
  name: string;
  club: string;
  points: number;
  wins: number;
  draws: number;
  losses: number;
  tie_breaks: Record<string, number>;
  out: string;
}

export interface TableView {
  round: number;
  category: string;
  rows: TableRowView[];
  /** Its columns after the points. */
  tie_breaks: string[];
}

export interface NamedView {
  key: string;
  short: string;
  title: string;
}

export interface TournamentView {
  id: string;
  version: string;
  title: string;
  rulebook: string;
  system: string;
  control: string;
  games: number;
  place: string;
  date: string;
  arbiter: string;
  round: number;
  rounds: number;
  over: boolean;
  check_in: boolean;
  in_app: boolean;
  next: string;
  /** By their signs for the player named first. */
  results: NamedView[];
  players: PlayerView[];
  played: RoundView[];
  table: TableView;
  tie_breaks: NamedView[];
  categories: NamedView[];
  /** Of a league: who may sit at each board of a match, in words. */
  boards: string[];
}

export interface LineupView {
  team: string;
  round: number;
  match: number;
  opponent: string;
  named: boolean;
  published: boolean;
  open: boolean;
  min_boards: number;
  boards: { board: number; kind: string; name: string; fitting: string[] }[];
}

export interface TournamentReply {
  you: You;
  tournament: TournamentView;
}

export interface ExplanationView {
  name: string;
  rank: number;
  points: number;
  rounds: string[];
  tie_breaks: { name: string; value: number; message: string }[];
}

export interface LinkView {
  id: string;
  role: string;
  name: string;
  path: string;
  pin: string;
}

export interface LogLineView {
  n: number;
  at: string;
  who: string;
  why: string;
  kind: string;
  message: string;
  undone: boolean;
}
