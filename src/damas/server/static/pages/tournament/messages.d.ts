/** Tournaments of people as the server sends them (views/club.py). */

export interface Wanting {
  round: number;
  board: number;
  /** Players who want to play the board in the app. */
  names: string[];
}

/** A board whose games in the app are over, and whose result the desk enters. */
export interface Undecided {
  round: number;
  board: number;
  /** Signs for the player named first; `*` for a game without a result. */
  games: string;
  /** The tie; empty where a game has no result. */
  result: string;
}

export interface You {
  role: 'chief' | 'arbiter' | 'desk' | 'player' | 'spectator' | 'visitor';
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
}

export interface ReportView {
  name: string;
  games: string;
  result: string;
}

export interface BoardView {
  board: number;
  first: string;
  second: string;
  games: string;
  result: string;
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
  table: { round: number; category: string; rows: TableRowView[] };
  tie_breaks: NamedView[];
  categories: NamedView[];
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
