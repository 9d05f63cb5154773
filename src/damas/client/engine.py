"""The interface of every engine that a program can consult, and of a search in progress."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import suppress
from threading import Event, Lock, RLock
from types import TracebackType
from typing import NoReturn, Self, TypeAlias, overload

from damas.client.results import Info, PlayResult
from damas.engine.engine import Place, record_at
from damas.engine.limits import MAX_VALUES, Limits, check_whole
from damas.errors import BadOption, EngineDied, EngineError, EngineTimeout
from damas.game import Game, Position, Record
from damas.matches.faults import Fault
from damas.matches.supervisor.program import KeeperGone
from damas.notation.hub import Option
from damas.rules import Rulebook, rulebook

TIMEOUT_S = 10.0
"""How long an engine may take for anything but thinking."""

OptionValue: TypeAlias = bool | int | float | str
"""A value that an option can be set to."""


class Analysis(ABC, Iterator[Info]):
    """A search in progress: an iterator over its reports, which ends with the search.

    `stop` ends it from any thread. At the end of a `with` block it is stopped, and the engine is free.
    """

    def __init__(self) -> None:
        self._lines: dict[int, Info] = {}
        self._result: PlayResult | None = None
        self._failure: Exception | None = None
        self.stopped = Event()
        """Set by `stop`, before or after the search has ended."""
        self._reading = Lock()

    def stop(self) -> None:
        """Asks the engine to end the search; what it reports until then can still be read."""
        self.stopped.set()
        self._stop()

    @abstractmethod
    def _stop(self) -> None:
        """Asks the engine to end the search, if it has not ended."""

    @abstractmethod
    def ponder_hit(self) -> None:
        """For a search of the reply that was expected: it was played, and the limits of the search hold from now on."""

    @abstractmethod
    def _receive(self, *, wait: bool) -> Info | PlayResult | None:
        """The next report, or the result; None if there is none yet and we do not wait."""

    def _advance(self, *, wait: bool) -> Info | None:
        """Reads one report; None at the end of the search, or if there is none yet and we do not wait."""
        if self._failure:
            raise self._failure
        if self._result is not None:
            return None
        try:
            event = self._receive(wait=wait)
        except Exception as error:
            self._failure = error
            raise
        if isinstance(event, PlayResult):
            self._result = event
            return None
        if event is not None and (event.pv or event.score):
            if event.rank == 1 and self._lines and event.depth != self._lines[min(self._lines)].depth:
                self._lines.clear()  # a new depth: the lines of the last one are reported again
            self._lines[event.rank] = event
        return event

    def __next__(self) -> Info:
        with self._reading:
            info = self._advance(wait=True)
        if info is None:
            raise StopIteration
        return info

    @property
    def done(self) -> bool:
        """Whether the search has ended, by its result or an error, and all its reports were read."""
        return self._result is not None or self._failure is not None

    @property
    def lines(self) -> list[Info]:
        """The last report of each line, best first; it does not wait."""
        if self._reading.acquire(blocking=False):  # otherwise another thread reads them now
            try:
                while not self.done and self._advance(wait=False):
                    pass
            finally:
                self._reading.release()
        return [self._lines[rank] for rank in sorted(self._lines)]

    @property
    def info(self) -> Info:
        """The last report of the best line, an empty one before the first; it does not wait."""
        return next(iter(self.lines), Info())

    def wait(self) -> PlayResult:
        """Reads all reports to the end of the search and returns the move that the engine prefers."""
        with self._reading:
            while self._result is None:
                self._advance(wait=True)
            return self._result

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.done:
            return
        try:
            self.stop()
            self.wait()
        except EngineError:
            if kind is None:  # the error that ends the block comes first
                raise


class EngineClient(ABC):
    """An engine to consult, whatever it speaks. Close it, or use it in a `with` block.

    It does one thing at a time: a new search, and `configure`, end the search in progress. `stop` and `close` may be
    called from any thread.
    """

    def __init__(self, book: Rulebook | str, timeout: float = TIMEOUT_S) -> None:
        self.book = rulebook(book)
        """The rulebook of all its searches."""
        self.timeout = timeout
        """Seconds that it may take for anything but thinking, and to obey when it is told to stop."""
        self._busy = RLock()
        self._search: Analysis | None = None
        self._pondered: tuple[Record, Limits] | None = None
        """Where the search in progress thinks while the opponent does, and the limits that hold once it is our turn."""
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether it was closed, by `close` or because it failed."""
        return self._closed

    @property
    @abstractmethod
    def name(self) -> str:
        """What it calls itself."""

    @property
    @abstractmethod
    def id(self) -> Mapping[str, str]:
        """What else it tells of itself: version, author …"""

    @property
    @abstractmethod
    def options(self) -> Mapping[str, Option]:
        """Its options with their types and bounds, by name."""

    @abstractmethod
    def _start(self, record: Record, limits: Limits, mode: str, multipv: int) -> Analysis:
        """Begins a search; the mode is think, ponder or analyze."""

    @abstractmethod
    def _configure(self, values: Mapping[str, str]) -> None:
        """Sets options to values that were checked."""

    @abstractmethod
    def _new_game(self) -> None:
        """Tells it that the next search belongs to another game."""

    @abstractmethod
    def _ping(self) -> None:
        """Waits for a sign of life."""

    @abstractmethod
    def _quit(self) -> None:
        """Ends it; nothing is searching any more."""

    # --- searching ----------------------------------------------------------------------

    def play(self, place: Place, limits: Limits, *, ponder: bool = False) -> PlayResult:
        """The move that it plays in a game, a record or a position; without limits it thinks until `stop`.

        A game brings along what has been repeated and counted. With `ponder` it thinks on about the reply that it
        expects, until the next call of any kind. If that asks for the move after this very reply within the same limits,
        the search goes on; within others, as with a clock, another begins and has what was searched in its hash table.
        A search that was stopped is not followed by pondering.
        """
        return self._finish_play(self._begin_play(place, limits), place, limits, ponder=ponder)

    def _begin_play(self, place: Place, limits: Limits) -> Analysis:
        record = self._checked(place, limits)
        with self._busy:
            search = self._search
            if search and not search.stopped.is_set() and self._ponders(record, limits):
                self._pondered = None
                search.ponder_hit()
                return search
            return self._begin(record, limits, "think", 1)

    def _ponders(self, record: Record, limits: Limits) -> bool:
        """Whether the search in progress ponders about this record within these limits. No protocol changes the limits of a
        search, and a clock shows another time in any case.
        """
        if self._pondered is None or limits.clock is not None:
            return False
        pondered, its_limits = self._pondered
        return (pondered.start, pondered.moves, its_limits) == (record.start, record.moves, limits)

    def _finish_play(self, search: Analysis, place: Place, limits: Limits, *, ponder: bool) -> PlayResult:
        result = search.wait()
        if not ponder or result.ponder is None:
            return result
        expected = record_at(place).play(result.move).play(result.ponder)
        with self._busy:
            current = self._search is search and not self._closed
            if current and not search.stopped.is_set() and expected.legal_moves:
                self._begin(expected, limits, "ponder", 1)
                self._pondered = expected, limits
                if search.stopped.is_set():  # by another thread in this moment
                    self._end_search()
        return result

    @overload
    def analyse(self, place: Place, limits: Limits, *, multipv: None = None) -> Info: ...
    @overload
    def analyse(self, place: Place, limits: Limits, *, multipv: int) -> list[Info]: ...
    def analyse(self, place: Place, limits: Limits, *, multipv: int | None = None) -> Info | list[Info]:
        """What it reports last of the best line, or with `multipv` of so many lines, best first."""
        check_bounded(limits)
        search = self.analysis(place, limits, multipv=1 if multipv is None else multipv)
        search.wait()
        return search.info if multipv is None else search.lines

    def analysis(self, place: Place, limits: Limits | None = None, *, multipv: int = 1) -> Analysis:
        """Begins an analysis and returns at once; without limits it goes on until it is stopped."""
        check_whole("multipv", multipv, MAX_VALUES["lines"])
        limits = Limits() if limits is None else limits
        record = self._checked(place, limits)
        with self._busy:
            return self._begin(record, limits, "analyze", multipv)

    def _begin(self, record: Record, limits: Limits, mode: str, multipv: int) -> Analysis:
        self._end_search()
        self._check_open()
        self._search = self._start(record, limits, mode, multipv)
        return self._search

    def _checked(self, place: Place, limits: Limits) -> Record:
        """The record to search; raises `TypeError` for what is none, `ValueError` if there is nothing to search."""
        if not isinstance(place, Game | Record | Position):
            raise TypeError(f"a game, a record or a position is needed, not {place!r}")
        if not isinstance(limits, Limits):
            raise TypeError(f"limits are needed, not {limits!r}")
        if limits.lines != 1 or limits.ponder:
            raise ValueError("several lines and pondering are arguments of their own: multipv= and ponder=")
        record = record_at(place)
        if record.rulebook.hash != self.book.hash:
            raise ValueError(f"this engine plays {self.book.id}, not {record.rulebook.id}")
        over = place.outcome if isinstance(place, Game) else None
        if over or not record.legal_moves:
            raise ValueError("the game is over: there is nothing to search")
        return record

    def stop(self) -> None:
        """From any thread: ends the search in progress, which then returns what it has."""
        stopped: Analysis | None = None
        while (search := self._search) and search is not stopped:  # pondering may begin in this moment
            search.stop()
            stopped = search

    def _end_search(self) -> None:
        """Ends the search in progress, and with it any pondering.

        What went wrong in it is reported where it is waited for; here only if nothing can be asked any more.
        """
        search, self._search, self._pondered = self._search, None, None
        if search and not search.done:
            search.stop()
            try:
                search.wait()
            except EngineError:
                if self._closed:
                    raise

    # --- everything else -------------------------------------------------------------------

    def configure(self, options: Mapping[str, OptionValue]) -> None:
        """Sets options; raises `BadOption` for a name or a value that it does not have, before any is set."""
        values: dict[str, str] = {}
        for name, value in options.items():
            if name not in self.options:
                raise BadOption(self.name, "option", name)
            try:
                values[name] = self.options[name].text(value)
            except ValueError as error:
                raise BadOption(self.name, "option_value", f"{name}: {error}") from None
        with self._busy:
            self._end_search()
            self._check_open()
            self._configure(values)

    def new_game(self) -> None:
        """Tells it that the next search belongs to another game: it forgets what it has searched."""
        with self._busy:
            self._end_search()
            self._check_open()
            self._new_game()

    def ping(self) -> None:
        """Waits for a sign of life; raises `EngineDied` or `EngineTimeout` if there is none."""
        with self._busy:
            self._end_search()
            self._check_open()
            self._ping()

    def _check_open(self) -> None:
        if self._closed:
            raise EngineError(self.name, "closed")

    def close(self) -> None:
        """Ends its search and the engine itself. May be called twice."""
        self.stop()
        with self._busy:
            if self._closed:
                return
            with suppress(EngineError):  # it ends all the same
                self._end_search()
            if not self._closed:
                self._closed = True
                self._quit()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}, {self.book.id}{', closed' if self._closed else ''}>"

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        raise TypeError("an engine cannot be copied or sent to another process: open one there")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def error_of(name: str, trouble: Fault | KeeperGone, *, late: str) -> EngineError:
    """The error of an engine whose program is in trouble; `late` is the reason of one that does not answer."""
    if isinstance(trouble, KeeperGone):
        return EngineDied(name, "died", "SIGKILL")
    match trouble.code:
        case "CRASH":
            return EngineDied(name, "died", trouble.detail)
        case "NOT_READY":
            return EngineError(name, "start", trouble.detail)
        case "TIMEOUT":
            return EngineTimeout(name, late)
    return EngineError(name, "garbage", trouble.detail)


def check_bounded(limits: Limits) -> None:
    """Raises `ValueError` for limits without which an analysis that is waited for would never end."""
    if not limits.bounded:
        raise ValueError("an analysis that is waited for needs a limit: depth, nodes, movetime or clock")
