"""Ten levels for people: weaker sight, not random blunders. With one seed a level plays the same on every machine where
the same endgame tables lie, but for the last one, which thinks by the clock.

A weak level looks at fewer positions, counts pieces rather than judging them, misjudges by a little, does not
understand sacrifices that pay back late, and takes any of several moves that look about as good. So that a won game
does not run into a limit, each looks closer with little left on the board and more of it; and where only a few kings
are left, as three against one, each knows their tables by heart: they are made in memory in a tenth of a second.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from math import exp
from random import Random

from damas.board import Color
from damas.engine.engine import DECIDED, Engine, Place, Result, Sight, record_at
from damas.engine.limits import Limits
from damas.errors import NoTablesForRules
from damas.game import Customs, Game, Move, Position, Record
from damas.rules import Rulebook
from damas.tablebase import Probe, Store, probe
from damas.tablebase.build import build_in_memory
from damas.tablebase.store import AT_ONCE

LEVELS = range(1, 11)
STRONGEST = LEVELS[-1]
WITH_TABLES = 6
"""The first level that asks all endgame tables there are: what they say is won stays won."""
FEW = 7
"""Pieces with which a side that is ahead has to bring the game home."""
CLOSER = Limits(nodes=4000)
KING = 3
"""What a king is worth in men."""


@dataclass(frozen=True)
class Level:
    """What one level sees and how it chooses."""

    number: int
    nodes: int | None
    """None: as long as the clock allows."""
    noise: int
    horizon: int | None
    share: float
    window: int
    """Moves within so many hundredths of a man of the best may be played too, the better the likelier."""


TABLE = (
    Level(1, 65, 70, 1, 0.0, 98),
    Level(2, 255, 37, 2, 0.2, 60),
    Level(3, 525, 28, 3, 0.36, 44),
    Level(4, 770, 25, 3, 0.46, 37),
    Level(5, 1_120, 21, 4, 0.58, 31),
    Level(6, 1_830, 17, 5, 0.7, 26),
    Level(7, 3_300, 12, 7, 0.81, 19),
    Level(8, 6_900, 8, None, 0.9, 13),
    Level(9, 16_000, 3, None, 1.0, 6),
    Level(10, None, 0, None, 1.0, 0),
)
"""Calibrated by `python -m training.ladder`: about 150 Elo a step (docs/reference/levels.md)."""
MOST_LINES = 5
UNHURRIED = 2.0
"""Seconds a move for the strongest level where there is no clock."""


def level(number: int) -> Level:
    if number not in LEVELS:
        raise ValueError(f"levels go from {LEVELS[0]} to {STRONGEST}, not {number}")
    return TABLE[number - 1]


class LevelPlayer:
    """Plays at one level. The same seed and endgame tables play the same moves, but for the last level, which thinks by
    the clock.
    """

    def __init__(
        self,
        book: Rulebook | str,
        number: int,
        seed: int = 0,
        *,
        hash_mb: int | None = None,
        customs: Customs | None = None,
        store: Store | None = None,
    ) -> None:
        self.level = level(number)
        self.seed = seed
        self.name = f"level {number}"
        size = hash_mb or (64 if number >= 9 else 2)
        tables = (store or True) if number >= WITH_TABLES else False
        self.engine = Engine(book, hash_mb=size, tables=tables, customs=customs)

    def choose(
        self, place: Place, limits: Limits | None = None, only: list[Move] | None = None
    ) -> Move | None:
        """The move it plays, out of `only` if given; None where there is none. `limits` matter to the strongest."""
        record = record_at(place)
        legal = record.legal_moves
        if only is not None and len(only) < len(legal):
            return self._pick(record, self.look(record, limits, only))
        return self._pick(record, self.look(place, limits))

    def _pick(self, record: Record, found: Result) -> Move | None:
        if len(found.lines) < 2:
            return found.best
        best = found.lines[0].score
        wide = self.level.window
        if best > DECIDED:
            return found.best  # a win is a win
        near = [line for line in found.lines if best - line.score <= wide and line.decided is None]
        weights = [exp(-3 * (best - line.score) / wide) for line in near]
        if len(near) < 2:
            return found.best
        return self._chance(record).choices([line.moves[0] for line in near], weights)[0]

    def look(self, place: Place, limits: Limits | None = None, only: list[Move] | None = None) -> Result:
        """What it sees."""
        record = record_at(place)
        position = record.position
        here = self.level
        if here.nodes is not None:
            # What it has seen before must not matter, or a game taken up again would go on otherwise.
            self.engine.forget()
        home = self._brings_home(position)
        if home and (way := self._way_home(record, only)):
            return self.engine.search(place, CLOSER, only=way)
        if here.nodes is None:
            limits = limits if limits and limits.bounded else Limits(movetime=UNHURRIED)
            return self.engine.search(place, replace(limits, lines=1), only=only)
        if home:
            nodes = max(here.nodes, CLOSER.nodes or 0)
            return self.engine.search(place, Limits(nodes=nodes), only=only)
        sight = Sight(here.noise, here.share, here.horizon, self._chance(record).getrandbits(63))
        lines = min(MOST_LINES, position.count_moves()) if here.window else 1
        return self.engine.search(place, Limits(nodes=here.nodes, lines=lines), sight=sight, only=only)

    def _brings_home(self, position: Position) -> bool:
        """Whether it is ahead and little is left: from here on there are limits to keep."""
        return sum(position.counts) <= FEW and ahead(position) > 0

    def sees_no_win(self, place: Place, side: Color) -> bool:
        """Whether only a few kings are left, and a side cannot win with them."""
        record = record_at(place)
        found = self._by_heart(record)
        won = "win" if record.position.turn is side else "loss"
        return found is not None and found.verdict.value != won

    def _way_home(self, record: Record, only: list[Move] | None) -> list[Move]:
        """The move that wins soonest, where only a few kings are left and it is won."""
        found = self._by_heart(record)
        told = found.moves if found else []
        return [each.move for each in told if each.value == "win" and (only is None or each.move in only)][:1]

    def _by_heart(self, record: Record) -> Probe | None:
        position = record.position
        white_men, _, black_men, _ = position.counts
        book = position.rulebook
        if white_men or black_men or sum(position.counts) > AT_ONCE.get(book.size.value, 0):
            return None
        store = endings_of_kings(book)
        return probe(position, record, customs=self.engine.customs, store=store) if store else None

    def new_game(self) -> None:
        """It has forgotten already; the last level shall, too."""
        self.engine.forget()

    def _chance(self, record: Record) -> Random:
        return Random(f"{self.seed}/{self.level.number}/{record.length}/{record.position.fen}")

    def close(self) -> None:
        self.engine.close()


@lru_cache(maxsize=32)
def endings_of_kings(book: Rulebook) -> Store | None:
    """The tables of a few kings and nothing else, in memory: the same on every machine, whatever lies on its disk.
    None for rules that have no tables.
    """
    try:
        store = Store(book)
        build_in_memory(store, AT_ONCE[book.size.value], most_men=0, threads=1)
    except NoTablesForRules:
        return None
    return store


class Greedy:
    """The yardstick of the lowest level: one ply, material alone, the captures that follow played out."""

    name = "greedy"

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)

    def choose(self, place: Place, limits: Limits | None = None) -> Move | None:  # noqa: ARG002
        record = record_at(place)
        moves = place.legal_moves if isinstance(place, Game) else list(record.position.legal_moves)
        if not moves:
            return None
        worth = [self._worth(record.position, move) for move in moves]
        return self._random.choice([m for m, value in zip(moves, worth, strict=True) if value == max(worth)])

    @staticmethod
    def _worth(position: Position, move: Move) -> float:
        following = position.play(move)
        return -settled(following) if following.count_moves() else 1000

    def new_game(self) -> None:
        """It has nothing to forget."""

    def close(self) -> None:
        """Nothing to give back."""


def settled(position: Position) -> float:
    """As `ahead`, once all captures have been played out."""
    if not position.must_capture():
        return ahead(position)
    return max(-settled(position.play(move)) for move in position.legal_moves)


def ahead(position: Position, side: Color | None = None) -> int:
    """Men that a side, otherwise the one to move, is ahead, a king counting three."""
    white_men, white_kings, black_men, black_kings = position.counts
    balance = white_men + KING * white_kings - black_men - KING * black_kings
    return balance if (side or position.turn) is Color.WHITE else -balance
