// What this browser knows of its games and attempts at puzzles beside what was played.

import { LocalGameRecord } from './records.js';

export interface Kept {
  /** The account that was logged in when the game began; empty without one. */
  account?: string;
  /** The server has it, at this address. */
  stored?: { id: string; url: string };
  /** The server does not take it, and why. */
  refused?: { code: string; message: string };
}

export type KeptGame = LocalGameRecord & Kept;

/** What somebody did at the table, in the arbiter's own form (`damas.arbiter.from_json`). */
export interface SentEvent {
  kind: string;
  at: number;
  by: string;
  [fact: string]: string | number;
}

/** The body of `PUT /api/local-games/{id}`. */
export interface SentGame {
  rulebook: string;
  hash: string;
  preset: string;
  time: string;
  opponent: { kind: string; level?: number };
  color: string;
  fen: string | null;
  lot: number | null;
  events: SentEvent[];
  begun_ms: number;
  ended_ms: number;
  account: string;
}

/** A try at a puzzle. */
export interface KeptAttempt {
  id: string;
  account: string;
  rulebook: string;
  puzzle: string;
  solved: boolean;
  hints: number;
  spent_ms: number;
  at_ms: number;
}
