"""The engine: thinks about a game under its own rulebook and says what it would play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Thread, current_thread, main_thread
from typing import Self

from damas import _core
from damas.engine import endings
from damas.engine.laws import core_laws, limit_rules
from damas.engine.limits import Limits
from damas.engine.networks import network_for
from damas.errors import DamagedTable, NoTable, NoTablesForRules
from damas.game import Customs, Game, Move, Position, Record
from damas.game.core import rules_of
from damas.game.game import legal_moves
from damas.game.laws import laws
from damas.rules import Rulebook, rulebook
from damas.tablebase import MoveVerdict, Store, probe, store_of

WIN = 30_000
"""A game won on the board now; each ply until then takes one off."""
TABLE_WIN = 28_000
DECIDED = 25_000
"""Beyond this a score says who wins, not how one stands."""
BRIEF = 200_000
"""Nodes that are searched before a person would want to interrupt."""

Place = Game | Record | Position


@dataclass(frozen=True)
class Line:
    """What the engine expects, the best move first."""

    score: int
    """Hundredths of a man, for the side to move."""
    moves: tuple[Move, ...]
    depth: int
    from_tables: bool = False
    table_plies: int | None = None
    """Plies to the end of the game as the tables know them, the limits left aside."""

    @property
    def decided(self) -> int | None:
        """1 if the side to move wins, -1 if it loses, None if nobody knows.

        >>> Line(29_990, (), 5).decided, Line(120, (), 5).decided
        (1, None)
        """
        return 1 if self.score > DECIDED else -1 if self.score < -DECIDED else None

    @property
    def plies_to_end(self) -> int | None:
        """Plies until the game is won or lost on the board, if the search has seen the end itself or the tables know.

        >>> Line(29_990, (), 5).plies_to_end
        10
        """
        left = WIN - abs(self.score)
        return left if left < WIN - TABLE_WIN else self.table_plies


@dataclass(frozen=True)
class Result:
    """What a search has found; `lines` is empty where no move is left."""

    lines: tuple[Line, ...] = ()
    nodes: int = 0
    depth: int = 0
    deepest: int = 0
    seconds: float = 0.0
    table_hits: int = 0
    hash_full: int = 0

    @property
    def best(self) -> Move | None:
        return self.lines[0].moves[0] if self.lines else None

    @property
    def ponder(self) -> Move | None:
        """The reply that is expected."""
        return self.lines[0].moves[1] if self.lines and len(self.lines[0].moves) > 1 else None

    @property
    def score(self) -> int:
        return self.lines[0].score if self.lines else -WIN

    @property
    def nodes_per_second(self) -> int:
        return round(self.nodes / self.seconds) if self.seconds > 0 else 0


@dataclass(frozen=True)
class Sight:
    """How a weaker player sees. The whole of it: `Sight()`."""

    noise: int = 0
    """Hundredths of a man by which it misjudges a position, always the same way with the same seed."""
    share: float = 1.0
    """Of the network in its judgement; the rest is the count of the pieces."""
    horizon: int | None = None
    """Own moves ahead within which it understands a sacrifice; None: all."""
    seed: int = 0


Watcher = Callable[[Result], None]


class Engine:
    """One search at a time, with a memory that lasts from move to move. Close it, or use it in a `with` block.

    Endgame tables that lie on this machine are asked; none is built. `tables=False` leaves them alone.

    >>> from damas import Position
    >>> with Engine("brasileira", hash_mb=1) as engine:
    ...     engine.search(Position.from_fen("W:Wc3:Bd4,f6", "brasileira"), Limits(depth=4)).best.text
    'c3xe5xg7'
    """

    def __init__(
        self,
        book: Rulebook | str,
        *,
        threads: int = 1,
        hash_mb: int = 64,
        network: bool = True,
        tables: bool | Store = True,
        customs: Customs | None = None,
    ) -> None:
        if threads < 1 or hash_mb < 1:
            raise ValueError("an engine needs a thread and a megabyte at least")
        self.book = rulebook(book) if isinstance(book, str) else book
        self.customs = customs or Customs()
        self._core = _core.Engine(
            rules_of(self.book),
            core_laws(self.book, self.customs),
            table_bytes=hash_mb << 20,
            threads=threads,
        )
        self._limits = limit_rules(self.book, self.customs)
        self._full = sum(Position.start(self.book).counts)
        self._thinking: Thinking | None = None
        self.network = network_for(self.book) if network else None
        self._core.use(self.network)
        self._store: Store | None = None
        self.pieces = 0
        """The most pieces its endgame tables know."""
        if tables:
            self._open(tables if isinstance(tables, Store) else None)

    def _open(self, store: Store | None) -> None:
        if not store and not endings.possible(self.book):
            return
        store = store or store_of(self.book)
        try:
            self.pieces = endings.pieces_in(store)
            if self.pieces:
                endings.join(self._core, store, self.pieces, self.customs)
                self._store = store
        except (NoTablesForRules, DamagedTable):
            self.pieces = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends what it is thinking about."""
        self._core.stop()
        if self._thinking:
            self._thinking.join()

    def forget(self) -> None:
        """As before the first search: for a new game, or for the same answer once more."""
        self._core.clear()

    def search(
        self,
        place: Place,
        limits: Limits,
        *,
        sight: Sight | None = None,
        watcher: Watcher | None = None,
        only: list[Move] | None = None,
    ) -> Result:
        """Thinks until a limit is met or `stop` is called; `watcher` hears of each depth.

        A game or a record brings along what has been counted and repeated; a position is taken as fresh.
        """
        brief = limits.nodes is not None and limits.nodes <= BRIEF
        if brief or current_thread() is not main_thread():
            return self._search(place, limits, sight, watcher, only, self._core.ticket())
        thinking = self.think(place, limits, sight=sight, watcher=watcher, only=only)
        try:
            return thinking.wait()
        except KeyboardInterrupt:
            thinking.stop()
            thinking.wait()
            raise

    def think(
        self,
        place: Place,
        limits: Limits,
        *,
        sight: Sight | None = None,
        watcher: Watcher | None = None,
        only: list[Move] | None = None,
    ) -> Thinking:
        """Begins to think and returns at once; what is said to the answer reaches the search even before it starts."""
        ticket = self._core.ticket()
        self._thinking = Thinking(
            self._core, lambda: self._search(place, limits, sight, watcher, only, ticket)
        )
        return self._thinking

    def stop(self) -> None:
        """From any thread: the search ends within a few milliseconds and answers with what it has."""
        self._core.stop()

    def standing(self, position: Position) -> int:
        """The static score for the side to move, no move looked at."""
        return self._core.standing(position)

    def _search(
        self,
        place: Place,
        limits: Limits,
        sight: Sight | None,
        watcher: Watcher | None,
        only: list[Move] | None,
        ticket: int,
    ) -> Result:
        record = _record(place)
        if record.rulebook != self.book:
            raise ValueError(f"this engine plays {self.book.id}, not {record.rulebook.id}")
        position = record.position
        moves = (
            legal_moves(record) if only is None else [move for move in legal_moves(record) if move in only]
        )
        if not moves or (isinstance(place, Game) and place.outcome):
            return Result()
        if limits.lines == 1 and only is None and (known := self._by_tables(record)):
            return known
        soft, hard = limits.times(sum(position.counts) / self._full)
        sight = sight or Sight()
        report = self._core.search(
            record.positions,
            record.moves,
            depth=limits.depth or 120,
            nodes=limits.nodes or 0,
            soft_us=round(soft * 1e6),
            hard_us=round(hard * 1e6),
            lines=limits.lines,
            ponder=limits.ponder,
            noise=sight.noise,
            share=round(256 * sight.share),
            horizon=200 if sight.horizon is None else sight.horizon,
            seed=sight.seed % (1 << 64),
            start_counting=self._start_counting(record),
            only=[] if len(moves) == position.count_moves() else [position.play(move) for move in moves],
            ticket=ticket,
            watcher=(lambda told: watcher(_result(told))) if watcher else None,
        )
        return _result(report)

    def _start_counting(self, record: Record) -> list[int]:
        """Where nobody writes the game down some limits count from a claim: whoever gains by it claims now."""
        if record.recorded or not any(rule.claim == "unrecorded" for rule in self._limits):
            return []
        by_id = {law.rule.id: law for law in laws(self.book)}
        plies = []
        for rule in self._limits:
            progress = by_id[rule.id].progress(record) if rule.claim == "unrecorded" else None
            waits = rule.claim == "unrecorded" and progress is None
            plies.append(record.length if waits else progress.since if progress else 0)
        return plies

    def _by_tables(self, record: Record) -> Result | None:
        """What the tables play: the value is kept, a win is short and a loss is long."""
        if not self._store or sum(record.position.counts) > self.pieces:
            return None
        try:
            found = probe(record.position, record, customs=self.customs, store=self._store)
        except (NoTable, DamagedTable, NoTablesForRules):
            return None
        if found.verdict.beside:
            return None  # a limit that the tables leave out may come first: the search counts it
        allowed = legal_moves(record)
        told = next((told for told in found.moves if told.move in allowed), None)
        if told is None:
            return None
        plies = 1 if told.after is None else 1 + (told.after.spends or told.after.plies or 0)
        score = {"win": TABLE_WIN - plies, "draw": 0, "loss": plies - TABLE_WIN}[told.value]
        line = Line(score, (told.move,), 0, from_tables=True, table_plies=_plies_to_end(told))
        return Result((line,), table_hits=len(found.moves))


