// A game that is played in this browser alone, as it is stored.

export type Side = 'white' | 'black';

export interface LocalGameRecord {
  id: string;
  rulebook: string;
  /** The computer's level; null for two people on one device. */
  level: number | null;
  you: Side | 'both';
  /** none, or minutes with the seconds added for each move: 5+3. */
  time: string;
  moves: string[];
  /** What each move left on the clock of the player who made it. */
  clocks_ms: (number | null)[];
  /** When the clock of the side to move was started; null while none runs. */
  started_ms: number | null;
  /** How it ended, where the laws of the board did not end it. */
  ended: { winner: Side | null; reason: string; rule?: string; article?: string; platform?: boolean } | null;
  result: string | null;
  fen: string;
  created_ms: number;
  updated_ms: number;
}
