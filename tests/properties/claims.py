"""What each refusal claims, checked on the board and with the oracle: nothing here asks damas why.

Squares are the oracle's (row, column); an attempt is the list of squares a text names.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from damas import Refusal
from oracle import moves
from oracle.board import Position, Square, colour, crown_row, is_king, other, square_of
from oracle.books import DIAGONAL, FRISIAN, ORTHOGONAL, Book
from oracle.moves import Move, merit, quiet, read_stops

# Many texts are tried in one position, and crowds of kings on great boards take the oracle seconds.
legal = lru_cache(maxsize=16)(moves.legal)
every_capture = lru_cache(maxsize=16)(moves.every_capture)


@dataclass
class Attempt:
    """A text tried in a position, with what the oracle thinks of it."""

    book: Book
    position: Position
    text: str
    refusal: Refusal
    squares: list[Square] = field(init=False)

    def __post_init__(self) -> None:
        self.squares = read_stops(self.book, self.text)

    def square(self, name: object) -> Square:
        return square_of(self.book, str(name))

    def fact(self, key: str) -> Square:
        return self.square(self.refusal.facts[key])

    @property
    def legs(self) -> list[tuple[Square, Square]]:
        return list(pairwise(self.squares))

    @property
    def origin(self) -> str | None:
        return self.position.pieces.get(self.squares[0])

    def enemy(self, square: Square) -> bool:
        piece = self.position.pieces.get(square)
        return piece is not None and colour(piece) != self.position.turn

    def own(self, square: Square) -> bool:
        piece = self.position.pieces.get(square)
        return piece is not None and colour(piece) == self.position.turn

    @property
    def jumps(self) -> bool:
        """Whether it means to capture: several legs, or an enemy on the way of the only one."""
        return len(self.legs) > 1 or any(self.enemy(s) for s in between(*self.legs[0]))

    def flies_from(self, start: Square) -> bool:
        """Whether the piece is a flying king when it leaves this square; a man may have been crowned on the way."""
        last = crown_row(self.book, self.position.turn)
        so_far = self.squares[1 : self.squares.index(start, 1) + 1] if start in self.squares[1:] else []
        crowned = self.book.crowning == "continues" and any(s[0] == last for s in so_far)
        return self.book.king_flies and (is_king(str(self.origin)) or crowned)

    def taken(self) -> list[Square]:
        """The enemies jumped, leg by leg; with pieces lifted at once each only the first time."""
        victims: list[Square] = []
        for leg in self.legs:
            victims += [s for s in between(*leg) if self.enemy(s) and s not in victims]
        return victims

    def free_captures(self, landing: str | None = None) -> list[Move]:
        """Every complete capture if no law preferred one."""
        lands = landing or self.book.king_lands
        return every_capture(replace(self.book, duty=(), king_lands=lands), self.position)


def direction(start: Square, end: Square) -> Square | None:
    """One step from start towards end, if they are in line."""
    rows, columns = end[0] - start[0], end[1] - start[1]
    length = max(abs(rows), abs(columns))
    if not length or (rows and columns and abs(rows) != abs(columns)):
        return None
    return rows // length, columns // length


def between(start: Square, end: Square) -> list[Square]:
    """The squares strictly between two in line."""
    step = direction(start, end)
    if step is None:
        return []
    length = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
    return [(start[0] + step[0] * i, start[1] + step[1] * i) for i in range(1, length)]


def path(start: Square, end: Square) -> list[Square]:
    return [*between(start, end), end]


def lines(book: Book, jumping: bool) -> set[Square]:
    """The directions of a king as single steps: nothing of the board is followed elsewhere."""
    steps = book.king_jumps if jumping else book.king_steps
    return {(rows // max(1, abs(rows)), columns // max(1, abs(columns))) for rows, columns in steps}


# --- one claim a code; a check returns nothing and raises AssertionError --------------------------------------


def game_over(a: Attempt) -> None:
    assert not legal(a.book, a.position)


def not_your_turn(a: Attempt) -> None:
    """The other side could play exactly this."""
    assert a.enemy(a.squares[0])
    flipped = Position(other(a.position.turn), a.position.pieces)
    assert any((m.origin, m.to) == (a.squares[0], a.squares[-1]) for m in legal(a.book, flipped))


def not_your_piece(a: Attempt) -> None:
    assert a.enemy(a.squares[0])
    flipped = Position(other(a.position.turn), a.position.pieces)
    tried = (a.squares[0], tuple(a.squares[1:]))
    assert not any((m.origin, m.route) == tried for m in legal(a.book, flipped))


def empty_square(a: Attempt) -> None:
    assert a.squares[0] not in a.position.pieces
    assert a.fact("square") == a.squares[0]


def ambiguous(a: Attempt) -> None:
    ends = (a.squares[0], a.squares[-1])
    results = {m.becomes.key() for m in legal(a.book, a.position) if (m.origin, m.to) == ends}
    assert len(results) > 1
    assert len(set(a.refusal.legal)) == a.refusal.facts["count"] == len(a.refusal.legal) > 1
    for text in a.refusal.legal:
        squares = read_stops(a.book, text)
        assert (squares[0], squares[-1]) == ends


def leg_named(a: Attempt) -> tuple[Square, Square]:
    leg = (a.fact("start"), a.fact("end"))
    assert leg in a.legs
    return leg


def not_diagonal(a: Attempt) -> None:
    step = direction(*leg_named(a))
    if step is not None:
        assert step not in lines(a.book, a.jumps)
    else:
        assert all(line in (*DIAGONAL, *ORTHOGONAL) for line in lines(a.book, a.jumps))


def too_far(a: Attempt) -> None:
    """More than one step, or a jump over more than a neighbour, by a piece that does not fly."""
    start, end = leg_named(a)
    assert not a.flies_from(start)
    step = direction(start, end)
    assert step is not None
    reach = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
    # On one colour the next square of a row or a file is two squares away.
    unit = 2 if a.book.king_jumps == FRISIAN and 0 in step else 1
    assert reach > unit
    assert not a.jumps or reach != 2 * unit


def no_backward(a: Attempt) -> None:
    start, end = leg_named(a)
    assert a.origin == a.position.turn.lower()
    back = end[0] < start[0] if a.position.turn == "W" else end[0] > start[0]
    assert back
    if a.jumps:
        assert all(rows >= 0 for rows, _ in a.book.man_jumps)
    else:
        assert all(rows >= 0 for rows, _ in a.book.man_steps)


def own_piece_blocks(a: Attempt) -> None:
    square = a.fact("square")
    assert a.own(square)
    assert square != a.squares[0]
    assert any(square in path(*leg) for leg in a.legs)


def two_in_a_row(a: Attempt) -> None:
    one, two = a.fact("square"), a.fact("other")
    assert a.enemy(one)
    assert a.enemy(two)
    ways = [path(*leg) for leg in a.legs if one in path(*leg) and two in path(*leg)]
    assert ways
    step = direction(one, two)
    # Neighbours on their line: no playing square between them.
    assert step is not None
    reach = max(abs(one[0] - two[0]), abs(one[1] - two[1]))
    assert reach == (2 if a.book.corner != "all" and 0 in step else 1)


def blocked(a: Attempt) -> None:
    square = a.fact("square")
    assert a.enemy(square)
    assert any(square in path(*leg) for leg in a.legs)
    if a.jumps:
        assert square in a.squares[1:]


def captured_twice(a: Attempt) -> None:
    square = a.fact("square")
    assert a.enemy(square)
    assert a.book.lifting == "end"
    assert sum(square in path(*leg) for leg in a.legs) > 1


def nothing_to_take(a: Attempt) -> None:
    start, end = leg_named(a)
    index = a.legs.index((start, end))
    before = [s for leg in a.legs[:index] for s in between(*leg) if a.enemy(s)]
    assert a.jumps
    assert not [s for s in between(start, end) if a.enemy(s) and s not in before]


def man_takes_king(a: Attempt) -> None:
    assert a.origin == a.position.turn.lower()
    assert not a.book.man_takes_king
    assert any(is_king(a.position.pieces[s]) for s in a.taken())


def turns_back(a: Attempt) -> None:
    turns = [(direction(*one), direction(*two)) for one, two in pairwise(a.legs)]
    assert any(one == (-two[0], -two[1]) for one, two in turns if one and two)


def crowning_ends(a: Attempt) -> None:
    square = a.fact("square")
    assert a.book.crowning == "stops"
    assert a.origin == a.position.turn.lower()
    assert square in a.squares[1:-1]
    assert square[0] == crown_row(a.book, a.position.turn)


def must_stop_behind(a: Attempt) -> None:
    assert a.book.king_lands == "behind"
    square, end = a.fact("square"), a.fact("end")
    assert square != end
    assert end in a.squares[1:]
    leg = next(leg for leg in a.legs if leg[1] == end and square in between(*leg))
    victims = [s for s in between(*leg) if a.enemy(s)]
    step = direction(*leg)
    assert step
    assert (victims[-1][0] + step[0], victims[-1][1] + step[1]) == square


def chain_incomplete(a: Attempt) -> None:
    """What was taken is the proper beginning of a whole capture, and the attempt is no whole capture itself."""
    taken = tuple(a.taken())
    landing = "behind" if a.book.king_lands == "behind" else "any"
    captures = [m for m in a.free_captures(landing) if m.origin == a.squares[0]]
    assert any(m.captured[: len(taken)] == taken and len(m.captured) > len(taken) for m in captures)
    assert not any((m.to, m.captured) == (a.squares[-1], taken) for m in captures)
    assert a.refusal.facts["takes"] == len(taken)
    assert a.refusal.facts["count"] == max(
        len(m.captured) for m in captures if m.captured[: len(taken)] == taken
    )


def must_continue(a: Attempt) -> None:
    """Whole where it ends, but from another square behind the same piece the capture goes on."""
    taken = tuple(a.taken())
    assert a.book.king_lands == "onward"
    captures = [m for m in a.free_captures("any") if m.origin == a.squares[0]]
    assert any((m.to, m.captured) == (a.squares[-1], taken) for m in captures)
    assert any(m.captured[: len(taken)] == taken and len(m.captured) > len(taken) for m in captures)
    assert not any((m.to, m.captured) == (a.squares[-1], taken) for m in a.free_captures())


def must_capture(a: Attempt) -> None:
    assert any((m.origin, m.to) == (a.squares[0], a.squares[-1]) for m in quiet(a.book, a.position))
    assert len(a.squares) == 2
    assert every_capture(a.book, a.position)


def preferred(law: str) -> Callable[[Attempt], None]:
    """A whole capture, but the compulsory ones have more of this, and as much of what comes before it."""

    def check(a: Attempt) -> None:
        taken = tuple(a.taken())
        mine = [
            m
            for m in a.free_captures()
            if (m.origin, m.to, m.captured) == (a.squares[0], a.squares[-1], taken)
        ]
        assert mine, "not a whole capture"
        best = legal(a.book, a.position)
        laws = a.book.duty[: a.book.duty.index(law)]
        for law_before in laws:
            assert merit(a.position, mine[0], law_before) == merit(a.position, best[0], law_before)
        assert all(merit(a.position, m, law) > merit(a.position, mine[0], law) for m in best)
        if law in ("quantity", "value", "kings taken"):
            assert a.refusal.facts["takes"] == merit(a.position, mine[0], law)
            assert a.refusal.facts["asks"] == merit(a.position, best[0], law)

    return check


CLAIMS: dict[str, Callable[[Attempt], None]] = {
    "GAME_OVER": game_over,
    "NOT_YOUR_TURN": not_your_turn,
    "EMPTY_SQUARE": empty_square,
    "NOT_YOUR_PIECE": not_your_piece,
    "AMBIGUOUS": ambiguous,
    "NOT_DIAGONAL": not_diagonal,
    "TOO_FAR": too_far,
    "NO_BACKWARD": no_backward,
    "OWN_PIECE_BLOCKS": own_piece_blocks,
    "TWO_IN_A_ROW": two_in_a_row,
    "BLOCKED": blocked,
    "CAPTURED_TWICE": captured_twice,
    "NOTHING_TO_TAKE": nothing_to_take,
    "MAN_TAKES_KING": man_takes_king,
    "TURNS_BACK": turns_back,
    "CROWNING_ENDS": crowning_ends,
    "MUST_STOP_BEHIND": must_stop_behind,
    "CHAIN_INCOMPLETE": chain_incomplete,
    "MUST_CONTINUE": must_continue,
    "MUST_CAPTURE": must_capture,
    "MAJORITY": preferred("quantity"),
    "VALUE": preferred("value"),
    "WITH_KING": preferred("with king"),
    "QUALITY": preferred("kings taken"),
    "KING_FIRST": preferred("kings first"),
}