def _plies_to_end(told: MoveVerdict) -> int | None:
    if told.after is None:
        return 1
    # Endless play that is won by count of pieces has no last move.
    return None if told.after.plies is None else 1 + told.after.plies


class Thinking:
    """A search that goes on beside the caller."""

    def __init__(self, core: _core.Engine, search: Callable[[], Result]) -> None:
        self._core = core
        self._answer: Result | None = None
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, args=(search,), name="damas-engine", daemon=True)
        self._thread.start()

    def _run(self, search: Callable[[], Result]) -> None:
        try:
            self._answer = search()
        except BaseException as error:  # noqa: BLE001 (told to whoever waits)
            self._error = error

    @property
    def done(self) -> bool:
        return not self._thread.is_alive()

    def stop(self) -> None:
        self._core.stop()

    def ponder_hit(self) -> None:
        """The expected move was played: the clock runs from now on."""
        self._core.ponder_hit()

    def join(self) -> None:
        """Waits until nothing runs any more, whatever came of it."""
        self._thread.join()

    def wait(self, timeout: float | None = None) -> Result:
        """What was found, once it is; raises `TimeoutError` if that takes too long."""
        self._thread.join(timeout)
        if self._thread.is_alive():
            raise TimeoutError("the search goes on")
        if self._error:
            raise self._error
        assert self._answer is not None
        return self._answer


def _record(place: Place) -> Record:
    if isinstance(place, Game):
        return place.record
    return place if isinstance(place, Record) else Record(place)


def _result(report: _core.Report) -> Result:
    lines = tuple(Line(line.score, tuple(line.moves), line.depth) for line in report.lines if line.moves)
    return Result(
        lines,
        report.nodes,
        report.depth,
        report.deepest,
        report.seconds,
        report.table_hits,
        report.hash_full,
    )
