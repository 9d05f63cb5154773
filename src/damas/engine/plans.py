"""What a quiet move wins whatever is replied: every reply loses something, or a man gets through to be crowned.

As with combinations, the answer needs no evaluation: all replies are tried.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from damas.board import Color, Setup
from damas.engine.forcing import Combination, balance, best_combination, worth_of_king
from damas.errors import IllegalSetup
from damas.game import Move, Position

MAX_OFFERS = 1
"""Moves without a capture in a combination that follows a reply."""
MAX_MOVES = 4
"""Own moves until a man is crowned, at most."""
MAX_POSITIONS = 3000
"""Positions looked at for one question; what was not looked at wins nothing."""


@dataclass(frozen=True)
class Squeeze:
    """A quiet move after which every reply loses a piece at least."""

    start: Position
    move: Move
    gain: int
    """Worth of what is won at least: a man counts 1."""
    moves: tuple[Move, ...]
    """The quiet move, the reply that loses least, and the combination against it."""
    king: int | None
    """The square of the opponent's king that is taken whatever it does; None where it is not always one."""
    is_threat: bool
    """Whether something is won as well if the opponent does not move: otherwise it is the turn that loses."""


def squeeze(position: Position, first: Move) -> Squeeze | None:
    """What a quiet move wins by force; None where some reply loses no piece, or is a capture."""
    if first.is_capture or first.promotes:
        return None
    after = position.play(first)
    if after.must_capture() or not after.count_moves():
        return None
    worst: tuple[int, tuple[Move, ...]] | None = None
    kings = set(_kings(position, position.turn.other))
    trapped = len(kings) == 1
    for reply in after.legal_moves:
        answer = best_combination(after.play(reply), max_offers=MAX_OFFERS)
        cost = worth_of_king(position.rulebook) - 1 if reply.promotes else 0
        if answer.gain - cost <= 0 or answer.taken <= answer.given:
            return None
        trapped = trapped and not _kings(answer.positions[-1], position.turn.other)
        if worst is None or answer.gain - cost < worst[0]:
            worst = answer.gain - cost, (first, reply, *answer.moves)
    assert worst
    king = kings.pop() if trapped else None
    return Squeeze(position, first, *worst, king, _is_threat(after))


def _is_threat(position: Position) -> bool:
    """Whether the side that is not to move wins something if the other side passes."""
    pieces = position.setup.pieces
    try:
        passed = Position.of(Setup(pieces, position.turn.other), position.rulebook)
    except IllegalSetup:
        return True
    return best_combination(passed, max_offers=MAX_OFFERS).gain > 0


def _kings(position: Position, side: Color) -> tuple[int, ...]:
    return position.white_kings if side is Color.WHITE else position.black_kings


@dataclass(frozen=True)
class Run:
    """A man that is crowned by force, in at most `MAX_MOVES` moves, whatever is replied."""

    start: Position
    moves: tuple[Move, ...]
    """Until it is crowned, against the replies that hold it up longest."""

    @property
    def own_moves(self) -> int:
        """Moves of the side that crowns."""
        return (len(self.moves) + 1) // 2

    @property
    def gives(self) -> bool:
        """Whether a piece is given on the way."""
        return any(move.is_capture for move in self.moves[1::2])


def run_to_crown(position: Position, first: Move | None = None) -> Run | None:
    """The quickest way to a new king that all replies allow, and that is worth it; None where there is none."""
    for own_moves in range(1, MAX_MOVES + 1):
        search = _RunSearch(position)
        moves = search.attack(position, own_moves, [first] if first else None)
        if moves:
            return Run(position, tuple(moves))
        if search.positions >= MAX_POSITIONS:
            return None
    return None


class _RunSearch:
    """One search for a new king."""

    def __init__(self, start: Position) -> None:
        self.start, self.side = start, start.turn
        self.positions = 0

    def attack(self, position: Position, own_moves: int, only: Iterable[Move] | None) -> list[Move] | None:
        """The side that wants to crown moves."""
        moves = sorted(only or position.legal_moves, key=lambda move: (not move.promotes, move.by_king))
        for move in moves:
            self.positions += 1
            if self.positions >= MAX_POSITIONS:
                return None
            after = position.play(move)
            if move.promotes:
                if self._is_worth_it(after):
                    return [move]
            elif own_moves > 1 and (rest := self.defend(after, own_moves - 1)):
                return [move, *rest]
        return None

    def defend(self, position: Position, own_moves: int) -> list[Move] | None:
        """The other side moves: every reply must allow the new king."""
        longest: list[Move] = []
        for reply in position.legal_moves:
            self.positions += 1
            rest = self.attack(position.play(reply), own_moves, None)
            if rest is None:
                return None
            if len(rest) >= len(longest):
                longest = [reply, *rest]
        return longest or None

    def _is_worth_it(self, crowned: Position) -> bool:
        """Whether the new king is worth more than what it cost and what can be taken for it."""
        won = balance(crowned, self.side) - balance(self.start, self.side)
        return won > _loss(crowned)


def _loss(position: Position) -> int:
    """What the side that has just moved loses by force."""
    lost: Combination = best_combination(position, max_offers=MAX_OFFERS)
    return lost.gain
