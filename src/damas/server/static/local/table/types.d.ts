// The table of a game in the browser.

import type { Game, Rulebook } from '../../core/core.js';
import type { Outcome as CoreOutcome } from '../../core/types.js';
import type { LocalRegulationView, LocalRulebookView, LocalTermsView } from '../messages.js';
import type { LocalEvent, Side } from '../records.js';
import type { Cited } from './refused.js';

/** By what a game is played: from the words that the server sends for such games. */
export interface Terms {
  rulebook: string;
  preset: string;
  time: string;
  /** FEN of the first position; the rulebook's own without it. */
  start?: string;
  book: Rulebook;
  law: LocalRulebookView;
  rules: LocalRegulationView;
  terms: LocalTermsView;
  reportable: Record<string, string>;
  /** Whether each side is a program. */
  bots: Record<Side, boolean>;
}

/** How a game ended, as the arbiter has it; `article` may cite a setting of the regulation. */
export interface Outcome extends Omit<CoreOutcome, 'result' | 'article'> {
  result: '1-0' | '0-1' | '1/2-1/2' | '*';
  article: Cited;
  void: boolean;
}

export type TableEvent =
  | LocalEvent
  | { kind: 'started'; at: number; by: null }
  | RefusedEvent
  | { kind: 'ruled'; at: number; by: null; outcome: Outcome };

/** An event that was not allowed, recorded because the regulation asks for it. */
export interface RefusedEvent {
  kind: 'refused'; at: number; by: null; attempt: LocalEvent; code: string; article: Cited | null;
}

/** A part of the game between positions that were set up. */
export interface Stretch {
  game: Game;
  /** Plies played before it. */
  ply: number;
  /** The number of its first move. */
  move: number;
  /** The capture, released too early and accepted so, that was the turn before it. */
  brokenOff: string;
}

/** A capture that was released too early. */
export interface Unfinished { by: Side; move: string; route: number[]; demanded: boolean; }

/** When a notable event happened. */
export interface Moment { n: number; side: Side; move: number; article: Cited; }
