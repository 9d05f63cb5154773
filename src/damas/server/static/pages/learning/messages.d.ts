/** Lessons, examples, puzzles and endings as the server sends them. */

import type { Exact, PositionView, With } from '../../lib/messages.js';
import type * as views from '../../lib/types.js';

export type LessonStep = With<Exact<views.StepView>, {
  task: 'look' | 'watch' | 'count' | 'choose' | 'play' | 'only' | 'refused' | 'line' | 'lift';
}>;
export type QuotedArticle = views.QuotedArticleView;
export type LessonView = With<views.LessonView, { step: LessonStep[] }>;
/** A position beside an article of a rulebook. */
export type ExampleView = Exact<views.ExampleView>;
export type PuzzleEntry = views.PuzzleEntryView;
export type PuzzleView = With<Exact<views.PuzzleView>, { goal: 'gain' | 'win' | 'draw' }>;
export type PuzzleList = views.PuzzleList;
export type PuzzleSample = With<views.PuzzleSample, { puzzles: PuzzleView[] }>;
export type DrillPositions = With<Exact<views.Drill>, { positions: PositionView[] }>;
export type EndingVerdict = views.BoardProbeView;
export type EndingView = With<Exact<views.Ending>, { goal: 'win' | 'draw'; verdict: EndingVerdict }>;
export type EndingReply = With<Exact<views.EndingReply>, { verdict: EndingVerdict | null }>;

/** Training with puzzles. */
export type PuzzleTried = views.PuzzleTried;
export type Training = views.Training;
export type TrainingToday = views.TrainingToday;
export type RatingPoint = views.RatingPoint;
export type MotifRecord = views.MotifRecord;
export type NextPuzzle = views.NextPuzzle;
export type PuzzleRun = views.PuzzleRun;
export type ReviewDeck = views.ReviewDeck;
export type ReviewItem = views.ReviewItem;
export type ReviewAnswered = views.ReviewAnswered;
export type MistakesTaken = views.MistakesTaken;
