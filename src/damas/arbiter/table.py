"""The table: a live game with its clock, offers and obligations, computed from its events."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

from damas.arbiter.clock import Clock, ClockFace
from damas.arbiter.counts import Count, OpenClaim, claims_open, counts
from damas.arbiter.events import (
    AcceptedUnfinished,
    Corrected,
    Event,
    Lot,
    Moved,
    Player,
    Refused,
    Started,
)
from damas.arbiter.moves import following, legal_move, playable
from damas.arbiter.refused import ProcedureRefused
from damas.arbiter.regulation import Regulation, regulation
from damas.board import Color, Square
from damas.errors import DamasError
from damas.game import Game, Move, Outcome, Position
from damas.rules import Rulebook, cite, rulebook
from damas.rules.library import edition


@dataclass(frozen=True)
class Unfinished:
    """A capture that was released too early."""

    by: Color
    move: str
    route: tuple[Square, ...]
    demanded: bool
    """Whether the opponent has demanded its completion; until then the opponent must choose."""


class Moment(NamedTuple):
    """When a notable event happened."""

    side: Color
    """The side to move, or still in the second tempo of its capture."""
    move: int
    """The number of that side's move, as on the score sheet."""
    article: str = ""
    """The article that the event itself breaks, if it is a capture released too early."""


@dataclass(frozen=True)
class Stretch:
    """A part of the game between positions set by the arbiter; most games have only one."""

    game: Game
    ply: int
    """Plies played before it."""
    move: int
    """The number of its first move."""
    begun_by: AcceptedUnfinished | Corrected | None = None
    """What set up its position; None for the start of the game."""
    broken_off: str = ""
    """The capture, released too early and accepted so, that was the turn before it."""

    def move_number(self, ply: int) -> int:
        """The number on the score sheet of a ply of this stretch, counted from 1."""
        return self.move - 1 + self.game.record.move_number(ply)


