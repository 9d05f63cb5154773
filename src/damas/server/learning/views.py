"""Lessons, examples and puzzles as pages show them: positions ready for a board, texts in one language."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from damas.game import LETTER, Game, Position
from damas.rules import Rulebook, cite, rulebook
from damas.rules.about import about
from damas.server.learning.course import Lesson, lessons, lessons_of
from damas.server.learning.example import examples
from damas.server.learning.lesson import Step
from damas.server.learning.own_puzzle import Mistake
from damas.server.learning.puzzle import Puzzle
from damas.server.learning.quotation import quotations
from damas.views.boards import FrameView, PositionView, game_view, position_view
from damas.views.plain import view_of
from damas.views.words import article_text


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedArticleView:
    """An article, or our reading of one, to be quoted beside a board."""

    id: str
    rulebook: str
    cite: str
    text: str
    original: str
    """The sentence of the document itself, where it is short enough to quote, else empty."""
    original_language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRulebookView:
    """A rulebook to be read."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonEntryView:
    """A lesson in the list; its course is named by the rulebook."""

    id: str
    course: str
    chapter: str
    title: str
    summary: str
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """A step of a lesson; which of the last fields it has depends on its task."""

    task: str
    rulebook: str
    text: str
    after: str
    articles: list[QuotedArticleView]
    games: list[NamedRulebookView]
    view: PositionView | None
    marks: list[int]
    numbered: bool
    answer: list[str] | str | None = None
    judged: bool | None = None
    refuted: dict[str, list[str]] | None = None
    tried: str | None = None
    code: str | None = None
    ask: str | None = None
    options: list[int] | None = None
    choices: list[str] | None = None
    """`answer` is the number of the right one, from 0."""
    lifts: list[int] | None = None
    """Squares of the captured pieces, in the order of the jumps."""
    frames: list[FrameView] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonView(LessonEntryView):
    """A whole lesson."""

    step: list[StepView]
    next: LessonEntryView | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleView:
    """A position that shows what an article means."""

    article: str
    name: str
    rulebook: str
    view: PositionView
    refused: list[str]
    played: bool
    lesson: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleEntryView:
    """A puzzle in the list, without its moves."""

    id: str
    rating: int
    grade: int
    """1, the easiest, to 5, by the rating."""
    motifs: list[str]
    moves: int
    """The solver's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnMistakeView:
    """The mistake that a puzzle was made of."""

    played: str
    message: str
    """What the report on the game said of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleView(PuzzleEntryView):
    """A puzzle with every position of its solution."""

    rulebook: str
    fen: str
    goal: str
    """gain (of pieces, or a king), and by the tables win or draw"""
    line: list[str]
    """The solver's moves and the best replies; it may end with a reply."""
    also: list[str]
    """Other last moves of the solver that are as good."""
    given: int
    taken: int
    frames: list[FrameView]
    also_frames: dict[str, FrameView]
    mistake: OwnMistakeView | None
    """The visitor's own, where the puzzle was made of one."""


def frames(
    book: Rulebook, fen: str, moves: Iterable[str], language: str, *, recorded: bool = True
) -> list[FrameView]:
    """The positions of a game by the letter of the rulebook, the first one included.

    `claim` among the moves is a player's claim; the frame after it says so.
    """
    game = Game.start(book, fen=fen or None, recorded=recorded, customs=LETTER)
    shown = [game_view(game, language)]
    for text in moves:
        if text == "claim":
            law = next(draw.id for draw in book.draws if draw.claim == "unrecorded")
            game = game.call_attention(law)
            shown.append(game_view(game, language, claimed=True))
        else:
            game = game.play(text)
            shown.append(game_view(game, language))
    return shown


def _position(book: Rulebook, fen: str) -> PositionView:
    return position_view(Position.from_fen(fen, book) if fen else Position.start(book))


def article_view(book: Rulebook, article_id: str, language: str) -> QuotedArticleView:
    """An article, or our reading of one, to be quoted beside a board."""
    original, original_language = quotations().get(article_id, ("", ""))
    return QuotedArticleView(
        id=article_id,
        rulebook=book.id,
        cite=cite(book, article_id).sentence(language),
        text=article_text(book, article_id, language),
        original=original,
        original_language=original_language,
    )


# Lessons


