"""Lessons, examples, puzzles and endings for a browser without a network: texts, positions and moves, from which its core
makes the same views as `damas.server.learning.views`.
"""

from dataclasses import dataclass

from damas.rules import rulebook_ids
from damas.server.learning.course import lessons
from damas.server.learning.ending import ENDINGS
from damas.server.learning.example import examples
from damas.server.learning.puzzle import rulebooks_with_puzzles, sheet_of
from damas.server.learning.views import LessonEntryView, PuzzleEntryView, StepView, lesson_view, puzzle_entry
from damas.views.plain import view_of


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalStepView(StepView):
    """A step without its positions."""

    position: str
    """A FEN; empty for the start of a game."""
    moves: list[str] | None
    """The moves of its frames; null where it has none."""
    recorded: bool
    """Whether the players write the game down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalLessonView(LessonEntryView):
    """A lesson whose steps have no positions."""

    step: list[LocalStepView]
    next: LessonEntryView | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalExampleView:
    """A position beside an article, and the moves of its game if it has one."""

    article: str
    name: str
    rulebook: str
    position: str
    refused: list[str]
    moves: list[str]
    recorded: bool
    lesson: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalPuzzleView(PuzzleEntryView):
    """A puzzle without the positions of its solution."""

    fen: str
    goal: str
    line: list[str]
    also: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalPuzzlesView:
    """Some puzzles of a rulebook; how many it has, and of each motif."""

    total: int
    motifs: dict[str, int]
    puzzles: list[LocalPuzzleView]


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalEndingView:
    """The pieces of an ending to practise: see `damas.server.learning.ending.Ending`."""

    id: str
    mine: str
    theirs: str
    goal: str
    on_diagonal: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalLearningView:
    """All that can be learnt without a network, in one language; examples and puzzles by rulebook."""

    lessons: list[LocalLessonView]
    examples: dict[str, list[LocalExampleView]]
    puzzles: dict[str, LocalPuzzlesView]
    endings: list[LocalEndingView]


def local_learning(language: str) -> LocalLearningView:
    """Every lesson and example, a sample of the puzzles of each rulebook, and the endings."""
    return LocalLearningView(
        lessons=[_lesson(name, language) for name in lessons()],
        examples={name: _examples(name) for name in rulebook_ids()},
        puzzles={name: _puzzles(name) for name in rulebooks_with_puzzles()},
        endings=[view_of(LocalEndingView, ending) for ending in ENDINGS],
    )


def _lesson(name: str, language: str) -> LocalLessonView:
    lesson, view = lessons()[name], lesson_view(name, language)
    steps = [
        view_of(
            LocalStepView,
            shown,
            view=None,
            frames=None,
            position=step.position,
            moves=(step.line or step.moves) if shown.frames else None,
            recorded=step.recorded,
        )
        for step, shown in zip(lesson.step, view.step, strict=True)
    ]
    return view_of(LocalLessonView, view, step=steps)


def _examples(rulebook_id: str) -> list[LocalExampleView]:
    return [
        view_of(
            LocalExampleView,
            example.case,
            refused=list(example.case.refused),
            moves=list(example.case.moves or ()),
            lesson=example.lesson,
        )
        for example in examples(rulebook_id)
    ]


def _puzzles(rulebook_id: str) -> LocalPuzzlesView:
    sheet = sheet_of(rulebook_id)
    puzzles = [
        view_of(LocalPuzzleView, puzzle_entry(puzzle), puzzle, line=list(puzzle.line), also=list(puzzle.also))
        for puzzle in sheet.sample()
    ]
    return LocalPuzzlesView(total=len(sheet), motifs=sheet.motifs, puzzles=puzzles)
