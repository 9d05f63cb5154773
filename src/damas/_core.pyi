# Written by tools/core_stub.py from cpp/bindings.
"""
The fast core of damas: positions, legal moves and their texts. Use it through the package.
"""

from collections.abc import Iterator, Sequence
from typing import Self, TypeVar

from typing_extensions import Buffer


class Rules:
    """
    The switches and names one rulebook gives to the core. Equal ones are one object.
    """

    @property
    def id(self) -> str: ...

    @property
    def squares(self) -> int: ...

    @property
    def compiled(self) -> bool: ...

    @property
    def size(self) -> int: ...

    @property
    def all_squares(self) -> bool: ...

    @property
    def capture_lines(self) -> int: ...

    @property
    def men_capture_backward(self) -> bool: ...

    @property
    def men_capture_kings(self) -> bool: ...

    @property
    def flying_king(self) -> bool: ...

    @property
    def king_landing(self) -> int: ...

    @property
    def promotion(self) -> int: ...

    @property
    def removal(self) -> int: ...

    @property
    def capture_priority(self) -> list[int]: ...

def rules(*, id: str, size: int, all_squares: bool, capture_lines: int, men_capture_backward: bool, men_capture_kings: bool, flying_king: bool, king_landing: int, promotion: int, removal: int, capture_priority: Sequence[int], interpreted: bool, algebraic: Sequence[str], numbers: Sequence[str], rows_columns: Sequence[str], fen: str, moves: str, white_start: Sequence[int], black_start: Sequence[int], black_starts: bool) -> Rules: ...

class Move:
    """
    Everything one side does in a turn, all jumps included.

    Two moves are equal when they share origin and result; the route is kept for drawing.
    """

    @property
    def origin(self) -> int:
        """The square it leaves."""

    @property
    def destination(self) -> int:
        """The square it ends on."""

    @property
    def promotes(self) -> bool:
        """Whether a man ends it as a king."""

    @property
    def by_king(self) -> bool:
        """Whether a king made it, not a man."""

    @property
    def is_capture(self) -> bool: ...

    @property
    def captured(self) -> tuple[int, ...]:
        """The squares of the pieces taken, in the order taken."""

    @property
    def route(self) -> tuple[int, ...]:
        """Every square it rests on, first to last."""

    @property
    def text(self) -> str:
        """In the rulebook's own notation."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

class LegalMoves:
    """The legal moves of a position: iterate, count, index or ask with `in`."""

    def __len__(self) -> int: ...

    def count(self) -> int:
        """How many there are."""

    def __repr__(self) -> str: ...

    def __getitem__(self, index: int, /) -> Move: ...

    def __iter__(self) -> Iterator[Move]: ...

    def __contains__(self, move: object, /) -> bool: ...

class Position:
    @property
    def rules(self) -> Rules: ...

    @property
    def black_to_move(self) -> bool: ...

    @property
    def white_men(self) -> tuple[int, ...]: ...

    @property
    def white_kings(self) -> tuple[int, ...]: ...

    @property
    def black_men(self) -> tuple[int, ...]: ...

    @property
    def black_kings(self) -> tuple[int, ...]: ...

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """White men, White kings, Black men, Black kings."""

    @property
    def diagram(self) -> str:
        """One character a square: w W b B or a point."""

    @property
    def fen(self) -> str: ...

    @property
    def key(self) -> int:
        """64 bits that are equal for equal positions, on every platform."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def legal_moves(self) -> LegalMoves: ...

    def routes(self) -> LegalMoves:
        """The legal moves with every order of taking kept apart."""

    def quiet_moves(self) -> LegalMoves:
        """Moves without capture, as if captures were not compulsory."""

    def count_moves(self) -> int: ...

    def must_capture(self) -> bool: ...

    def after(self, move: Move, /) -> Self | None:
        """The next position, or None if the move is not legal here."""

    def under(self, rules: Rules, /) -> Self:
        """The same pieces under other rules of the same board."""

    def read(self, text: str, /) -> tuple[list[Move], tuple[int, ...], str] | tuple[list[tuple[str, str, int, int]], None, None]:
        """
        (moves the text may mean, squares it names, scheme), or (problems, None, None).
        """

    def perft(self, depth: int, routes: bool = False) -> int: ...

P = TypeVar("P", bound=Position)

def start(type: type[P], rules: Rules, /) -> P: ...

def place(type: type[P], rules: Rules, white_men: Sequence[int], white_kings: Sequence[int], black_men: Sequence[int], black_kings: Sequence[int], black_to_move: bool, /) -> P | list[tuple[str, str, int, int]]:
    """
    A position of the given class, or the list of what is wrong: code, token, offset, square or -1.
    """

def read_fen(type: type[P], rules: Rules, text: str, /) -> P | list[tuple[str, str, int, int]]:
    """
    A position of the given class, or the list of what is wrong: code, token, offset, square or -1.
    """

def successors(rules: Rules, codes: Buffer, turns: Buffer) -> tuple[memoryview, memoryview, memoryview]:
    """
    Piece codes of all successors, and for each its parent's row and the move's two ends.
    """
