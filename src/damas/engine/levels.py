"""Ten levels for people: handicapped search, not random blunders. With one seed a level plays the same on every machine where
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
from damas.engine.engine import DECIDED, Engine, Handicap, Place, Result, record_at
from damas.engine.limits import Limits
from damas.engine.opening_book import OpeningBook
from damas.errors import NoTablesForRules
from damas.game import Customs, Game, Move, Position, Record
from damas.rules import Rulebook
from damas.tablebase import Material, Probe, Store, probe
from damas.tablebase.build import build_in_memory
from damas.tablebase.store import ON_DEMAND_PIECES

LEVELS = range(1, 11)
"""The numbers of all levels."""
STRONGEST = LEVELS[-1]
"""The highest level."""
TABLES_FROM_LEVEL = 6
"""The first level that probes all endgame tables on this machine."""
CONVERSION_PIECES = 7
"""With at most this many pieces a level that is ahead searches deeper, to win before a limit."""
CONVERSION_LIMITS = Limits(nodes=4000)
"""Limits of a search that has to win before a draw rule ends the game."""
KING_VALUE = 3
"""Value of a king in men."""


@dataclass(frozen=True)
class Level:
    """The strength settings of one level."""

    number: int
    nodes: int | None
    """Nodes searched for a move; None: as long as the clock allows."""
    noise: int
    horizon: int | None
    share: float
    window: int
    """A random move within this many hundredths of a man of the best is played; better ones are likelier."""


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
MIN_BOOK_WINDOW = 8
"""From an opening book every level plays moves that are at most this many hundredths of a man worse than the best; a weaker
level those of its own window."""
MAX_LINES = 5
"""Lines from which a level chooses at most."""
DEFAULT_MOVETIME_S = 2.0
"""Seconds for a move of the strongest level where there is no clock."""


def level(number: int) -> Level:
    """The settings of a level; raises `ValueError` for a number that is none."""
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
        opening_book: OpeningBook | None = None,
    ) -> None:
        self.level = level(number)
        self.seed = seed
        self._opening_book = opening_book
        size = hash_mb or (64 if number >= 9 else 2)
        tables = (store or True) if number >= TABLES_FROM_LEVEL else False
        self.engine = Engine(book, hash_mb=size, tables=tables, customs=customs)

    def choose(
        self, place: Place, limits: Limits | None = None, only: list[Move] | None = None
    ) -> Move | None:
        """The move it plays, out of `only` if given; None where there is none. `limits` matter to the strongest."""
        record = record_at(place)
        some = only if only is not None and len(only) < len(record.legal_moves) else None
        if self._opening_book and not some:
            known = opening_move(self._opening_book, record, self.level.number, self.seed)
            if known:
                return known
        return self._pick(record, self.look(place, limits, some))

    def _pick(self, record: Record, result: Result) -> Move | None:
        best = result.score
        wide = self.level.window
        near = [line for line in result.lines if best - line.score <= wide and line.decided is None]
        if len(near) < 2 or best > DECIDED:
            return result.best
        weights = [exp(-3 * (best - line.score) / wide) for line in near]
        return self._random(record).choices([line.moves[0] for line in near], weights)[0]

    def look(self, place: Place, limits: Limits | None = None, only: list[Move] | None = None) -> Result:
        """The search result from which it chooses."""
        record = record_at(place)
        position = record.position
        level = self.level
        if level.nodes is not None:
            # Earlier searches must not matter, or a resumed game would go on differently.
            self.engine.forget()
        converting = self._is_converting(position)
        if converting and (winning := self._winning_moves(record, only)):
            return self.engine.search(place, CONVERSION_LIMITS, only=winning)
        if level.nodes is None:
            limits = limits if limits and limits.bounded else Limits(movetime=DEFAULT_MOVETIME_S)
            return self.engine.search(place, replace(limits, lines=1), only=only)
        if converting:
            nodes = max(level.nodes, CONVERSION_LIMITS.nodes or 0)
            return self.engine.search(place, Limits(nodes=nodes), only=only)
        handicap = Handicap(level.noise, level.share, level.horizon, self._random(record).getrandbits(63))
        lines = min(MAX_LINES, position.count_moves()) if level.window else 1
        return self.engine.search(place, Limits(nodes=level.nodes, lines=lines), handicap=handicap, only=only)

    def _is_converting(self, position: Position) -> bool:
        """Whether the side to move is ahead with few pieces left, and has to win before a limit."""
        return sum(position.counts) <= CONVERSION_PIECES and ahead(position) > 0

    def sees_no_win(self, place: Place, side: Color) -> bool:
        """Whether only a few kings are left and the tables say that `side` cannot win."""
        record = record_at(place)
        probed = self._probe_kings(record)
        won = "win" if record.position.turn is side else "loss"
        return probed is not None and probed.verdict.value != won

    def _winning_moves(self, record: Record, only: list[Move] | None) -> list[Move]:
        """The move that wins soonest, as a list, where only a few kings are left and it is won."""
        probed = self._probe_kings(record)
        won = [verdict.move for verdict in probed.moves if verdict.value == "win"] if probed else []
        return [move for move in won if only is None or move in only][:1]

    def _probe_kings(self, record: Record) -> Probe | None:
        material, book = Material(*record.position.counts), record.rulebook
        if material.men or material.pieces > ON_DEMAND_PIECES.get(book.size.value, 0):
            return None
        store = king_endings(book)
        return probe(record.position, record, customs=self.engine.customs, store=store) if store else None

    def _random(self, record: Record) -> Random:
        return _random(record, self.level.number, self.seed)

    def close(self) -> None:
        """Closes the engine."""
        self.engine.close()


def opening_move(opening_book: OpeningBook, record: Record, number: int, seed: int) -> Move | None:
    """What a level plays from an opening book; None where it plays by itself. Weaker levels leave the book sooner and choose
    among more moves.
    """
    if record.length >= number + 2:
        return None
    window = max(level(number).window, MIN_BOOK_WINDOW)
    known = opening_book.choose(record.position, _random(record, number, seed), window)
    return known.move if known and known.move in record.legal_moves else None


def _random(record: Record, number: int, seed: int) -> Random:
    return Random(f"{seed}/{number}/{record.length}/{record.position.fen}")


@lru_cache(maxsize=32)
def king_endings(book: Rulebook) -> Store | None:
    """In-memory tables of endings with a few kings and no men, the same on every machine; None for rules without tables."""
    try:
        store = Store(book)
        build_in_memory(store, ON_DEMAND_PIECES[book.size.value], max_men=0, threads=1)
    except NoTablesForRules:
        return None
    return store


class Greedy:
    """A baseline player: looks one ply ahead and counts material after all captures."""

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)

    def choose(self, place: Place, limits: Limits | None = None) -> Move | None:  # noqa: ARG002
        """A move that leaves the best material balance; None where there is no move."""
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

    def close(self) -> None:
        """Nothing to release."""


def settled(position: Position) -> float:
    """The material balance of `ahead` after all captures have been played out."""
    if not position.must_capture():
        return ahead(position)
    return max(-settled(position.play(move)) for move in position.legal_moves)


def ahead(position: Position, side: Color | None = None) -> int:
    """The material lead of a side (the one to move by default) in men."""
    white_men, white_kings, black_men, black_kings = position.counts
    balance = white_men + KING_VALUE * white_kings - black_men - KING_VALUE * black_kings
    return balance if (side or position.turn) is Color.WHITE else -balance