@dataclass(frozen=True)
class Table:
    """An immutable state of a game: `apply` returns the next table.

    >>> from damas.arbiter import Resigned
    >>> table = Table.start("faraes", "casual").play("c3-d4", at=2000)
    >>> table.apply(Resigned(2500, Color.BLACK)).outcome.sentence("en")
    'White wins: Black resigned (casual regulation).'
    """

    events: tuple[Event, ...]
    book: Rulebook
    regulation: Regulation
    white: Player
    black: Player
    stretches: tuple[Stretch, ...]
    clocks: Clock
    notable: tuple[int, ...] = ()
    """Numbers of the events of `events.NOTABLE`, so that a long game costs no more than a short one."""
    notable_at: tuple[Moment, ...] = ()
    """When each of them happened."""
    outcome: Outcome | None = None
    suspended: bool = False
    offer: Color | None = None
    """The player whose draw offer is open."""
    touched: str | None = None
    """The square of the piece that the player to move has touched and must move."""
    adjusting: frozenset[Color] = frozenset()
    chain: Unfinished | None = None
    lifting: tuple[str, ...] = ()
    """Squares of captured pieces that the player who has just moved must lift, in order (003-6)."""
    crowning: str | None = None
    """The square of a man that the player to move must crown before playing on (003-11d)."""
    take_back: Color | None = None
    """The player who has asked to take a move back."""
    calls: frozenset[Color] = frozenset()
    """Players who have called the arbiter and wait."""
    absent: Mapping[Color, int] = field(default_factory=dict)
    """Absent players and the time they left, in milliseconds since the game began."""
    _games: dict[int, tuple[Event, Game | None]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    _reading: list[tuple[Moved, Move | DamasError]] = field(
        default_factory=list, init=False, compare=False, repr=False
    )
    """The event that was read last, and what it means."""

    # Starting

    @classmethod
    def start(
        cls,
        book: Rulebook | str,
        rules: Regulation | str,
        players: tuple[Player | str, Player | str] = ("", ""),
        *,
        fen: str | None = None,
        lot: int | None = None,
        recorded: bool | None = None,
    ) -> "Table":
        """A new game. The players are White and Black in this order, or as drawn with the seed `lot`."""
        book = rulebook(book)
        rules = regulation(rules) if isinstance(rules, str) else rules
        position = Position.from_fen(fen, book) if fen else Position.start(book)
        first, second = (Player(player) if isinstance(player, str) else player for player in players)
        drawn = None if lot is None else Lot(lot, draw_lots(lot))
        white, black = (second, first) if drawn and drawn.first is Color.BLACK else (first, second)
        written = rules.recorded if recorded is None else recorded
        started = Started(0, book.id, book.hash, rules, position.fen, white, black, drawn, written)
        return cls.open(started, book)

    @classmethod
    def open(cls, started: Started, book: Rulebook | None = None) -> "Table":
        """The table of a `Started` event; house rules need their `book`, since their id does not identify them."""
        from damas.arbiter.arbiter import ruled  # the arbiter module imports this one

        book = edition(started.rulebook, started.hash) if book is None else book
        rules = started.regulation
        if (started.rulebook, started.hash) != (book.id, book.hash):
            raise ProcedureRefused("OTHER_RULEBOOK", rulebook=started.rulebook, hash=started.hash[:12])
        if started.lot is None and rules.lot_under(book):
            raise ProcedureRefused(
                "LOT_NEEDED", rules.cite_clause(book, book.colours_by_lot, True, "colours")
            )
        if started.lot and draw_lots(started.lot.seed) is not started.lot.first:
            raise ProcedureRefused(
                "LOT_WRONG", cite(book, book.colours_by_lot.article), seed=started.lot.seed
            )
        game = Game.start(book, fen=started.fen, recorded=started.recorded, customs=rules.customs)
        clocks = Clock.start(rules.time_control, game.position.turn, started.at)
        stretches = (Stretch(game, 0, 1),)
        table = cls((started,), book, rules, started.white, started.black, stretches, clocks)
        return ruled(table, game.outcome)

    # Events

    def apply(self, event: Event) -> "Table":
        """The table after an event and the ruling on it.

        Raises `ProcedureRefused` if the event is not allowed; continue with its `table`, which may record the attempt.
        """
        from damas.arbiter.arbiter import apply

        return apply(event, self)

    def play(self, move: Move | str, at: int) -> "Table":
        """A move by the player to move."""
        return self.apply(Moved(at, self.to_move, move if isinstance(move, str) else move.text))

    # State

    @cached_property
    def game(self) -> Game:
        """The current stretch of the game."""
        return self.stretches[-1].game

    @cached_property
    def position(self) -> Position:
        """The position on the board."""
        return self.game.position

    @cached_property
    def to_move(self) -> Color:
        """The side to move."""
        return self.position.turn

    @property
    def awaited(self) -> Color:
        """The player who has to act: the one to move, the one who must decide about an unfinished capture, or the one
        who lifts captured pieces.
        """
        undecided = self.chain is not None and not self.chain.demanded
        return self.to_move.other if undecided or self.lifting else self.to_move

    @cached_property
    def ply(self) -> int:
        """Plies played, without those taken back."""
        return self.stretches[-1].ply + self.game.record.length

    @property
    def move_number(self) -> int:
        """The number of the move to be made."""
        return self.stretches[-1].move_number(self.game.record.length + 1)

    @property
    def started(self) -> Started:
        """The first event."""
        first = self.events[0]
        assert isinstance(first, Started)
        return first

    @cached_property
    def now(self) -> int:
        """The time of the last event."""
        return self.events[-1].at

    def player(self, color: Color) -> Player:
        """The player of a colour."""
        return self.white if color is Color.WHITE else self.black

    @cached_property
    def playable(self) -> list[Move]:
        """The moves of the player to move that are legal and that no obligation forbids."""
        return [] if self.outcome or self.suspended else playable(self)

    @property
    def hints_allowed(self) -> bool:
        """Whether a player may be shown what can be played."""
        return self.regulation.hints

    @property
    def touch_move(self) -> bool:
        """Whether a touched piece must be moved at this table."""
        return self.regulation.touch_move_under(self.book)

    @property
    def irregularities(self) -> list[Refused]:
        """The recorded refusals."""
        return [event for n in self.notable if isinstance(event := self.events[n], Refused)]

    def clock(self, now: int) -> ClockFace:
        """The clock at a time, in milliseconds since the game began."""
        return self.clocks.face(now)

    def progress(self) -> list[Count]:
        """Every limit that is counting, the one nearest to its end first."""
        return counts(self)

    def claims_open(self) -> list[OpenClaim]:
        """What a player may claim or call attention to now."""
        return claims_open(self)

    # For the procedures

    def following(self, event: Event) -> Game | None:
        """The game after an event, or None if it does not change; computed once for all procedures."""
        cached = self._games.get(id(event))
        if cached is None or cached[0] is not event:
            cached = self._games[id(event)] = (event, following(event, self))
        return cached[1]

    def reading(self, event: Moved) -> Move | DamasError:
        """The move that an event's text means to the rules of the board, or why there is none; worked out once."""
        if not self._reading or self._reading[0][0] is not event:
            self._reading[:] = [(event, legal_move(self, event.move))]
        return self._reading[0][1]

    def new_game(self, fen: str) -> Game:
        """A game from another position at the same table; counts start anew."""
        customs, recorded = self.regulation.customs, self.game.record.recorded
        return Game.start(self.book, fen=fen, recorded=recorded, customs=customs)

    def stretch_of(self, ply: int) -> Stretch:
        """The latest stretch that contains this ply."""
        return next(stretch for stretch in reversed(self.stretches) if stretch.ply <= ply)


def draw_lots(seed: int) -> Color:
    """The colour of the player named first: White if the SHA-256 of the seed in decimal digits is even.

    >>> [draw_lots(seed).value for seed in (1, 2, 3)]
    ['black', 'black', 'white']
    """
    return Color.BLACK if sha256(str(seed).encode()).digest()[-1] % 2 else Color.WHITE
