/** Tournaments of programs as the server sends them. */

import type { PositionView, Side } from '../../lib/messages.js';

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
  version: number;
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
  /** Whether its record is kept, for the board and the certificate. */
  recorded: boolean;
}

export type SubmissionState = 'waiting' | 'compiling' | 'checking' | 'refused' | 'accepted';

/** A version of a program that was sent. */
export interface SubmissionView {
  id: string;
  name: string;
  version: number;
  size: number;
  sent_ms: number;
  language: string;
  hash: string;
  state: SubmissionState;
  mine: boolean;
}

/** A check that a program did not pass. */
export interface TroubleView {
  check: string;
  title: string;
  advice: string;
  message: string;
  /** The article by which a game with this answer is lost. */
  article: string;
  code: string;
  fen: string;
  said: string;
  stderr: string;
}

/** How the preparation of a version went. */
export interface PreparationView extends SubmissionView {
  why: string;
  log: string;
  /** Number of checks that it was put to. */
  tried: number;
  troubles: TroubleView[];
  rulebook: string;
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
  /** Reasons by name of those who are disqualified from a standing ladder. */
  out: Record<string, string>;
  submissions: SubmissionView[];
  takes_entries: boolean;
  deadline_ms: number | null;
  standing: boolean;
  /** Number of the last run of a standing ladder, and of the one whose table this is. */
  run: number;
  shown_run: number;
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
