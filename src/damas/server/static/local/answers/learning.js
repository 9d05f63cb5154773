/** Lessons, examples and puzzles: their texts, positions and moves are kept, the core makes their views. */

import { notFound } from './errors.js';
import { frameView, positionView } from './games.js';
import { playedGame } from './rules.js';

/** @import { ExampleView, FrameView, LessonView, PuzzleView } from '../../lib/types.js' */
/** @import { RulebookPageView, StepView } from '../../lib/types.js' */
/** @import { LocalLearningView, LocalLessonView } from '../../lib/types.js' */
/** @import { LocalPuzzleView, LocalStepView } from '../../lib/types.js' */
/** @import { Handler, Handlers, Tools } from './handler.js' */

/** The rulebook alone, nothing added. */
const LETTER = { platformRules: false, claims: false };
/** A player's claim among the moves of a game. */
const CLAIM = 'claim';
const PAGE_SIZE = 50;

/** @param {Tools} tools @returns {Promise<LocalLearningView>} */
function keptLearning({ language, load }) {
  return load(`/words/learning/${language}.json`);
}

/** @template Item @param {Item | undefined} item @param {Tools} tools @returns {Promise<Item>} */
async function orNotFound(item, tools) {
  if (item === undefined) throw await notFound(tools);
  return item;
}

/**
 * The positions of a game by the letter of the rulebook, the first one included.
 * @param {string} rulebook @param {string} fen @param {string[]} moves @param {boolean} recorded
 * @param {Tools} tools @returns {Promise<FrameView[]>}
 */
async function frames(rulebook, fen, moves, recorded, tools) {
  const sentences = await tools.sentences(rulebook);
  /** @type {[number, string][]} */
  const calls = [];
  /** @type {string[]} */
  const played = [];
  const frame = async () => frameView(await tools.core.ask('view',
    { rulebook, game: { fen, moves: played, calls, recorded, customs: LETTER } }), sentences);
  const shown = [await frame()];
  for (const move of moves) {
    if (move === CLAIM) calls.push([played.length, await claimedRule(rulebook, tools)]);
    else played.push(move);
    shown.push({ ...await frame(), ...(move === CLAIM ? { claimed: true } : {}) });
  }
  return shown;
}

/** Id of the limit that counts once a player claims it. @param {string} rulebook @param {Tools} tools */
async function claimedRule(rulebook, { load }) {
  /** @type {RulebookPageView} */
  const { draws } = await load(`/api/rulebook/${rulebook}`);
  return draws.find(({ claim }) => claim === 'unrecorded')?.id ?? '';
}

/** @param {string} rulebook @param {string} fen @param {Tools} tools */
async function positionOf(rulebook, fen, tools) {
  return positionView(await playedGame({ rulebook, fen, bare: true }, tools));
}

// Lessons

/** @type {Handler} */
async function lessonList(_request, tools) {
  const { lessons } = await keptLearning(tools);
  return { lessons: lessons.map(({ step: _steps, next: _next, ...entry }) => entry) };
}

/** @type {Handler} */
async function oneLesson({ parameters: { lesson: id } }, tools) {
  const { lessons } = await keptLearning(tools);
  /** @type {LocalLessonView} */
  const kept = await orNotFound(lessons.find((each) => each.id === id), tools);
  /** @type {LessonView} */
  const view = { ...kept, step: await Promise.all(kept.step.map((step) => stepView(step, tools))) };
  return view;
}

/** @param {LocalStepView} kept @param {Tools} tools @returns {Promise<StepView>} */
async function stepView({ position, moves, recorded, ...step }, tools) {
  return {
    ...step, view: await positionOf(step.rulebook, position, tools),
    ...(moves ? { frames: await frames(step.rulebook, position, moves, recorded, tools) } : {}),
  };
}

// Examples

