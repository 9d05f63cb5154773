"""What a side wins by force: pieces offered and pieces taken, every reply a compulsory capture.

The search looks at captures and at moves that leave the opponent nothing but captures. So its answer needs no evaluation:
whatever the opponent replies, at least so much is won, counted where nothing more must be taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from damas.board import Color
from damas.game import Move, Position
from damas.rules import Rulebook

MAX_OFFERS = 4
"""Moves without a capture in one combination."""
MAX_POSITIONS = 2000
"""Positions looked at for one question; what was not looked at wins nothing."""
WHOLE_GAME = 1000
"""Worth of leaving the opponent without a move."""


@dataclass(frozen=True)
class Shot:
    """Pieces given so that more can be taken, every reply in between being a compulsory capture."""

    moves: tuple[Move, ...]
    given: int
    taken: int


@dataclass(frozen=True)
class Combination:
    """A line of offers and captures, the attacker's move first; the opponent always answers by a compulsory capture."""

    start: Position
    gain: int
    """Worth of what the attacker wins: a man counts 1."""
    moves: tuple[Move, ...]
    """Until nothing more must be taken, against the replies that give least; none where nothing is won."""

    @property
    def positions(self) -> list[Position]:
        """The position before each move, and the last."""
        return positions_of(self.start, self.moves)

    @property
    def given(self) -> int:
        """Pieces that the attacker loses."""
        return pieces(self.start, self.start.turn) - pieces(self.positions[-1], self.start.turn)

    @property
    def taken(self) -> int:
        """Pieces that the opponent loses."""
        side = self.start.turn.other
        return pieces(self.start, side) - pieces(self.positions[-1], side)

    @property
    def offers(self) -> bool:
        """Whether the attacker offers anything: a move of it is no capture."""
        return any(not move.is_capture for move in self.moves[::2])

    @property
    def shot(self) -> Shot | None:
        """The combination as a shot; None where it only captures."""
        return Shot(self.moves, self.given, self.taken) if self.offers and self.taken else None


def positions_of(start: Position, moves: Sequence[Move]) -> list[Position]:
    """The position before each move of a line, and the last."""
    positions = [start]
    for move in moves:
        positions.append(positions[-1].play(move))
    return positions


def pieces(position: Position, side: Color) -> int:
    """How many pieces a side has."""
    white_men, white_kings, black_men, black_kings = position.counts
    return white_men + white_kings if side is Color.WHITE else black_men + black_kings


def worth_of_king(book: Rulebook) -> int:
    """How many men a king counts for."""
    return 3 if book.flying_king.value else 2


def balance(position: Position, side: Color) -> int:
    """Worth of the pieces of a side less those of the other."""
    white_men, white_kings, black_men, black_kings = position.counts
    white = white_men - black_men + worth_of_king(position.rulebook) * (white_kings - black_kings)
    return white if side is Color.WHITE else -white


def best_combination(
    position: Position, first: Move | None = None, max_offers: int = MAX_OFFERS
) -> Combination:
    """What the side to move wins at least by force, beginning with `first` if that is given; no moves where it wins nothing.

    >>> shot = best_combination(Position.from_fen("B:WKb8,b4:Bg3,e5,d6", "brasileira"))
    >>> shot.gain, [move.text for move in shot.moves]
    (2, ['e5-f4', 'b8xe5', 'f4xd6'])
    """
    best = Combination(position, 0, ())
    for offers in range(max_offers + 1):
        attack = _Attack(position)
        gain, moves = attack.search(position, offers, best.gain, WHOLE_GAME, first)
        if gain > best.gain:
            best = Combination(position, gain, tuple(moves))
        if attack.positions >= MAX_POSITIONS:
            break
    return best


class _Attack:
    """One search for the side to move in a position."""

    def __init__(self, position: Position) -> None:
        self.side = position.turn
        self.before = balance(position, self.side)
        self.positions = 0

    def search(
        self, position: Position, offers: int, low: int, high: int, first: Move | None = None
    ) -> tuple[int, list[Move]]:
        """The attacker moves: what is won, between `low` and `high`, and the line; `first` may be an offer beyond `offers`."""
        self.positions += 1
        captures = position.must_capture()
        best, line = (-WHOLE_GAME, []) if captures or first else (self._settled(position), [])
        moves = [first] if first else list(position.legal_moves)
        for move in moves if captures or first or offers > 0 else []:
            if best >= high or (self.positions >= MAX_POSITIONS and best > -WHOLE_GAME):
                break
            after = position.play(move)
            if not move.is_capture and not first and not after.must_capture():
                continue
            gain, rest = self._reply(after, offers - (not move.is_capture), max(low, best), high)
            if gain > best:
                best, line = gain, [move, *rest]
        return best, line

    def _reply(self, position: Position, offers: int, low: int, high: int) -> tuple[int, list[Move]]:
        """The opponent moves: the reply that gives the attacker least."""
        self.positions += 1
        if not position.must_capture():
            return (WHOLE_GAME if not position.count_moves() else self._gain(position)), []
        worst, line = WHOLE_GAME + 1, []
        for move in position.legal_moves:
            gain, rest = self.search(position.play(move), offers, low, min(high, worst))
            if gain < worst:
                worst, line = gain, [move, *rest]
            if worst <= low:
                break
        return worst, line

    def _settled(self, position: Position) -> int:
        """What is won where the attacker need not capture: a piece less if every move lets the opponent take."""
        moves = list(position.legal_moves)
        if not moves:
            return -WHOLE_GAME
        safe = any(not position.play(move).must_capture() for move in moves)
        return self._gain(position) - (not safe)

    def _gain(self, position: Position) -> int:
        return balance(position, self.side) - self.before
