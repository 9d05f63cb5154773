"""The engine: searches for the best move under one rulebook."""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from threading import Condition, Event, Thread, current_thread, get_ident, main_thread
from typing import Self
from weakref import WeakSet

from damas import _core
from damas.engine import endings
from damas.engine.limits import Limits, check_whole
from damas.engine.networks import network_for
from damas.engine.opening_book import OpeningBook, book_for
from damas.errors import DamagedTable, NoTable, NoTablesForRules, NotEnoughMemory
from damas.game import Customs, Game, Move, Position, Record
from damas.game.core import rules_of
from damas.game.laws import laws_of
from damas.jobs.interrupts import uninterrupted
from damas.rules import Rulebook, rulebook
from damas.tablebase import Probe, Store, probe, store_of

WIN = 30_000
"""Score of a game won on the board now; each ply until the win takes one off."""
TABLE_WIN = 28_000
"""Score of a win by the endgame tables; each ply that it needs takes one off."""
DECIDED = 25_000
"""A higher absolute score is a proved win or loss, not an evaluation."""
SHORT_SEARCH_NODES = 200_000
"""A search of at most this many nodes runs in the calling thread: nobody needs to interrupt it."""
MAX_THREADS, MAX_HASH_MB = 256, 65536
"""The most threads, and the most megabytes of its hash table, that an engine accepts."""
MAX_DEPTH = 120
"""The greatest depth of a search, in plies."""
BOOK_WINDOW = 8
"""From its opening book the engine plays any move that is at most this many hundredths of a man worse than the best."""
EXIT_TIMEOUT_S = 5.0
"""How long a running search may take to stop when Python exits."""

Place = Game | Record | Position


@dataclass(frozen=True)
class Line:
    """A line of moves that the search expects, and its score."""

    score: int
    """Hundredths of a man, for the side to move."""
    moves: tuple[Move, ...]
    depth: int
    from_tables: bool = False
    table_plies: int | None = None
    """Plies to the end of the game by the endgame tables, limits not counted."""
    from_book: bool = False

    @property
    def decided(self) -> int | None:
        """1 if the side to move wins, -1 if it loses, None if neither is proved.

        >>> Line(29_990, (), 5).decided, Line(120, (), 5).decided
        (1, None)
        """
        return 1 if self.score > DECIDED else -1 if self.score < -DECIDED else None

    @property
    def plies_to_end(self) -> int | None:
        """Plies until the game is won or lost on the board, if the search or the tables have proved it.

        >>> Line(29_990, (), 5).plies_to_end
        10
        """
        left = WIN - abs(self.score)
        return left if left < WIN - TABLE_WIN else self.table_plies


@dataclass(frozen=True)
class Result:
    """The result of a search; `lines` is empty where no move is left."""

    lines: tuple[Line, ...] = ()
    nodes: int = 0
    depth: int = 0
    deepest: int = 0
    seconds: float = 0.0
    table_hits: int = 0
    hash_full: int = 0

    @property
    def best(self) -> Move | None:
        """The best move; None where there is none."""
        return self.lines[0].moves[0] if self.lines else None

    @property
    def ponder(self) -> Move | None:
        """The expected reply."""
        return self.lines[0].moves[1] if self.lines and len(self.lines[0].moves) > 1 else None

    @property
    def score(self) -> int:
        """The score of the best line."""
        return self.lines[0].score if self.lines else -WIN

    @property
    def nodes_per_second(self) -> int:
        """Positions searched a second; 0 if no time was measured."""
        return round(self.nodes / self.seconds) if self.seconds > 0 else 0


@dataclass(frozen=True)
class Handicap:
    """What makes the engine weaker. None at all: `Handicap()`."""

    noise: int = 0
    """Random error of the evaluation in hundredths of a man, the same for a position with the same seed."""
    share: float = 1.0
    """Weight of the network in the evaluation, 0 to 1; the rest is the count of the pieces."""
    horizon: int | None = None
    """Sacrifices are searched up to this many own moves ahead; None: at any depth."""
    seed: int = 0


Watcher = Callable[[Result], None]


