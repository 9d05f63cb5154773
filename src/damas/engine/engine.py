"""The engine: thinks about a game under its own rulebook and says what it would play."""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition, Event, Thread, current_thread, get_ident, main_thread
from typing import Self
from weakref import WeakSet

from damas import _core
from damas.engine import endings
from damas.engine.interrupts import uninterrupted
from damas.engine.limits import Limits, check_whole
from damas.engine.networks import network_for
from damas.errors import DamagedTable, NoTable, NoTablesForRules, NotEnoughMemory
from damas.game import Customs, Game, Move, Position, Record
from damas.game.core import rules_of
from damas.game.laws import laws_of
from damas.rules import Rulebook, rulebook
from damas.tablebase import MoveVerdict, Probe, Store, probe, store_of

WIN = 30_000
"""A game won on the board now; each ply until then takes one off."""
TABLE_WIN = 28_000
DECIDED = 25_000
"""Beyond this a score says who wins, not how one stands."""
BRIEF = 200_000
"""Nodes that are searched before a person would want to interrupt."""
MOST_THREADS, MOST_HASH = 256, 65536
"""Threads and megabytes that an engine may be given."""
MOST_DEPTH = 120
LAST_WORDS = 5.0
"""Seconds for a watcher to return when Python ends."""

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
        check_whole("threads", threads, MOST_THREADS)
        check_whole("hash_mb", hash_mb, MOST_HASH)
        self.book = rulebook(book) if isinstance(book, str) else book
        self.customs = customs or Customs()
        try:
            self._core = _core.Engine(
                rules_of(self.book),
                laws_of(self.book),
                platform_rules=self.customs.platform_rules,
                hash_bytes=hash_mb << 20,
                threads=threads,
            )
        except MemoryError:
            raise NotEnoughMemory(hash_mb) from None
        self._full = sum(Position.start(self.book).counts)
        self._rest = Condition()
        self._asked: set[int] = set()
        """Tickets of the searches that were asked for and have not ended."""
        self._threads: set[int] = set()
        """Those that search now, or wait for their turn."""
        self.network = network_for(self.book) if network else None
        self._core.use(self.network)
        self._store: Store | None = None
        self.pieces = 0
        """The most pieces its endgame tables know."""
        if tables:
            self._open(tables if isinstance(tables, Store) else None)
        _engines.add(self)

    def _open(self, store: Store | None) -> None:
        if not store and not endings.possible(self.book):
            return
        store = store or store_of(self.book)
        try:
            self.pieces = endings.pieces_in(store)
            if self.pieces:
                endings.join(self._core, store, self.pieces)
                self._store = store
        except (NoTablesForRules, DamagedTable):
            self.pieces = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends all that it is thinking about. It may be asked again later."""
        self._end()

    def _end(self, timeout: float | None = None) -> None:
        self._core.stop()
        self._wait_for_rest(timeout)

    def _wait_for_rest(self, timeout: float | None = None) -> None:
        self._check_thread()
        with self._rest:
            self._rest.wait_for(lambda: not self._asked, timeout)

    def _check_thread(self) -> None:
        if get_ident() in self._threads:
            raise RuntimeError("a watcher cannot ask the engine it watches: the search would wait for itself")

    def forget(self) -> None:
        """As before the first search: for a new game, or for the same answer once more. A search in progress ends first."""
        self._wait_for_rest()
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
        self._check_thread()
        question = self._question(place, limits, only)
        brief = limits.nodes is not None and limits.nodes <= BRIEF
        if brief or current_thread() is not main_thread():
            # Ctrl-C waits for it: it could come after the search was announced and before that is taken back.
            with uninterrupted():
                ticket = self._begin()
                try:
                    return self._search(question, sight, watcher, ticket)
                finally:
                    self._finish(ticket)
        try:
            return Thinking(self, lambda ticket: self._search(question, sight, watcher, ticket)).wait()
        except KeyboardInterrupt:
            self.close()  # whoever catches it finds the engine at rest
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
        question = self._question(place, limits, only)
        return Thinking(self, lambda ticket: self._search(question, sight, watcher, ticket))

    def stop(self) -> None:
        """From any thread: the search ends within a few milliseconds and answers with what it has."""
        self._core.stop()

    def standing(self, position: Position) -> int:
        """The static score for the side to move, no move looked at. A search in progress ends first."""
        self._wait_for_rest()
        return self._core.standing(position)

    def _question(self, place: Place, limits: Limits, only: list[Move] | None) -> _Question:
        """What is asked, once it is sure that it can be answered."""
        if not isinstance(place, Game | Record | Position):
            raise TypeError(f"a game, a record or a position is searched, not {place!r}")
        if not isinstance(limits, Limits):
            raise TypeError(f"limits are needed to search, not {limits!r}")
        record = record_at(place)
        if record.rulebook.hash != self.book.hash:
            raise ValueError(f"this engine plays {self.book.id}, not {record.rulebook.id}")
        moves = list(record.legal_moves)
        if only is not None:
            for move in only:
                if not isinstance(move, Move):
                    raise TypeError(f"only: a move is needed, not {move!r}")
                if move not in moves:
                    raise ValueError(f"only: {move.text} is no legal move here")
            moves = [move for move in moves if move in only]
        if isinstance(place, Game) and place.outcome:
            moves = []
        return _Question(record, limits, moves, whole=only is None)

    def _begin(self) -> int:
        """The ticket of a search that is asked for: from now on it is waited for."""
        ticket = self._core.ticket()
        with self._rest:
            self._asked.add(ticket)
        return ticket

    def _finish(self, ticket: int) -> None:
        with self._rest:
            self._asked.discard(ticket)
            self._rest.notify_all()

    def _search(
        self, question: _Question, sight: Sight | None, watcher: Watcher | None, ticket: int
    ) -> Result:
        self._threads.add(get_ident())
        try:
            return self._answer(question, sight or Sight(), watcher, ticket)
        finally:
            self._threads.discard(get_ident())

    def _answer(self, question: _Question, sight: Sight, watcher: Watcher | None, ticket: int) -> Result:
        record, limits, moves = question.record, question.limits, question.moves
        position = record.position
        if not moves:
            return Result()
        if limits.lines == 1 and question.whole and (known := self._by_tables(record)):
            return known
        soft, hard = limits.times(sum(position.counts) / self._full)
        report = self._core.search(
            record,
            depth=min(limits.depth or MOST_DEPTH, MOST_DEPTH),
            nodes=limits.nodes or 0,
            soft_us=_microseconds(soft),
            hard_us=_microseconds(hard),
            lines=limits.lines,
            ponder=limits.ponder,
            noise=sight.noise,
            share=round(256 * sight.share),
            horizon=200 if sight.horizon is None else sight.horizon,
            seed=sight.seed % (1 << 64),
            only=[] if len(moves) == position.count_moves() else [position.play(move) for move in moves],
            ticket=ticket,
            watcher=(lambda told: watcher(_result(told))) if watcher else None,
        )
        return _result(report)

    def known(self, record: Record) -> Probe | None:
        """What its endgame tables say of a position and its moves, as far as they reach; none is built for it."""
        if not self._store or sum(record.position.counts) > self.pieces:
            return None
        try:
            return probe(record.position, record, customs=self.customs, store=self._store)
        except (NoTable, DamagedTable, NoTablesForRules):
            return None

    def _by_tables(self, record: Record) -> Result | None:
        """What the tables play: the value is kept, a win is short and a loss is long."""
        found = self.known(record)
        if not found or found.verdict.beside:
            return None  # a limit that the tables leave out may come first: the search counts it
        allowed = record.legal_moves
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


@dataclass(frozen=True)
class _Question:
    """What a search is about; no moves where the game is over."""

    record: Record
    limits: Limits
    moves: list[Move]
    whole: bool
    """All moves that are legal."""


class Thinking:
    """A search that goes on beside the caller."""

    def __init__(self, engine: Engine, search: Callable[[int], Result]) -> None:
        self._engine = engine
        self._answer: Result | None = None
        self._error: BaseException | None = None
        # Not the thread itself: an interrupted `join` takes it for ended while it still runs (CPython 3.11).
        self._over = Event()
        self._ticket = engine._begin()
        try:
            Thread(target=self._run, args=(search,), name="damas-engine", daemon=True).start()
        except RuntimeError:  # the machine has no thread to give
            engine._finish(self._ticket)
            raise

    def _run(self, search: Callable[[int], Result]) -> None:
        try:
            self._answer = search(self._ticket)
        except BaseException as error:  # noqa: BLE001 (told to whoever waits)
            self._error = error
        finally:
            self._over.set()
            self._engine._finish(self._ticket)

    @property
    def done(self) -> bool:
        return self._over.is_set()

    def stop(self) -> None:
        self._engine.stop()

    def ponder_hit(self) -> None:
        """The expected move was played: the clock runs from now on."""
        self._engine._core.ponder_hit()

    def join(self) -> None:
        """Waits until nothing runs any more, whatever came of it."""
        self._engine._check_thread()
        self._over.wait()

    def wait(self, timeout: float | None = None) -> Result:
        """What was found, once it is; raises `TimeoutError` if that takes too long."""
        self._engine._check_thread()
        if not self._over.wait(timeout):
            raise TimeoutError("the search goes on")
        if self._error:
            raise self._error
        assert self._answer is not None
        return self._answer


_engines: WeakSet[Engine] = WeakSet()


def _end_all() -> None:
    """A search that still runs when Python takes its threads away would abort the process."""
    for engine in list(_engines):
        engine._end(LAST_WORDS)


atexit.register(_end_all)
if hasattr(os, "register_at_fork"):
    # The threads stay with the parent: a child has nothing to wait for.
    os.register_at_fork(after_in_child=_engines.clear)


def _microseconds(seconds: float) -> int:
    """0 is no limit at all: the shortest there is, is one."""
    return max(1, round(seconds * 1e6)) if seconds else 0


def record_at(place: Place) -> Record:
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
