"""A game as a small board shows it step by step: its positions, without what can be played in them."""

from dataclasses import dataclass

from damas.arbiter import Table
from damas.game import Record
from damas.notation.pdn.marks import MarkColor
from damas.rules import Rulebook
from damas.rules.about import about
from damas.views.boards import FrameView, last_move, position_fields
from damas.views.rulebooks import BoardView, board_view, has_river


@dataclass(frozen=True, slots=True)
class ShownRulebookView:
    """What a board needs to know of a rulebook to draw a position."""

    id: str
    name: str
    river: bool
    board: BoardView


@dataclass(frozen=True, slots=True)
class DrawingView:
    """An arrow between two squares, or a marked square where both are equal."""

    start: int
    end: int
    color: MarkColor


@dataclass(frozen=True, slots=True)
class RemarkView:
    """What an author says of a position, and has drawn on its board."""

    comments: tuple[str, ...]
    drawings: tuple[DrawingView, ...]


@dataclass(frozen=True, slots=True)
class ReplayView:
    """The positions of a game or a line, the first one first."""

    book: ShownRulebookView
    frames: tuple[FrameView, ...]
    remarks: tuple[RemarkView, ...]
    """One for each position where somebody has annotated the line; else none."""


def replay_of_table(table: Table, language: str) -> ReplayView:
    """A game at a table, with positions that the arbiter set."""
    frames = []
    for ply in range(table.ply + 1):
        stretch = table.stretch_of(ply)
        frames.append(_frame(stretch.game.record, ply - stretch.ply, ply))
    return ReplayView(shown_rulebook(table.book, language), tuple(frames), ())


def replay_of_record(record: Record, language: str, remarks: tuple[RemarkView, ...] = ()) -> ReplayView:
    """A line of play."""
    frames = tuple(_frame(record, ply, ply) for ply in range(record.length + 1))
    return ReplayView(shown_rulebook(record.rulebook, language), frames, remarks)


def _frame(record: Record, ply: int, shown_ply: int) -> FrameView:
    position = record.position_after(ply)
    last = last_move(record.move(ply)) if ply else None
    return FrameView(**position_fields(position, ()), ply=shown_ply, last=last, counts=(), outcome=None)


def shown_rulebook(book: Rulebook, language: str) -> ShownRulebookView:
    """A rulebook as a board draws it."""
    return ShownRulebookView(book.id, about(book.id).name[language], has_river(book), board_view(book))
