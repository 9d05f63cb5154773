/** Lessons, examples, puzzles and endings as the server sends them. */

import type { FrameView, PositionView } from '../../lib/messages.js';
import type { BoardProbeView } from '../../lib/types.js';

export interface ArticleView {
  id: string;
  rulebook: string;
  /** How the article is cited. */
  cite: string;
  text: string;
}

export interface LessonEntry {
  id: string;
  title: string;
  steps: number;
}

export interface LessonStep {
  task: 'look' | 'read' | 'watch' | 'count' | 'play' | 'only' | 'refused' | 'line';
  rulebook: string;
  text: string;
  /** Shown when the step is done. */
  after: string;
  article: ArticleView | null;
  view: PositionView | null;
  marks: number[];
  numbered: boolean;
  /** Right moves, or the right number as text. */
  answer?: string[] | string;
  /** Whether the engine judged the answer. */
  judged?: boolean;
  /** The line that refutes a wrong move. */
  refuted?: Record<string, string[]>;
  /** The move to try that is refused, and the code of its refusal. */
  tried?: string;
  code?: string;
  options?: number[];
  frames?: FrameView[];
}

export interface LessonView extends LessonEntry {
  step: LessonStep[];
  next: LessonEntry | null;
}

/** A position beside an article of a rulebook. */
export interface ExampleView {
  article: string;
  name: string;
  rulebook: string;
  view: PositionView;
  /** Moves that are refused. */
  refused: string[];
  /** Whether there is a recorded game. */
  played: boolean;
  lesson: string;
}

export interface PuzzleEntry {
  id: string;
  grade: number;
  motif: string;
  moves: number;
}

export interface PuzzleView extends PuzzleEntry {
  fen: string;
  line: string[];
  /** Other last moves that win as much. */
  also: string[];
  given: number;
  taken: number;
  /** Level of the engine that finds the solution. */
  level: number;
  frames: FrameView[];
  also_frames: Record<string, FrameView>;
}

export type EndingVerdict = Pick<BoardProbeView, 'message' | 'moves'>;

export interface EndingView {
  fen: string;
  goal: 'win' | 'draw';
  view: PositionView;
  verdict: EndingVerdict;
}

export interface EndingReply {
  played: string;
  /** Whether the move kept the goal. */
  kept: boolean;
  best: { text: string };
  reply: string | null;
  won: boolean;
  after_move: PositionView;
  view: PositionView;
  verdict: EndingVerdict | null;
}
