"""The computer at the table: the engine at one of its levels, and what a player owes besides moves."""

from damas.arbiter import Event, Table, events
from damas.board import Color
from damas.engine import Limits
from damas.engine.levels import DEFAULT_MOVETIME_S, LevelPlayer, ahead, level, opening_move
from damas.engine.opening_book import book_for
from damas.game import Move, Position

USUAL = 4
"""The level of someone who has said nothing."""
CONVERSION_PIECES = 6
"""With at most this many pieces an even position is a draw to the computer."""


class Computer:
    """Plays one side, in the opening by the book that comes with damas. The same seed plays the same game, but for the last level, which thinks by the clock."""

    def __init__(self, side: Color, seed: int, level: int = USUAL, *, hash_mb: int | None = None) -> None:
        self.side = side
        self.level = level
        self._seed = seed
        self._hash_mb = hash_mb
        self._player: LevelPlayer | None = None
        self._is_cancelled = False

    def acts(self, table: Table, now: int) -> Event | None:
        """What it does now, or None if it waits for the opponent."""
        if table.outcome or table.suspended:
            return None
        if table.offer is self.side.other:
            return (events.Accepted if self._likes_a_draw(table) else events.Declined)(now, self.side)
        if table.take_back is self.side.other:
            return events.TakeBackGranted(now, self.side)
        if table.chain and not table.chain.demanded and table.chain.by is not self.side:
            return events.DemandedCompletion(now, self.side)
        if table.awaited is not self.side:
            return None
        return self.claims(table, now) or events.Moved(now, self.side, self.choose(table, now).text)

    def _likes_a_draw(self, table: Table) -> bool:
        """Behind, or even when little is left, or ahead in an ending that cannot be won."""
        lead = ahead(table.position, self.side)
        if lead > 0:
            return self._level_at(table).sees_no_win(table.game, self.side)
        return lead < 0 or sum(table.position.counts) <= CONVERSION_PIECES

    def claims(self, table: Table, now: int) -> Event | None:
        """What it says before a move: a draw is claimed by the side that is not winning."""
        if ahead(table.position, self.side) > 0:
            return None
        # What the platform offers is left to people: the text's own limits end the game.
        for claim in (claim for claim in table.claims_open() if not claim.rule.platform):
            kind = events.Claimed if claim.kind == "claim" else events.CalledAttention
            return kind(now, self.side, claim.rule.id)
        return None

    def choose(self, table: Table, now: int | None = None) -> Move:
        """What its level plays; of what a touched piece leaves, if it has touched one."""
        left = table.clocks.remaining(self.side, table.now if now is None else now)
        limits = None if left is None else Limits(clock=max(left, 0) / 1000)
        move = self._level_at(table).choose(table.game, limits, only=table.playable)
        assert move is not None
        return move

    def knows_opening(self, table: Table) -> bool:
        """Whether it plays its next move from the opening book, which takes no time."""
        book = book_for(table.book)
        return bool(book and opening_move(book, table.game.record, self.level, self._seed))

    def movetime(self, table: Table, now: int) -> float | None:
        """Seconds for which the strongest level thinks about its move; None for the others, which count positions."""
        if level(self.level).nodes is not None:
            return None
        left = table.clocks.remaining(self.side, now)
        if left is None:
            return DEFAULT_MOVETIME_S
        full = sum(table.position.counts) / sum(Position.start(table.book).counts)
        soft, _ = Limits(clock=max(left, 0) / 1000).times(full)
        return soft

    def _level_at(self, table: Table) -> LevelPlayer:
        if self._player is None:
            self._player = LevelPlayer(
                table.book,
                self.level,
                self._seed,
                hash_mb=self._hash_mb,
                customs=table.game.customs,
                opening_book=book_for(table.book),
            )
            if self._is_cancelled:  # before it had an engine
                self._player.engine.cancel()
        return self._player

    def cancel(self) -> None:
        """From any thread, for good: it answers within a few milliseconds, now and later, with what it has."""
        self._is_cancelled = True
        if player := self._player:
            player.engine.cancel()

    def close(self) -> None:
        """Gives back what it thinks with; it may go on later all the same."""
        if self._player:
            self._player.close()
            self._player = None
