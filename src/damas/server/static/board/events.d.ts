/** Events of `<damas-board>`, all bubbling; a move that is cancelled with `preventDefault` is taken back. */

import type { MoveView, NotationScheme } from '../lib/messages.js';
import type { DamasBoard } from './damas-board.js';
import type { Brush } from './overlay.js';

interface MoveEntered {
  move: MoveView;
  route: number[];
  /** Notation of a typed move. */
  scheme: NotationScheme | null;
  /** A square of the last row that a man only passes without being crowned, or -1. */
  passes: number;
}

interface IllegalAttempt {
  /** The squares entered, possibly only the piece's own. */
  route: number[];
  /** A typed move. */
  text?: string;
  scheme?: NotationScheme | null;
}

declare global {
  interface HTMLElementEventMap {
    'damas-move': CustomEvent<MoveEntered>;
    'damas-illegal': CustomEvent<IllegalAttempt>;
    /** An arrow was drawn, or a square marked where both are equal. */
    'damas-draw': CustomEvent<{ from: number; to: number; brush: Brush }>;
    /** A piece was selected. */
    'damas-select': CustomEvent<{ square: number }>;
    /** A piece was touched where the touch-move rule applies. */
    'damas-touch': CustomEvent<{ square: number }>;
    /** The squares of an unfinished capture changed. */
    'damas-step': CustomEvent<{ route: number[] }>;
    /** A captured piece is lifted by hand. */
    'damas-lift': CustomEvent<{ square: number }>;
    /** The opponent's man is crowned by hand. */
    'damas-crown': CustomEvent<{ square: number }>;
    /** A square was painted in the editor. */
    'damas-edit': CustomEvent<{ square: number }>;
  }

  interface HTMLElementTagNameMap {
    'damas-board': DamasBoard;
  }
}