class Engine:
    """A search engine with a hash table that it keeps from move to move. It runs one search at a time. Close it, or use it
    in a `with` block.

    It probes the endgame tables found on this machine and builds none. `tables=False` does without them. With
    `opening_book=True` it answers from the book that comes with damas as long as that knows the position, where one
    line is wanted; `seed` chooses among moves that are about as good.

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
        opening_book: bool | OpeningBook = False,
        seed: int = 0,
        customs: Customs | None = None,
    ) -> None:
        check_whole("threads", threads, MAX_THREADS)
        check_whole("hash_mb", hash_mb, MAX_HASH_MB)
        self.book = rulebook(book)
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
        self._idle = Condition()
        self._tickets: set[int] = set()
        """Tickets of the searches that were requested and have not ended."""
        self._searching_threads: set[int] = set()
        """Ids of the threads that search now, or wait for their turn."""
        self._is_cancelled = False
        self.network = network_for(self.book) if network else None
        self._core.use(self.network)
        self.opening_book = book_for(self.book) if opening_book is True else opening_book or None
        self._seed = seed
        self._store: Store | None = None
        self.pieces = 0
        """The most pieces that its endgame tables cover."""
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

    def close(self, timeout: float | None = None) -> None:
        """Stops every search and waits for it to end, `timeout` seconds at most. The engine may be used again."""
        self._core.stop()
        self._wait_until_idle(timeout)

    def _wait_until_idle(self, timeout: float | None = None) -> None:
        self._check_thread()
        with self._idle:
            self._idle.wait_for(lambda: not self._tickets, timeout)

    def _check_thread(self) -> None:
        if get_ident() in self._searching_threads:
            raise RuntimeError("a watcher cannot use the engine it watches: the search would wait for itself")

    def forget(self) -> None:
        """Clears the hash table and move statistics, for a new game or a repeatable answer. Waits for a search in progress."""
        self._wait_until_idle()
        self._core.clear()

    def search(
        self,
        place: Place,
        limits: Limits,
        *,
        handicap: Handicap | None = None,
        watcher: Watcher | None = None,
        only: list[Move] | None = None,
    ) -> Result:
        """Searches until a limit is met or `stop` is called; `watcher` is called with the result of each depth.

        A game or a record brings its counts and repetitions along; a position starts without any.
        """
        self._check_thread()
        task = self._task(place, limits, only)
        brief = limits.nodes is not None and limits.nodes <= SHORT_SEARCH_NODES
        if brief or current_thread() is not main_thread():
            # Ctrl-C waits: it could come after the search was announced and before the announcement is withdrawn.
            with uninterrupted():
                ticket = self._begin()
                try:
                    return self._search(task, handicap, watcher, ticket)
                finally:
                    self._finish(ticket)
        try:
            return Thinking(self, lambda ticket: self._search(task, handicap, watcher, ticket)).wait()
        except KeyboardInterrupt:
            self.close()  # a caller that catches this finds the engine idle
            raise

    def think(
        self,
        place: Place,
        limits: Limits,
        *,
        handicap: Handicap | None = None,
        watcher: Watcher | None = None,
        only: list[Move] | None = None,
    ) -> Thinking:
        """Starts a search in another thread and returns at once; `stop` and `ponder_hit` of the result work immediately."""
        task = self._task(place, limits, only)
        return Thinking(self, lambda ticket: self._search(task, handicap, watcher, ticket))

    def stop(self) -> None:
        """From any thread: the search ends within a few milliseconds and returns the result so far."""
        self._core.stop()

    def cancel(self) -> None:
        """From any thread: ends the search in progress, and every later one as soon as it begins."""
        self._is_cancelled = True
        self._core.stop()

    def standing(self, position: Position) -> int:
        """The evaluation for the side to move, without search. Waits for a search in progress."""
        self._wait_until_idle()
        return self._core.standing(position)

    def _task(self, place: Place, limits: Limits, only: list[Move] | None) -> _Task:
        """The search to run, after all arguments have been checked."""
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
        return _Task(record, limits, moves, whole=only is None)

    def _begin(self) -> int:
        """Announces a search and returns its ticket: from now on `close` waits for it."""
        ticket = self._core.ticket()
        if (
            self._is_cancelled
        ):  # after the ticket: `cancel` sets it first, so that one of the two stops this search
            self._core.stop()
        with self._idle:
            self._tickets.add(ticket)
        return ticket

    def _finish(self, ticket: int) -> None:
        with self._idle:
            self._tickets.discard(ticket)
            self._idle.notify_all()

    def _search(self, task: _Task, handicap: Handicap | None, watcher: Watcher | None, ticket: int) -> Result:
        self._searching_threads.add(get_ident())
        try:
            return self._run_task(task, handicap or Handicap(), watcher, ticket)
        finally:
            self._searching_threads.discard(get_ident())

    def _run_task(self, task: _Task, handicap: Handicap, watcher: Watcher | None, ticket: int) -> Result:
        record, limits, moves = task.record, task.limits, task.moves
        position = record.position
        if not moves:
            return Result()
        if limits.lines == 1 and task.whole and (result := self._by_book(record) or self._by_tables(record)):
            return result
        soft, hard = limits.times(sum(position.counts) / self._full)
        report = self._core.search(
            record,
            depth=min(limits.depth or MAX_DEPTH, MAX_DEPTH),
            nodes=limits.nodes or 0,
            soft_us=_microseconds(soft),
            hard_us=_microseconds(hard),
            lines=limits.lines,
            ponder=limits.ponder,
            noise=handicap.noise,
            share=round(256 * handicap.share),
            horizon=200 if handicap.horizon is None else handicap.horizon,
            seed=handicap.seed % (1 << 64),
            only=[] if len(moves) == position.count_moves() else [position.play(move) for move in moves],
            ticket=ticket,
            watcher=(lambda report: watcher(_result(report))) if watcher else None,
        )
        return _result(report)

    def _by_book(self, record: Record) -> Result | None:
        """A move of the opening book, the same for the same seed and position."""
        if not self.opening_book or record.position not in self.opening_book:
            return None
        random = Random(f"{self._seed}/{record.position.key}")
        known = self.opening_book.choose(record.position, random, BOOK_WINDOW)
        if known is None or known.move not in record.legal_moves:
            return None
        return Result((Line(known.score, (known.move,), 0, from_book=True),))

    def probe_tables(self, record: Record) -> Probe | None:
        """The verdict of the endgame tables on the last position and its moves; None beyond their reach."""
        if not self._store or sum(record.position.counts) > self.pieces:
            return None
        try:
            return probe(record.position, record, customs=self.customs, store=self._store)
        except (NoTable, DamagedTable, NoTablesForRules):
            return None

    def _by_tables(self, record: Record) -> Result | None:
        """The move that the endgame tables recommend: it keeps the value, wins soonest and loses latest."""
        probed = self.probe_tables(record)
        if not probed or probed.verdict.beside:
            return None  # a limit that the tables leave out may come first: the search counts it
        allowed = record.legal_moves
        best = next((verdict for verdict in probed.moves if verdict.move in allowed), None)
        if best is None:
            return None
        plies = 1 if best.after is None else 1 + (best.after.spends or best.after.plies or 0)
        score = {"win": TABLE_WIN - plies, "draw": 0, "loss": plies - TABLE_WIN}[best.value]
        # Endless play that is won by count of pieces has no last move.
        to_end = best.plies if best.after else 1
        line = Line(score, (best.move,), 0, from_tables=True, table_plies=to_end)
        return Result((line,), table_hits=len(probed.moves))


@dataclass(frozen=True)
class _Task:
    """The arguments of one search; `moves` is empty where the game is over."""

    record: Record
    limits: Limits
    moves: list[Move]
    whole: bool
    """Whether `moves` are all the legal moves."""


class Thinking:
    """A search that runs in another thread."""

    def __init__(self, engine: Engine, search: Callable[[int], Result]) -> None:
        self._engine = engine
        self._result: Result | None = None
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
            self._result = search(self._ticket)
        except BaseException as error:  # noqa: BLE001 (raised again in `wait`)
            self._error = error
        finally:
            self._over.set()
            self._engine._finish(self._ticket)

    @property
    def done(self) -> bool:
        """Whether the search has ended."""
        return self._over.is_set()

    def stop(self) -> None:
        """Ends the search; `wait` then returns the result so far."""
        if not self.done:  # the engine may be busy with another search by now
            self._engine.stop()

    def ponder_hit(self) -> None:
        """The expected move was played: the clock runs from now on."""
        self._engine._core.ponder_hit()

    def join(self) -> None:
        """Waits until the search has ended, by success or error."""
        self._engine._check_thread()
        self._over.wait()

    def wait(self, timeout: float | None = None) -> Result:
        """Waits for the result; raises `TimeoutError` after `timeout` seconds."""
        self._engine._check_thread()
        if not self._over.wait(timeout):
            raise TimeoutError("the search goes on")
        if self._error:
            raise self._error
        assert self._result is not None
        return self._result


_engines: WeakSet[Engine] = WeakSet()


def _end_all() -> None:
    """Stops every engine: a search that still runs while Python shuts down would abort the process."""
    for engine in list(_engines):
        engine.close(EXIT_TIMEOUT_S)


atexit.register(_end_all)
if hasattr(os, "register_at_fork"):
    # The threads stay with the parent: a child has nothing to wait for.
    os.register_at_fork(after_in_child=_engines.clear)


def _microseconds(seconds: float) -> int:
    """Whole microseconds, at least 1; 0 stays 0 and means no limit."""
    return max(1, round(seconds * 1e6)) if seconds else 0


def record_at(place: Place) -> Record:
    """The record of a game, a record itself, or a new record that starts in a position."""
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
