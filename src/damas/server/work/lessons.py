"""Examples, lessons and puzzles, put together in a worker process: each function returns JSON."""

from damas.server.analysing.places import book_named
from damas.server.encoding import encode
from damas.server.learning.drill import capture_positions
from damas.server.learning.local import local_learning as learning_for_browsers
from damas.server.learning.own_puzzle import Mistake
from damas.server.learning.puzzle import Puzzle, sheet_of
from damas.server.learning.views import example_frames, example_views, lesson_view, puzzle_view
from damas.views.boards import position_view
from damas.views.rulebooks import Difference


def examples(rulebook: str) -> bytes:
    """The examples of a rulebook."""
    return encode(example_views(rulebook))


def example(rulebook: str, article: str, name: str, language: str) -> bytes:
    """The game of an example; raises `KeyError` where there is none."""
    return encode({"frames": example_frames(rulebook, article, name, language)})


def difference(first: str, second: str, language: str) -> bytes:
    """Where two rulebooks part."""
    return encode(Difference(book_named(first), book_named(second)).view(language))


def lesson(name: str, language: str) -> bytes:
    """A whole lesson."""
    return encode(lesson_view(name, language))


def puzzle(rulebook: str, puzzle: Puzzle, language: str, mistake: Mistake | None) -> bytes:
    """A puzzle with its solution, and the mistake that it was made of."""
    return encode(puzzle_view(rulebook, puzzle, language, mistake))


def puzzle_sample(rulebook: str, language: str) -> bytes:
    """A few puzzles of every kind with their solutions: a third of a megabyte."""
    sheet = sheet_of(rulebook)
    views = [puzzle_view(rulebook, each, language) for each in sheet.sample()]
    return encode({"rulebook": rulebook, "total": len(sheet), "motifs": sheet.motifs, "puzzles": views})


def drill(rulebook: str, seed: int) -> bytes:
    """Positions in which something must be captured, the same for the same seed."""
    positions = map(position_view, capture_positions(book_named(rulebook), seed))
    return encode({"rulebook": rulebook, "seed": seed, "positions": list(positions)})


def local_learning(language: str) -> bytes:
    """What can be learnt without a network."""
    return encode(learning_for_browsers(language))