def lesson_entry(lesson: Lesson, language: str) -> LessonEntryView:
    """A lesson in the list."""
    title, summary = lesson.title[language], lesson.summary[language]
    return view_of(LessonEntryView, lesson, title=title, summary=summary, steps=len(lesson.step))


@cache
def lesson_view(lesson_id: str, language: str) -> LessonView:
    """A whole lesson; raises `KeyError` where there is none."""
    lesson = lessons()[lesson_id]
    course = lessons_of(lesson.course)
    following = course[course.index(lesson) + 1 :]
    return view_of(
        LessonView,
        lesson_entry(lesson, language),
        step=[_step_view(lesson, number, language) for number in range(len(lesson.step))],
        next=lesson_entry(following[0], language) if following else None,
    )


def _step_view(lesson: Lesson, number: int, language: str) -> StepView:
    step, book = lesson.step[number], rulebook(lesson.rulebook_of(lesson.step[number]))
    document = rulebook(lesson.course)
    return StepView(
        task=step.task,
        rulebook=book.id,
        text=step.text[language],
        after=step.after.get(language, ""),
        articles=[article_view(document, name, language) for name in step.articles],
        games=[NamedRulebookView(id=name, name=about(name).name[language]) for name in step.games],
        view=_position(book, step.position),
        marks=[book.move_names.index(name) for name in step.marks],
        numbered=step.numbered,
        **_facts(step, number, book, language),
    )


def _facts(step: Step, number: int, book: Rulebook, language: str) -> dict[str, Any]:
    """The fields of a step's view that depend on its task."""
    match step.task:
        case "play" | "only":
            return {"answer": step.answer, "judged": step.judged, "refuted": step.refuted}
        case "lift":
            (move,) = Position.from_fen(step.position, book).legal_moves
            return {"answer": step.answer, "lifts": list(move.captured)}
        case "refused":
            return {"tried": step.tried, "code": step.code}
        case "count":
            return {"ask": step.ask, "options": step.options, "answer": step.answer[0]}
        case "choose":
            choices = step.choices[language]
            right = number % len(choices)  # not always the first
            return {
                "choices": [*choices[-right:], *choices[:-right]] if right else choices,
                "answer": str(right),
            }
        case "line":
            return {"frames": frames(book, step.position, step.line, language)}
        case "watch":
            return {"frames": frames(book, step.position, step.moves, language, recorded=step.recorded)}
    return {}


# Examples


@cache
def example_views(rulebook_id: str) -> list[ExampleView]:
    """The examples of a rulebook, in the order of its articles; those `played` have a game (`example_frames`)."""
    return [
        view_of(
            ExampleView,
            example.case,
            view=_position(rulebook(example.case.rulebook), example.case.position),
            refused=list(example.case.refused),
            played=bool(example.case.moves),
            lesson=example.lesson,
        )
        for example in examples(rulebook_id)
    ]


def example_frames(rulebook_id: str, article: str, name: str, language: str) -> list[FrameView]:
    """The game of an example, position by position; raises `KeyError` where there is none."""
    for example in examples(rulebook_id):
        case = example.case
        if (case.article, case.name) == (article, name) and case.moves:
            return frames(
                rulebook(case.rulebook), case.position, case.moves, language, recorded=case.recorded
            )
    raise KeyError(name)


# Puzzles


def puzzle_entry(puzzle: Puzzle) -> PuzzleEntryView:
    """A puzzle in the list, without its moves."""
    return view_of(PuzzleEntryView, puzzle, motifs=list(puzzle.motifs), moves=puzzle.own_moves)


def puzzle_view(
    rulebook_id: str, puzzle: Puzzle, language: str, mistake: Mistake | None = None
) -> PuzzleView:
    """A puzzle with every position of its solution."""
    book = rulebook(rulebook_id)
    shown = frames(book, puzzle.fen, puzzle.line, language)
    captures = [len(frame.last.captured) if frame.last else 0 for frame in shown[1:]]
    before = puzzle.line[: 2 * puzzle.own_moves - 2]
    return view_of(
        PuzzleView,
        puzzle_entry(puzzle),
        puzzle,
        rulebook=rulebook_id,
        line=list(puzzle.line),
        also=list(puzzle.also),
        given=sum(captures[1::2]),
        taken=sum(captures[::2]),
        frames=shown,
        also_frames={text: frames(book, puzzle.fen, [*before, text], language)[-1] for text in puzzle.also},
        mistake=mistake and OwnMistakeView(played=mistake.played, message=mistake.message),
    )
