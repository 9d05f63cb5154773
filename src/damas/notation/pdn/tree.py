"""A place in the tree of a game: looks around, walks, and edits."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import EllipsisType
from typing import TypeVar

from damas.board import Color
from damas.errors import NotationError, Problem
from damas.game import Move, Position, Record
from damas.game.game import refused_move
from damas.notation.pdn.clock import Clock
from damas.notation.pdn.commands import take_commands
from damas.notation.pdn.game import MAX_NESTED_VARIATIONS, Node, PdnGame, Variation, clean_comment
from damas.notation.pdn.marks import Mark

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of play, and where it hangs: it is variation `number` of the move `at` of the line `outer`."""

    nodes: tuple[Node, ...]
    comments: tuple[str, ...]
    outer: "_Line | None" = None
    at: int = 0
    number: int = 0

    @property
    def depth(self) -> int:
        """How many lines it lies within."""
        line, depth = self, 0
        while line.outer is not None:
            line, depth = line.outer, depth + 1
        return depth


class Cursor:
    """A place in the tree of a game: its start, or after one of its moves.

    A cursor is a value: looking around gives other cursors of the same game, and an edit gives a cursor in a new game,
    its `game`, while the old one stays as it is.

    >>> game = PdnGame.of("brasileira", ["c3-d4", "f6-g5"])
    >>> cursor = game.root.next.add("f6-e5", "d4xf6").annotate(comments="a man lost")
    >>> cursor.game.pdn().splitlines()[-1]
    '1. c3-d4 f6-g5 ( 1... f6-e5 2. d4xf6 {a man lost} ) *'
    >>> cursor.promote().game.pdn().splitlines()[-1]
    '1. c3-d4 f6-e5 ( 1... f6-g5 ) 2. d4xf6 {a man lost} *'
    """

    __slots__ = ("_index", "_line", "game", "record")

    def __init__(self, game: PdnGame) -> None:
        """At the start of a game."""
        self.game = game
        """The whole game, with every variation."""
        self.record = Record(game.start)
        """What was played from the start of the game to this place."""
        self._line = _Line(game.moves, game.comments)
        self._index = -1

    # What is here

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.record.position

    @property
    def turn(self) -> Color:
        """The side to move."""
        return self.record.position.turn

    @property
    def ply(self) -> int:
        """Plies from the start of the game to here; 0 at the start."""
        return self.record.length

    @property
    def node(self) -> Node:
        """The move that led here with its annotations; raises `ValueError` at the start of the game."""
        if self._index < 0:
            raise ValueError("no move leads to the start of a game")
        return self._line.nodes[self._index]

    @property
    def move(self) -> Move:
        """The move that led here; raises `ValueError` at the start of the game."""
        return self.node.move

    @property
    def comments(self) -> tuple[str, ...]:
        """The comments on the move that led here; at the start, those before the first move."""
        return self.node.comments if self._index >= 0 else self.game.comments

    @property
    def is_main(self) -> bool:
        """Whether this place is on the main line of the game."""
        return self._line.outer is None

    @property
    def path(self) -> tuple[int, ...]:
        """Which continuation leads here at each ply, 0 for the first; `game.at(path)` finds the place again."""
        path = []
        here = self
        while (parent := here.parent) is not None:
            places = parent._places()
            path.append(next(n for n, place in enumerate(places) if here._is_at(*place)))
            here = parent
        return tuple(reversed(path))

    # Places around

    @property
    def parent(self) -> "Cursor | None":
        """The place one ply before; None at the start of the game."""
        if self._index < 0:
            return None
        return self._moved(*_before(self._line, self._index), self.record.until(self.ply - 1))

    @property
    def next(self) -> "Cursor | None":
        """The place one ply further on this line; None at its end."""
        return next(iter(self._followed(1)), None)

    @property
    def end(self) -> "Cursor":
        """The last place of this line."""
        here = self
        for here in self._followed():  # noqa: B007 (the last is wanted)
            pass
        return here

    @property
    def continuations(self) -> tuple["Cursor", ...]:
        """The places after every move that the tree has here: that of this line first, then its variations."""
        return tuple(
            self._moved(line, index, self.record.play(line.nodes[index].move))
            for line, index in self._places()
        )

    def line(self) -> Iterator["Cursor"]:
        """The places after this one on its line, to the end of it."""
        return self._followed()

    def walk(self) -> Iterator["Cursor"]:
        """Every place after this one, in the order in which PDN writes moves: a move, its variations, the next move."""
        stack = [(self._line, self._index + 1, self.record)]
        while stack:
            line, index, record = stack.pop()
            if index == len(line.nodes):
                continue
            node = line.nodes[index]
            here = self._moved(line, index, record.play(node.move))
            yield here
            stack.append((line, index + 1, here.record))
            stack.extend((inner, 0, record) for inner in reversed(_inner(line, index)))

    # Edits

    def add(self, *moves: Move | str) -> "Cursor":
        """The place after these moves, which are added where the tree lacks them: to the end of a line, or as a variation.

        Raises as `Game.play` does for a move that is not legal, and `NotationError` where variations lie too deep in
        one another to be read back.
        """
        here = self
        for item in moves:
            move = here.position.parse(item) if isinstance(item, str) else item
            here = here._existing(move) or here._extended(move)
        return here

    def annotate(
        self,
        *,
        comments: str | Iterable[str] | None = None,
        nags: Iterable[int] | None = None,
        clock: Clock | EllipsisType | None = ...,
        marks: Iterable[Mark] | None = None,
    ) -> "Cursor":
        """The same place with other annotations of the move that led here; what is not given stays.

        Clocks and marks in comments are taken out of them, as in reading. The start of a game has comments only.
        """
        given = (comments,) if isinstance(comments, str) else comments
        if self._index < 0:
            if nags is not None or marks is not None or clock is not ...:
                raise ValueError("the start of a game has comments, but neither nags nor marks nor a clock")
            texts = self.comments if given is None else _cleaned(given)
            return self._edited(self._line, self._line.nodes, self._index, texts)
        node = self.node
        node = replace(
            node,
            nags=node.nags if nags is None else _checked_nags(nags),
            clock=node.clock if clock is ... else clock,
            marks=node.marks if marks is None else self._checked_marks(marks),
        )
        if given is not None:
            node = replace(node, comments=())
            for comment in given:
                text, times, more = take_commands(comment, node.clock, self.game.rulebook.geometry)
                texts = (*node.comments, *_cleaned([text]))
                node = replace(node, comments=texts, clock=times, marks=node.marks + more)
        return self._edited(self._line, _with(self._line.nodes, self._index, node), self._index)

    def _checked_marks(self, marks: Iterable[Mark]) -> tuple[Mark, ...]:
        """The marks; raises `ValueError` where the board does not have a square."""
        marks = tuple(marks)
        size = len(self.game.rulebook.geometry.squares)
        for mark in marks:
            if max(mark.square, mark.to or 0) >= size:
                raise ValueError(f"the board has {size} squares: {mark} is not on it")
        return marks

    def promote(self) -> "Cursor":
        """The same place, its variation and the line that it leaves having changed places; on the main line nothing changes.

        Comments before the variation's first move go to the move before it. Raises `NotationError` where variations
        would lie too deep in one another to be read back.
        """
        line, outer = self._line, self._line.outer
        if outer is None:
            return self
        replaced, first = outer.nodes[line.at], line.nodes[0]
        demoted = Variation((replace(replaced, variations=()), *outer.nodes[line.at + 1 :]))
        _check_depth(outer.depth + 1 + _nesting(demoted.moves))
        others = replaced.variations
        variations = (demoted, *others[: line.number], *first.variations, *others[line.number + 1 :])
        nodes = (*outer.nodes[: line.at], replace(first, variations=variations), *line.nodes[1:])
        return self._joined(outer, nodes, line.at, line.comments, line.at + self._index)

    def promote_to_main(self) -> "Cursor":
        """The same place, promoted until it is on the main line."""
        here = self
        while not here.is_main:
            here = here.promote()
        return here

    def delete(self) -> "Cursor":
        """The place before, without the move that led here and what follows it; its first variation takes over.

        Raises `ValueError` at the start of a game.
        """
        node, line, index = self.node, self._line, self._index
        before = line.nodes[:index]
        number = next((n for n, variation in enumerate(node.variations) if variation.moves), None)
        if number is not None:
            heir = node.variations[number]
            variations = (
                *node.variations[:number],
                *heir.moves[0].variations,
                *node.variations[number + 1 :],
            )
            nodes = (*before, replace(heir.moves[0], variations=variations), *heir.moves[1:])
            there = self._joined(line, nodes, index, heir.comments, index)
            left, place = there._line, index
        elif index > 0 or line.outer is None:
            there = self._edited(line, before, index - 1)
            left, place = there._line, index
        else:
            outer, at = line.outer, line.at
            parent = outer.nodes[at]
            others = (*parent.variations[: line.number], *parent.variations[line.number + 1 :])
            there = self._edited(outer, _with(outer.nodes, at, replace(parent, variations=others)), at)
            left, place = there._line, at
        return there._moved(*_before(left, place), self.record.until(self.ply - 1))

    # Inside

    def _moved(self, line: _Line, index: int, record: Record) -> "Cursor":
        """Another place of the same game."""
        there = object.__new__(type(self))
        there.game, there._line, there._index, there.record = self.game, line, index, record
        return there

    def _followed(self, limit: int | None = None) -> "Iterator[Cursor]":
        """The places after this one on its line, at most so many."""
        record = self.record
        last = len(self._line.nodes) if limit is None else min(len(self._line.nodes), self._index + 1 + limit)
        for index in range(self._index + 1, last):
            record = record.play(self._line.nodes[index].move)
            yield self._moved(self._line, index, record)

    def _places(self) -> Iterator[tuple[_Line, int]]:
        """The line and index of each continuation."""
        if self._index + 1 == len(self._line.nodes):
            return
        stack = [(self._line, self._index + 1)]
        while stack:
            line, index = stack.pop()
            yield line, index
            stack.extend((inner, 0) for inner in reversed(_inner(line, index)))

    def _is_at(self, line: _Line, index: int) -> bool:
        """Whether this is that place of the same game."""
        mine: _Line | None = self._line
        other: _Line | None = line
        if self._index != index:
            return False
        while mine is not None and other is not None:
            if mine is other:
                return True
            if (mine.at, mine.number) != (other.at, other.number):
                return False
            mine, other = mine.outer, other.outer
        return mine is other

    def _existing(self, move: Move) -> "Cursor | None":
        """The place after a move that the tree has here already."""
        for line, index in self._places():
            if line.nodes[index].move == move:
                return self._moved(line, index, self.record.play(move))
        return None

    def _extended(self, move: Move) -> "Cursor":
        """The place after a move that the tree lacks here."""
        record = self.record.after(move, True)
        if record is None:
            raise refused_move(self.record, move)
        line, index, news = self._line, self._index + 1, (Node(move),)
        if index == len(line.nodes):
            there = self._edited(line, line.nodes + news, index)
            return there._moved(there._line, index, record)
        _check_depth(line.depth + 1)
        node = line.nodes[index]
        changed = replace(node, variations=(*node.variations, Variation(news)))
        there = self._edited(line, _with(line.nodes, index, changed), index)
        inner = _Line(news, (), there._line, index, len(node.variations))
        return there._moved(inner, 0, record)

    def _edited(
        self, line: _Line, nodes: tuple[Node, ...], index: int, comments: tuple[str, ...] | None = None
    ) -> "Cursor":
        """A place on a line that has got other moves, in the game that has this line instead of the one before.

        The record is that of this cursor: where the place is another one, the caller changes it.
        """
        chain = []
        outermost: _Line | None = line
        while outermost is not None:
            chain.append(outermost)
            outermost = outermost.outer
        lines = [(nodes, line.comments if comments is None else comments)]
        for inner in chain[:-1]:
            outer = inner.outer
            assert outer is not None
            node = outer.nodes[inner.at]
            variations = _with(node.variations, inner.number, Variation(*lines[-1]))
            lines.append((_with(outer.nodes, inner.at, replace(node, variations=variations)), outer.comments))
        there = object.__new__(type(self))
        there.game = replace(self.game, moves=lines[-1][0], comments=lines[-1][1])
        built: _Line | None = None
        for (moves, texts), old in zip(reversed(lines), reversed(chain), strict=True):
            built = _Line(moves, texts, built, old.at, old.number)
        assert built is not None
        there._line, there._index, there.record = built, index, self.record
        return there

    def _joined(
        self, line: _Line, nodes: tuple[Node, ...], at: int, comments: tuple[str, ...], index: int
    ) -> "Cursor":
        """As `_edited`; `comments` stood before the move `at` and go to the move before it, or before the whole line."""
        if at == 0:
            return self._edited(line, nodes, index, line.comments + comments)
        before = nodes[at - 1]
        if comments:
            nodes = _with(nodes, at - 1, replace(before, comments=before.comments + comments))
        return self._edited(line, nodes, index)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cursor):
            return NotImplemented
        return self._is_at(other._line, other._index) and self.game == other.game

    def __hash__(self) -> int:
        return hash((self.game, self.ply))

    def __repr__(self) -> str:
        moves = " ".join(move.text for move in self.record.moves[-3:])
        return f"<Cursor {self.record.rulebook.id} ply {self.ply}{': ' if moves else ''}{moves}>"

    def _repr_svg_(self) -> str:
        """The board with the last move and its marks, in a notebook."""
        if self._index < 0:
            return self.position.svg()
        marks = self.node.marks
        arrows = [(mark.square, mark.to, mark.color) for mark in marks if mark.to is not None]
        squares = [mark.square for mark in marks if mark.to is None]
        return self.position.svg(last_move=self.move.route, arrows=arrows, marks=squares)

    def __reduce__(self) -> tuple[object, ...]:
        return (place_at, (self.game, self.path))


