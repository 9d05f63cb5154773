"""The legal moves, written as the texts put them.

A capture is one move from its first square to its last. All complete captures are
listed first; the duties of the book then decide which of them may be played.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .board import Position, Square, colour, crown_row, is_king, name, other, square_of, squares
from .books import Book, book_of

Direction = tuple[int, int]


@dataclass(frozen=True)
class Move:
    """One whole move.

    `captured` is in the order taken and `route` holds every landing, the last of
    them being `to`. Where a flying king goes straight on over another piece, only
    the landing directly behind the first is named: the others change nothing.
    """

    origin: Square
    to: Square
    captured: tuple[Square, ...]
    route: tuple[Square, ...]
    promotes: bool
    becomes: Position


def legal(book: Book | str, position: Position) -> list[Move]:
    """Every legal move; captures by different routes are different moves (see `merged` and `by_order`)."""
    book = book_of(book)
    captures = every_capture(book, position)
    if captures:  # capturing is compulsory in every book
        return dutiful(book, position, captures)
    return quiet(book, position)


def text(book: Book | str, move: Move) -> str:
    """The move with every landing, as the cases write it: `f6xd8xb6=`."""
    book = book_of(book)
    mark = "x" if move.captured else "-"
    stops = (move.origin, *move.route)
    return mark.join(name(book, square) for square in stops) + ("=" if move.promotes else "")


# --- conventions of counting ---------------------------------------------------


def merged(moves: Iterable[Move]) -> list[Move]:
    """ "drop": one move for each origin, destination, set of captured pieces and result."""
    distinct: dict[object, Move] = {}
    for move in moves:
        distinct.setdefault((move.origin, move.to, frozenset(move.captured), move.promotes), move)
    return list(distinct.values())


def by_order(moves: Iterable[Move]) -> list[Move]:
    """ "keep": one move for each origin, order of captured pieces and destination."""
    distinct: dict[object, Move] = {}
    for move in moves:
        distinct.setdefault((move.origin, move.captured, move.to), move)
    return list(distinct.values())


# --- quiet moves ---------------------------------------------------------------


def quiet(book: Book, position: Position) -> list[Move]:
    """Moves without capture."""
    moves = []
    for origin, piece in position.pieces.items():
        if colour(piece) != position.turn:
            continue
        king = is_king(piece)
        for direction in lines(book.king_steps if king else book.man_steps, position.turn):
            to = beyond(origin, direction)
            while to in squares(book) and to not in position.pieces:
                crowned = not king and to[0] == crown_row(book, position.turn)
                moves.append(played(position, origin, (), (to,), king or crowned))
                if not (king and book.king_flies):
                    break
                to = beyond(to, direction)
    return moves


def lines(directions: tuple[Direction, ...], side: str) -> list[Direction]:
    """The directions of a side as steps in rows and columns; Black moves towards smaller rows."""
    sense = 1 if side == "W" else -1
    return [(sense * rows, columns) for rows, columns in directions]


def beyond(square: Square, direction: Direction) -> Square:
    return square[0] + direction[0], square[1] + direction[1]


def played(
    position: Position, origin: Square, captured: tuple[Square, ...], route: tuple[Square, ...], king: bool
) -> Move:
    """The move with the position it leads to; `king` is what the piece has become."""
    was = position.pieces[origin]
    after = dict(position.pieces)
    del after[origin]
    for victim in captured:
        del after[victim]
    after[route[-1]] = position.turn if king else position.turn.lower()
    return Move(
        origin, route[-1], captured, route, king and not is_king(was), Position(other(position.turn), after)
    )


# --- captures ------------------------------------------------------------------


@dataclass(frozen=True)
class Jump:
    """One jump over `victim` to any of `landings`, nearest first."""

    direction: Direction
    victim: Square
    landings: tuple[Square, ...]


@dataclass(frozen=True)
class Hand:
    """A capturing piece between two jumps: its square, its kind, and the jumps so far."""

    square: Square
    king: bool
    arrived: Direction | None  # of the last jump
    taken: tuple[Square, ...]
    route: tuple[Square, ...]


def every_capture(book: Book, position: Position) -> list[Move]:
    """Every complete capture of every piece, before the duties of the book."""
    moves = []
    for origin, piece in position.pieces.items():
        if colour(piece) != position.turn:
            continue
        hand = Hand(origin, is_king(piece), None, (), ())
        if not any(jumps(book, position.turn, position.pieces, hand)):
            continue
        around = dict(position.pieces)
        del around[origin]  # the square it left counts as empty (000-24)
        for end in chains(book, position.turn, around, hand):
            on_crown = end.square[0] == crown_row(book, position.turn)  # it rests here: crowned
            moves.append(played(position, origin, end.taken, end.route, end.king or on_crown))
    return moves


def jumps(book: Book, side: str, around: dict[Square, str], hand: Hand) -> Iterator[Jump]:
    """Every jump that the capturing piece can make next; `around` is the board without it."""
    board = squares(book)
    for direction in lines(book.king_jumps if hand.king else book.man_jumps, side):
        if hand.arrived == (-direction[0], -direction[1]) and not book.king_turns_about:
            continue
        victim = beyond(hand.square, direction)
        if hand.king and book.king_flies:  # it may come from any distance
            while victim in board and victim not in around:
                victim = beyond(victim, direction)
        target = around.get(victim)
        if target is None or colour(target) == side:
            continue
        if victim in hand.taken:  # never twice over one piece; until lifted it blocks
            continue
        if is_king(target) and not hand.king and not book.man_takes_king:
            continue
        landings = []
        landing = beyond(victim, direction)
        while landing in board and landing not in around:
            landings.append(landing)
            if not (hand.king and book.king_flies and book.king_lands != "behind"):
                break
            landing = beyond(landing, direction)
        if landings:
            yield Jump(direction, victim, tuple(landings))


def chains(book: Book, side: str, around: dict[Square, str], hand: Hand) -> Iterator[Hand]:
    """Every way to continue with at least one jump until no jump is left."""
    for jump in jumps(book, side, around, hand):
        yield from onwards(book, side, around, hand, jump)


def onwards(book: Book, side: str, around: dict[Square, str], hand: Hand, jump: Jump) -> Iterator[Hand]:
    """The complete captures that begin with this jump."""
    if book.lifting == "at once":
        around = {square: piece for square, piece in around.items() if square != jump.victim}
    goes_on = False
    resting = []
    for landing in jump.landings:
        crowned = not hand.king and landing[0] == crown_row(book, side)
        king = hand.king or (crowned and book.crowning == "continues")
        after = Hand(landing, king, jump.direction, (*hand.taken, jump.victim), (*hand.route, landing))
        if crowned and book.crowning == "stops":
            resting.append(after)
            continue
        following = list(jumps(book, side, around, after))
        if not following:
            resting.append(after)
            continue
        goes_on = True
        for next_jump in following:
            straight = next_jump.direction == jump.direction
            if straight and landing != jump.landings[0]:
                continue  # the same pieces in the same order: already listed from the nearest landing
            yield from onwards(book, side, around, after, next_jump)
    if not (goes_on and book.king_lands == "onward"):  # the dagger of C
        yield from resting


# --- duties --------------------------------------------------------------------


def dutiful(book: Book, position: Position, captures: list[Move]) -> list[Move]:
    """The captures that are greatest by the duties of the book, compared in order."""
    if not book.duty:
        return captures
    ranks = [tuple(merit(position, move, duty) for duty in book.duty) for move in captures]
    best = max(ranks)
    return [move for move, rank in zip(captures, ranks, strict=True) if rank == best]


def merit(position: Position, move: Move, duty: str) -> object:
    kings = tuple(is_king(position.pieces[victim]) for victim in move.captured)
    if duty == "quantity":
        return len(kings)
    if duty == "kings taken":
        return sum(kings)
    if duty == "with king":
        return is_king(position.pieces[move.origin])
    if duty == "kings first":  # compared piece by piece: the king met sooner is the greater
        return kings
    if duty == "value":
        return sum(199 if king else 100 for king in kings)
    raise ValueError(duty)


# --- reading moves -------------------------------------------------------------


def read_move(book: Book | str, position: Position, written: str) -> Move:
    """The legal move that a text names, by its ends or with landings between them.

    `c3-d4`, `c3xe5xg7`, `c3:e5`, `22x15`, and the rows and columns of 004, `2,2 4,4`.
    """
    book = book_of(book)
    stops = read_stops(book, written)
    fits = [m for m in legal(book, position) if m.origin == stops[0] and m.to == stops[-1]]
    exact = [m for m in fits if m.route == tuple(stops[1:])]
    if not exact:
        exact = [m for m in fits if in_order(stops[1:-1], trail(m))]
    results = {m.becomes.key() for m in exact}
    if len(results) != 1:
        raise ValueError(f"{written!r} is {'ambiguous' if results else 'illegal'} in {book.id}")
    return exact[0]


def read_stops(book: Book, written: str) -> list[Square]:
    cleaned = written.strip().rstrip("=")
    if "," in cleaned:
        return [(int(row), int(column)) for row, column in (item.split(",") for item in cleaned.split())]
    for mark in "x:":
        cleaned = cleaned.replace(mark, "-")
    return [square_of(book, item) for item in cleaned.split("-")]


def trail(move: Move) -> list[Square]:
    """Every square that the piece passes or lands on, in order, those of captured pieces included."""
    passed: list[Square] = []
    here = move.origin
    for stop in move.route:
        rows, columns = stop[0] - here[0], stop[1] - here[1]
        length = max(abs(rows), abs(columns))
        passed += [
            (here[0] + rows * step // length, here[1] + columns * step // length)
            for step in range(1, length + 1)
        ]
        here = stop
    return passed


def in_order(wanted: list[Square], passed: list[Square]) -> bool:
    """Whether the wanted squares occur among the passed ones in that order."""
    rest = iter(passed)
    return all(square in rest for square in wanted)
