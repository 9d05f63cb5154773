"""Builds the tree of a game while it is read."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from damas.board import Geometry
from damas.game import Move, Position
from damas.notation.pdn.clock import Clock
from damas.notation.pdn.commands import take_commands
from damas.notation.pdn.game import BadGame, Node, PdnGame, Variation, clean_comment
from damas.notation.pdn.marks import Mark
from damas.notation.pdn.result import Result
from damas.notation.pdn.visitor import SKIP, Skip, Visitor

Where = Callable[[Mapping[str, str]], bool]
"""Chooses games by their tags."""


class OpenLine:
    """The main line of a game or a variation. Notes on a move follow it, so its last move can still get some."""

    __slots__ = ("clock", "comments", "has_notes", "leading", "marks", "nags", "nodes", "variations")

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.leading: list[str] = []
        """Comments before the first move."""
        self._clear()

    def _clear(self) -> None:
        # Notes on the last move, until `settle`.
        self.has_notes = False
        self.nags: list[int] = []
        self.comments: list[str] = []
        self.clock: Clock | None = None
        self.marks: tuple[Mark, ...] = ()
        self.variations: list[Variation] = []

    def settle(self) -> None:
        """Attach the notes to the last move."""
        if self.has_notes:
            nags, comments = tuple(self.nags), tuple(self.comments)
            move, variations = self.nodes[-1].move, tuple(self.variations)
            self.nodes[-1] = Node(move, nags, comments, self.clock, variations, self.marks)
            self._clear()

    def add_comment(self, text: str, geometry: Geometry) -> None:
        """Add a comment to the last move, or to the line if it has no moves yet."""
        if not self.nodes:
            self.leading.append(text)
            return
        self.has_notes = True
        if "[%" in text:
            text, self.clock, marks = take_commands(text, self.clock, geometry)
            self.marks += marks
            text = clean_comment(text)
        if text:
            self.comments.append(text)


class TreeBuilder(Visitor[PdnGame | None]):
    """Gives each game as a `PdnGame`, or None where its tags are not wanted."""

    def __init__(self, where: Where | None = None) -> None:
        self.where = where

    def begin_game(self, tags: Mapping[str, str]) -> Skip | None:
        self.tags = tags
        self.line = OpenLine()
        self.outer: list[OpenLine] = []
        self.wanted = self.where is None or self.where(tags)
        return None if self.wanted else SKIP

    def begin_moves(self, start: Position) -> None:
        self.start = start
        self.geometry = start.rulebook.geometry

    def visit_move(self, position: Position, move: Move) -> None:  # noqa: ARG002 (the tree has the moves alone)
        line = self.line
        if line.has_notes:
            line.settle()
        line.nodes.append(Node(move))

    def visit_nag(self, nag: int) -> None:
        self.line.nags.append(nag)
        self.line.has_notes = True

    def visit_comment(self, text: str) -> None:
        self.line.add_comment(text, self.geometry)

    def begin_variation(self) -> None:
        self.outer.append(self.line)
        self.line = OpenLine()

    def end_variation(self) -> None:
        self.line.settle()
        variation = Variation(tuple(self.line.nodes), tuple(self.line.leading))
        self.line = self.outer.pop()
        self.line.variations.append(variation)
        self.line.has_notes = True

    def end_game(self, result: Result, terminator: Result | None) -> PdnGame | None:
        if not self.wanted:
            return None
        self.line.settle()
        return PdnGame(
            self.tags, self.start, tuple(self.line.nodes), result, tuple(self.line.leading), terminator
        )

    def bad_game(self, game: BadGame) -> BadGame:
        if game.start is None:
            return game
        self.line.settle()
        return replace(
            game, comments=(tuple(self.line.leading), *(node.comments for node in self.line.nodes))
        )