def place_at(game: PdnGame, path: Sequence[int]) -> Cursor:
    """The place that a path leads to; raises `ValueError` where the tree has no such continuation."""
    here = Cursor(game)
    for number in path:
        places = list(here._places())
        if not 0 <= number < len(places):
            raise ValueError(f"no continuation {number} after ply {here.ply}: there are {len(places)}")
        line, index = places[number]
        here = here._moved(line, index, here.record.play(line.nodes[index].move))
    return here


def _inner(line: _Line, index: int) -> list[_Line]:
    """The variations of a move that have moves themselves."""
    return [
        _Line(variation.moves, variation.comments, line, index, number)
        for number, variation in enumerate(line.nodes[index].variations)
        if variation.moves
    ]


def _before(line: _Line, index: int) -> tuple[_Line, int]:
    """The line and index of the place before one."""
    while index == 0 and line.outer is not None:
        line, index = line.outer, line.at
    return line, index - 1


def _nesting(nodes: tuple[Node, ...]) -> int:
    """Depth of variations within one another in a line."""
    deepest, stack = 0, [(nodes, 0)]
    while stack:
        line, depth = stack.pop()
        deepest = max(deepest, depth)
        stack.extend((variation.moves, depth + 1) for node in line for variation in node.variations)
    return deepest


def _check_depth(depth: int) -> None:
    if depth > MAX_NESTED_VARIATIONS:
        raise NotationError("(", (Problem("PDN_NESTED", "(", 0),))


def _cleaned(comments: Iterable[str]) -> tuple[str, ...]:
    return tuple(filter(None, map(clean_comment, comments)))


def _checked_nags(nags: Iterable[int]) -> tuple[int, ...]:
    checked = tuple(nags)
    for nag in checked:
        if not 0 <= nag <= 999:
            raise ValueError(f"a NAG is a number from 0 to 999, not {nag}")
    return checked


def _with(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """The tuple with another item in one place."""
    return (*items[:index], item, *items[index + 1 :])
