"""Why a move is refused.

Every answer is derived from the rules on the position at hand: the attempt is walked square by square, each rule is
asked in turn, and a broken law is shown by what the generator finds when it is obeyed. Where an attempt breaks several
rules, the first in the order of `CODES` names the refusal and the others stand beside it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from damas._core import Move
from damas.board import Color, Piece, Square
from damas.errors import (
    AmbiguousMove,
    Citation,
    DamasError,
    GameOver,
    IllegalMove,
    NotationError,
    NotYourTurn,
    Problem,
    Refusal,
    SquareName,
)
from damas.game.core import core_rules
from damas.game.position import Position
from damas.rules import cite

CODES = (
    "GAME_OVER",
    "NOT_YOUR_TURN",
    "EMPTY_SQUARE",
    "NOT_YOUR_PIECE",
    "AMBIGUOUS",
    "NOT_DIAGONAL",
    "TOO_FAR",
    "NO_BACKWARD",
    "OWN_PIECE_BLOCKS",
    "TWO_IN_A_ROW",
    "BLOCKED",
    "CAPTURED_TWICE",
    "NOTHING_TO_TAKE",
    "MAN_TAKES_KING",
    "TURNS_BACK",
    "CROWNING_ENDS",
    "MUST_STOP_BEHIND",
    "CHAIN_INCOMPLETE",
    "MUST_CONTINUE",
    "MUST_CAPTURE",
    "MAJORITY",
    "VALUE",
    "WITH_KING",
    "QUALITY",
    "KING_FIRST",
)
"""Stable, never translated; the first that applies is the main reason."""
RECORD_CODES = ("KING_RESTS",)
"""Those that the moves before give, not the position: see `damas.game.game.rests`."""

PRIORITY_CODES = {
    "most_pieces": "MAJORITY",
    "most_value": "VALUE",
    "with_king": "WITH_KING",
    "most_kings": "QUALITY",
    "king_first": "KING_FIRST",
}
"""The code of the refusal for each capture law."""


@dataclass(frozen=True)
class _Broken:
    """A rule the attempt breaks, with what its sentence needs."""

    code: str
    article: str
    facts: dict[str, object]
    legal: tuple[str, ...] | None = None
    """Alternatives, if this rule has its own; otherwise all legal moves are shown."""


Reading: TypeAlias = (
    tuple[list[Move], tuple[int, ...], str] | tuple[list[tuple[str, str, int, int]], None, None]
)
"""What `Position.read` gives."""


def examine(position: Position, text: str, reading: Reading | None = None) -> Refusal | None:
    """Why `text` may not be played here, or None if it may. Raises `NotationError` if it cannot be read.

    `reading` is what `position.read(text)` gave, for callers that have read the text already.
    """
    reading = position.read(text) if reading is None else reading
    if reading[1] is None:
        problems = tuple(Problem(code, token, offset) for code, token, offset, _ in reading[0])
        raise NotationError(text, problems)
    candidates, squares, _ = reading
    if len(candidates) == 1:
        return None
    if second := _second_move(position, text):
        raise NotationError(text, (second,))
    return _Examination(position, text, squares).refusal(candidates)


def _second_move(position: Position, text: str) -> Problem | None:
    """The second of several words that are whole moves by themselves; the squares of one move may be words too."""
    moves = [word for word in re.finditer(r"\S+", text) if position.read(word[0])[1] is not None]
    return Problem("SEVERAL_MOVES", moves[1][0], moves[1].start()) if len(moves) > 1 else None


def error_for(position: Position, text: str, reading: Reading | None = None) -> DamasError:
    """The exception for a text that is not one legal move; `reading` as in `examine`."""
    try:
        why = examine(position, text, reading)
    except NotationError as error:
        return error
    if why is None:
        raise ValueError(f"{text} was made for another board or position")
    kinds = {"AMBIGUOUS": AmbiguousMove, "NOT_YOUR_TURN": NotYourTurn, "GAME_OVER": GameOver}
    return kinds.get(why.code, IllegalMove)(why)


def left_uncrowned(position: Position, route: Sequence[Square]) -> tuple[Square, Citation] | None:
    """Where a man passes the last row without ending its move there, and the article that leaves it a man.

    >>> position = Position.from_fen("W:Wf6:Be7,c7", "brasileira")
    >>> left_uncrowned(position, position.parse("f6xd8xb6").route)[1].id
    '000-23'
    """
    book = position.rulebook
    piece = position.piece_at(route[0]) if route else None
    if piece is None or piece.is_king or book.promotion.value != "passes":
        return None
    last = book.size.value - 1 if piece.color is Color.WHITE else 0
    on_last = [square for square in route[1:] if book.geometry.places[square][0] == last]
    if not on_last or route[-1] == on_last[-1]:
        return None
    return on_last[0], cite(book, book.promotion.article)


class _Examination:
    def __init__(self, position: Position, text: str, squares: Sequence[Square]) -> None:
        self.position = position
        self.text = text
        self.squares = squares
        self.book = position.rulebook
        self.geometry = self.book.geometry
        self.pieces = position.setup.pieces
        self.broken: list[_Broken] = []

    # The answer

    def refusal(self, candidates: list[Move]) -> Refusal:
        legal = list(self.position.legal_moves)
        if not legal:
            self._break("GAME_OVER", self.book.statement("no_move_loses"))
        elif len(candidates) > 1:
            routes = tuple(move.text for move in candidates)
            self._break("AMBIGUOUS", self.book.statement("route"), routes, count=len(routes))
        else:
            self._examine()
        self.broken.sort(key=lambda broken: CODES.index(broken.code))
        first = self.broken[0]
        mine = [move.text for move in legal if move.origin == self.squares[0]]
        shown = first.legal if first.legal is not None else tuple(mine or [move.text for move in legal])
        others = {broken.code: broken for broken in reversed(self.broken) if broken.code != first.code}
        further = tuple(self._refusal_of(others[code]) for code in CODES if code in others)
        return self._refusal_of(first, shown, further)

    def _refusal_of(
        self, broken: _Broken, legal: tuple[str, ...] = (), further: tuple[Refusal, ...] = ()
    ) -> Refusal:
        return Refusal(broken.code, self.text, cite(self.book, broken.article), broken.facts, legal, further)

    def _break(self, code: str, article: str, legal: tuple[str, ...] | None = None, **facts: Any) -> None:
        self.broken.append(_Broken(code, article, facts, legal))

    def _name(self, square: Square) -> str:
        return SquareName(self.book.square_names[square], self.book.move_names[square])

    # The examination

    def _examine(self) -> None:
        origin = self.squares[0]
        piece = self.pieces.get(origin)
        if piece is None:
            self._break("EMPTY_SQUARE", "", square=self._name(origin))  # no text needs to say so
        elif piece.color is not self.position.turn:
            self._not_yours(piece)
        elif not self._is_jump():
            self._examine_step(piece)
        elif taken := self._walk(piece):
            self._examine_capture(piece, taken)

    def _not_yours(self, piece: Piece) -> None:
        """The other side's piece: out of turn if the other side could play so, otherwise simply not yours."""
        other = Position.of(type(self.position.setup)(self.pieces, piece.color), self.book)
        code = "NOT_YOUR_TURN" if len(other.read(self.text)[0]) == 1 else "NOT_YOUR_PIECE"
        square = self._name(self.squares[0])
        self._break(code, self.book.statement("turn"), square=square, piece=piece)

    def _is_jump(self) -> bool:
        """Whether the attempt means to capture: several legs, or an enemy on the way."""
        if len(self.squares) > 2:
            return True
        line = self.geometry.line(self.squares[0], self.squares[1]) or ()
        return any(self._enemy(square) for square in line[1:-1])

    def _enemy(self, square: Square) -> bool:
        piece = self.pieces.get(square)
        return piece is not None and piece.color is not self.position.turn

    def _examine_step(self, piece: Piece) -> None:
        start, end = self.squares
        line = self.geometry.line(start, end)
        if line is None or not self._along(line, self.book.lines.value):
            article = self.book.lines.article_of(int(piece.is_king))
            self._break("NOT_DIAGONAL", article, **self._leg(start, end))
            return
        if len(line) > 2 and not (piece.is_king and self.book.flying_king.value):
            key = "king_moves" if piece.is_king else "man_one_square"
            self._break("TOO_FAR", self.book.statement(key), piece=piece, **self._leg(start, end))
        if not piece.is_king and self._goes_backward(start, end):
            self._break(
                "NO_BACKWARD", self.book.statement("man_forward"), piece=piece, **self._leg(start, end)
            )
        for square in line[1:]:
            self._examine_obstacle(piece, square)
        if not self.broken:
            captures = list(self.position.legal_moves)
            takers = {self.pieces[move.origin].is_king for move in captures}
            king = piece.is_king if piece.is_king in takers else not piece.is_king
            taking = tuple(move.text for move in captures)
            self._break("MUST_CAPTURE", self.book.statement("must_capture", king=king), taking)

    def _examine_obstacle(self, piece: Piece, square: Square) -> None:
        if square == self.squares[0] or square not in self.pieces:
            return
        if self._enemy(square):
            # No text needs to say that a square is taken.
            self._break("BLOCKED", "", square=self._name(square))
        else:
            self._own_piece(piece, square)

    def _own_piece(self, piece: Piece, square: Square) -> None:
        article = self.book.statement("own_piece_blocks", king=piece.is_king)
        self._break("OWN_PIECE_BLOCKS", article, square=self._name(square))

    def _leg(self, start: Square, end: Square) -> dict[str, Any]:
        return {"start": self._name(start), "end": self._name(end)}

    def _along(self, line: Sequence[Square], lines: str) -> bool:
        """Whether a line of squares is one of the lines the rule names."""
        (row, column), (last_row, last_column) = self.geometry.places[line[0]], self.geometry.places[line[-1]]
        straight = row == last_row or column == last_column
        return lines == "all" or straight == (lines == "orthogonal")

    def _goes_backward(self, start: Square, end: Square) -> bool:
        rows = self.geometry.places[end][0] - self.geometry.places[start][0]
        return rows < 0 if self.position.turn is Color.WHITE else rows > 0

    def _walk(self, piece: Piece) -> list[Square]:
        """Follows the legs of a capture; the pieces taken, or an empty list if the rules stop it on the way."""
        taken: list[Square] = []
        last_row = self.geometry.size - 1 if self.position.turn is Color.WHITE else 0
        king = piece.is_king
        heading = (0, 0)
        for start, end in pairwise(self.squares):
            line = self.geometry.line(start, end)
            if line is None or not self._along(line, self.book.capture_lines.value):
                article = self.book.capture_lines.article_of(int(king))
                self._break("NOT_DIAGONAL", article, **self._leg(start, end))
                return []
            crowned = taken and not king and self.geometry.places[start][0] == last_row
            if crowned and self.book.promotion.value == "stops":
                self._break("CROWNING_ENDS", self.book.promotion.article, square=self._name(start))
                return []
            king = king or bool(crowned and self.book.promotion.value == "continues")
            turn = self._heading(start, end)
            if turn == (-heading[0], -heading[1]):
                article = self.book.statement("no_turn_back", king=king)
                self._break("TURNS_BACK", article, square=self._name(start))
            heading = turn
            if not self._examine_leg(piece, king, line, taken):
                return []
        return taken if not self.broken else []

    def _heading(self, start: Square, end: Square) -> tuple[int, int]:
        (row, column), (last_row, last_column) = self.geometry.places[start], self.geometry.places[end]
        steps = max(abs(last_row - row), abs(last_column - column))
        return (last_row - row) // steps, (last_column - column) // steps

    def _examine_leg(self, piece: Piece, king: bool, line: Sequence[Square], taken: list[Square]) -> bool:
        """One leg, which may take several pieces in line. Adds them to `taken`; False if it cannot be a jump."""
        flies = king and self.book.flying_king.value
        free = {self.squares[0]} | (set(taken) if self.book.removal.value == "at_once" else set())
        occupied = [square for square in line[1:] if square in self.pieces and square not in free]
        victims = [square for square in occupied if square != line[-1]]
        start, end = line[0], line[-1]
        fine = True
        for square in occupied:
            if not self._enemy(square):
                self._own_piece(piece, square)
                fine = False
            elif square in taken:
                article = self.book.statement("same_piece_once", king=king)
                self._break("CAPTURED_TWICE", article, square=self._name(square))
                fine = False
        for here, following in pairwise(line):
            if {here, following} <= set(occupied) and self._enemy(here) and self._enemy(following):
                squares: dict[str, Any] = {"square": self._name(here), "other": self._name(following)}
                self._break("TWO_IN_A_ROW", self.book.statement("two_in_a_row", king=king), **squares)
                fine = False
        if fine and end in occupied:
            self._break("BLOCKED", self.book.statement("two_in_a_row", king=king), square=self._name(end))
            fine = False
        if fine and not victims:
            # A jump over nothing is none anywhere.
            self._break("NOTHING_TO_TAKE", "", **self._leg(start, end))
            return False
        if not flies and len(line) > 3:
            key = "king_moves" if king else "man_one_square"
            self._break("TOO_FAR", self.book.statement(key), piece=piece, **self._leg(start, end))
            return False
        if not victims:
            return False
        backward, kings = self.book.men_capture_backward, self.book.men_capture_kings
        if not king and not backward.value and self._goes_backward(start, end):
            self._break("NO_BACKWARD", backward.article, piece=piece, **self._leg(start, end))
        if not king and not kings.value and any(self.pieces[square].is_king for square in victims):
            self._break("MAN_TAKES_KING", kings.article, piece=piece)
        if flies and fine and self.book.king_landing.value == "behind":
            behind = line[line.index(victims[-1]) + 1]
            if behind != end:
                facts: dict[str, Any] = {"square": self._name(behind), "end": self._name(end)}
                self._break("MUST_STOP_BEHIND", self.book.king_landing.article, **facts)
        taken.extend(victims)
        return fine

    def _examine_capture(self, piece: Piece, taken: list[Square]) -> None:
        """A chain of real jumps: is it whole, does its last square do, and does the law ask for another one?"""
        landing = self.book.king_landing
        anywhere = "any" if landing.value == "continuing" else landing.value
        free = self.position.under(core_rules(self.book, capture_priority=(), king_landing=anywhere))
        same_way = [
            move
            for move in free.routes()
            if move.origin == self.squares[0] and list(move.captured[: len(taken)]) == taken
        ]
        longer = [move for move in same_way if len(move.captured) > len(taken)]
        if not any(
            len(move.captured) == len(taken) and move.destination == self.squares[-1] for move in same_way
        ):
            facts: dict[str, Any] = {
                "square": self._name(self.squares[-1]),
                "count": max(len(m.captured) for m in longer),
            }
            legal = self._legal_among(longer)
            article = self.book.statement("whole_chain", king=piece.is_king)
            self._break("CHAIN_INCOMPLETE", article, legal=legal, takes=len(taken), **facts)
        elif landing.value == "continuing" and longer:
            # This square ends the capture; from another one behind the same piece it would go on.
            facts = {"square": self._name(self.squares[-1])}
            self._break("MUST_CONTINUE", landing.article, legal=self._legal_among(longer), **facts)
        self._examine_priority(piece, taken)

    def _legal_among(self, moves: list[Move]) -> tuple[str, ...]:
        wanted = {(move.origin, move.destination, move.captured) for move in moves}
        mine = tuple(
            move.text
            for move in self.position.routes()
            if (move.origin, move.destination, move.captured) in wanted
        )
        return mine or tuple(move.text for move in self.position.legal_moves)

    def _examine_priority(self, piece: Piece, taken: list[Square]) -> None:
        """The first criterion by which the compulsory captures rank above this one."""
        best = self.position.legal_moves[0]
        legal = tuple(move.text for move in self.position.legal_moves)
        clause = self.book.capture_priority
        for index, criterion in enumerate(clause.value):
            mine = self._measure(criterion, piece, taken)
            required = self._measure(criterion, self.pieces[best.origin], best.captured)
            if mine < required:
                facts: dict[str, Any] = (
                    {} if criterion == "king_first" else {"takes": mine[0], "asks": required[0]}
                )
                self._break(PRIORITY_CODES[criterion], clause.article_of(index), legal, **facts)
            if mine != required:
                return

    def _measure(self, criterion: str, piece: Piece, taken: Sequence[Square]) -> tuple[int, ...]:
        kings = tuple(self.pieces[square].is_king for square in taken)
        if criterion == "most_pieces":
            return (len(taken),)
        if criterion == "most_value":
            return (100 * len(taken) + 99 * sum(kings),)
        if criterion == "with_king":
            return (int(piece.is_king),)
        return (sum(kings),) if criterion == "most_kings" else kings