/** @type {Handler} */
async function exampleList({ parameters: { id } }, tools) {
  const kept = await orNotFound((await keptLearning(tools)).examples[id], tools);
  return Promise.all(kept.map(async ({ position, moves, recorded: _recorded, ...example }) => {
    /** @type {ExampleView} */
    const view = { ...example, played: moves.length > 0,
      view: await positionOf(example.rulebook, position, tools) };
    return view;
  }));
}

/** @type {Handler} */
async function oneExample({ parameters: { id, article, name } }, tools) {
  const kept = await orNotFound((await keptLearning(tools)).examples[id], tools);
  const { rulebook, position, moves, recorded } = await orNotFound(
    kept.find((each) => each.article === article && each.name === name && each.moves.length), tools);
  return { frames: await frames(rulebook, position, moves, recorded, tools) };
}

// Puzzles

/** @param {string} id of a rulebook @param {Tools} tools */
async function keptPuzzles(id, tools) {
  return orNotFound((await keptLearning(tools)).puzzles[id], tools);
}

/** @type {Handler} */
async function puzzleList({ parameters: { id }, query }, tools) {
  const { total, motifs, puzzles } = await keptPuzzles(id, tools);
  const number = (/** @type {string} */ name, /** @type {number} */ otherwise) =>
    Number(query.get(name) ?? otherwise);
  const motif = query.get('motif') ?? '', near = number('near', 0), first = number('page', 0) * PAGE_SIZE;
  const matching = puzzles
    .filter((puzzle) => puzzle.rating >= number('min', 0) && puzzle.rating <= number('max', Infinity)
      && (!motif || puzzle.motifs.includes(motif)))
    .sort((a, b) => Math.abs(a.rating - near) - Math.abs(b.rating - near));
  const entries = matching.map(({ fen: _fen, goal: _goal, line: _line, also: _also, ...entry }) => entry);
  return { rulebook: id, total, motifs, matching: matching.length,
    puzzles: entries.slice(first, first + PAGE_SIZE) };
}

/** @type {Handler} */
async function puzzleSample({ parameters: { id } }, tools) {
  const { total, motifs, puzzles } = await keptPuzzles(id, tools);
  const views = await Promise.all(puzzles.map((puzzle) => puzzleView(id, puzzle, tools)));
  return { rulebook: id, total, motifs, puzzles: views };
}

/** @type {Handler} */
async function onePuzzle({ parameters: { id, puzzle: name } }, tools) {
  const { puzzles } = await keptPuzzles(id, tools);
  return puzzleView(id, await orNotFound(puzzles.find((each) => each.id === name), tools), tools);
}

/**
 * @param {string} rulebook @param {LocalPuzzleView} kept @param {Tools} tools @returns {Promise<PuzzleView>}
 */
async function puzzleView(rulebook, kept, tools) {
  const { fen, line, also, moves } = kept;
  const shown = await frames(rulebook, fen, line, true, tools);
  const captures = shown.slice(1).map(({ last }) => last?.captured.length ?? 0);
  const sum = (/** @type {number} */ parity) =>
    captures.filter((_, ply) => ply % 2 === parity).reduce((total, count) => total + count, 0);
  const before = line.slice(0, 2 * moves - 2);
  const others = await Promise.all(also.map(async (text) => {
    const all = await frames(rulebook, fen, [...before, text], true, tools);
    return [text, all[all.length - 1]];
  }));
  return { ...kept, rulebook, given: sum(1), taken: sum(0), frames: shown,
    also_frames: Object.fromEntries(others), mistake: null };
}

/** @type {Handlers} */
export const LEARNING = {
  'GET /api/lessons': lessonList,
  'GET /api/lessons/{lesson}': oneLesson,
  'GET /api/examples/{id}': exampleList,
  'GET /api/examples/{id}/{article}/{name}': oneExample,
  'GET /api/puzzles/{id}': puzzleList,
  'GET /api/puzzles/{id}/sample': puzzleSample,
  'GET /api/puzzles/{id}/{puzzle}': onePuzzle,
};
