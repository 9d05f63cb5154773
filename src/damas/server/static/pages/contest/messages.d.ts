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
