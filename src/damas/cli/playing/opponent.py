"""A simple opponent until there is an engine: it looks at its own move and at the answer, no further."""

from random import Random

from damas.arbiter import (
    Accepted,
    CalledAttention,
    Claimed,
    Declined,
    DemandedCompletion,
    Event,
    Moved,
    Table,
    TakeBackGranted,
)
from damas.board import Color
from damas.game import Move, Position

KING = 3
"""What a king is worth in men."""
FEW = 6


class Computer:
    """Plays one side. The same seed plays the same game."""

    def __init__(self, side: Color, seed: int) -> None:
        self.side = side
        self._random = Random(seed)

    def acts(self, table: Table, now: int) -> Event | None:
        """What it does now, or None if it waits for the opponent."""
        if table.outcome or table.suspended:
            return None
        if table.offer is self.side.other:
            return (Accepted if self._likes_a_draw(table) else Declined)(now, self.side)
        if table.take_back is self.side.other:
            return TakeBackGranted(now, self.side)
        if table.chain and not table.chain.demanded and table.chain.by is not self.side:
            return DemandedCompletion(now, self.side)
        if table.awaited is not self.side:
            return None
        return self._claims(table, now) or Moved(now, self.side, self.choose(table).text)

    def _likes_a_draw(self, table: Table) -> bool:
        """Behind, or even when little is left."""
        ahead = balance(table.position, self.side)
        return ahead < 0 or (ahead == 0 and sum(table.position.counts) <= FEW)

    def _claims(self, table: Table, now: int) -> Event | None:
        """Draws are for the side that is not winning."""
        if balance(table.position, self.side) > 0:
            return None
        for claim in table.claims_open():
            kind = Claimed if claim.kind == "claim" else CalledAttention
            return kind(now, self.side, claim.rule.id)
        return None

    def choose(self, table: Table) -> Move:
        """One of the moves that win most and lose least, at random."""
        moves = table.playable
        worth = [self._worth(table.position, move) for move in moves]
        best = [move for move, value in zip(moves, worth, strict=True) if value == max(worth)]
        return self._random.choice(best)

    @staticmethod
    def _worth(position: Position, move: Move) -> float:
        following = position.after(move)
        assert following is not None
        if not following.count_moves():
            return 1000
        side = position.turn
        if not following.must_capture():
            return balance(following, side) + 0.1 * move.promotes
        answers = (following.after(answer) for answer in following.legal_moves)
        return min(balance(answer, side) for answer in answers if answer)


def balance(position: Position, side: Color) -> int:
    """How much more a side has, counted in men."""
    white_men, white_kings, black_men, black_kings = position.counts
    white = white_men + KING * white_kings - black_men - KING * black_kings
    return white if side is Color.WHITE else -white
