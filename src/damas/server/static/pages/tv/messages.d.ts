// A moment of the hall as the server sends it (views/hall_screen.py).

import type { CountView } from '../../lib/types.js';

export interface AppBoardView {
  board: string; first: string; second: string; move: number; counts: CountView[];
}

export interface HallScreenView {
  version: string; server_ms: number; round: number; published_ms: number | null; limit_ms: number | null;
  boards: AppBoardView[];
}
