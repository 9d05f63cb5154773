// A game that is played in this browser alone, as it is stored.

export type Side = 'white' | 'black';

/**
 * What somebody did at the table, or that a flag fell: an event of the arbiter, in its own JSON
 * (`damas.arbiter.from_json`). `at`: milliseconds since the game began; it never decreases.
 */
export type LocalEvent = { at: number; by: Side } & (
  | { kind: 'moved' | 'unfinished'; move: string }
  | { kind: 'touched'; square: string; held_over: string }
  | { kind: 'lifted' | 'crowned' | 'blew'; square: string }
  | { kind: 'claimed' | 'called_attention'; rule: string }
  | { kind: 'reported'; conduct: string }
  | { kind: 'adjusting' | 'adjusted' | 'pressed' | 'accepted_unfinished' | 'demanded_completion'
      | 'offered' | 'accepted' | 'declined' | 'withdrew' | 'resigned' | 'flag' | 'called_arbiter'
      | 'take_back_asked' | 'take_back_granted' | 'take_back_refused' | 'aborted' }
);

/** A game is its terms and its events; whatever else it is follows from them. */
export interface LocalGameRecord {
  /** Of this form; older records have none (`OldLocalGameRecord`). */
  version: 2;
  id: string;
  /**
   * Id of a rulebook or of one of its readings, and the hash of its rules: the same id may get other rules.
   */
  rulebook: string;
  hash: string;
  /** The regulation: casual, school, club or contest. */
  preset: string;
  /** A time control of `damas.arbiter.control`: none, 5+3, 30s/move ... */
  time: string;
  /** FEN of the first position; the rulebook's own without it. */
  start?: string;
  /** The computer's level; null for two people on one device. */
  level: number | null;
  you: Side | 'both';
  /**
   * Where colours are drawn by lot: the seed. `you` is then the colour that the lot gives to the person,
   * who is named first (`damas.arbiter.draw_lots`). Null elsewhere.
   */
  lot: number | null;
  /**
   * In order: events that were allowed, and refused ones that the regulation writes down (an illegal move
   * that counts, a wrong
   * claim, a move after the time). The table's own events, `refused` and `ruled`, are left out: the arbiter
   * makes them again.
   */
  events: LocalEvent[];

  // What follows from the events, for lists.
  /** The moves that stand, unfinished captures that were accepted among them. */
  moves: string[];
  result: string | null;
  /** Code of the reason why it ended: NO_MOVES, FLAG ... */
  reason: string | null;
  fen: string;
  /** When the game began: `at` counts from here. */
  created_ms: number;
  updated_ms: number;
}

/** A game of an earlier version: casual, its moves and how it ended. */
export interface OldLocalGameRecord {
  version?: undefined;
  id: string;
  rulebook: string;
  level: number | null;
  you: Side | 'both';
  /** none, or minutes with the seconds added for each move: 5+3. */
  time: string;
  moves: string[];
  /** What each move left on the clock of the player who made it. */
  clocks_ms: (number | null)[];
  started_ms: number | null;
  /** How it ended, where the laws of the board did not end it. */
  ended: { winner: Side | null; reason: string; rule?: string; article?: string; platform?: boolean } | null;
  result: string | null;
  fen: string;
  created_ms: number;
  updated_ms: number;
}
