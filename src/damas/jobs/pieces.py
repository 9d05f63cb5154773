"""Doing many pieces: results in the order of the pieces, each kept as soon as it is there."""

from collections import defaultdict, deque
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

from damas.errors import PieceLost
from damas.jobs.work import Calls, Lost, Message, Work, Workers
from damas.jobs.workers import workers_for

Piece = TypeVar("Piece", bound=Hashable)

MAX_AHEAD = 64
"""Finished pieces that wait for an earlier one before no more are begun."""
POLL_INTERVAL_S = 0.25
"""How long one wait for results lasts; Ctrl-C is handled in between."""


class Keeper(Protocol):
    """Where finished pieces are kept, so that a second run goes on with the others."""

    def get(self, piece: Any) -> Any | None:
        """The result of a finished piece; None if it is not finished."""

    def add(self, piece: Any, result: Any) -> None:
        """Keeps a result; when this returns, it is on disk."""


def run_pieces(
    work: Work | Callable[[Piece], Any],
    pieces: Iterable[Piece],
    *,
    keeper: Keeper | None = None,
    jobs: int = 0,
    cluster: str | None = None,
    report: Callable[[int], None] | None = None,
    listener: Callable[[Piece, Any], None] | None = None,
    memory_of: Callable[[Piece], int] | None = None,
) -> Generator[tuple[Piece, Any], None, None]:
    """Yields each piece with its result, in the order of the pieces, wherever and whenever they are done.

    `work` is a function of a piece, or a `Work`; it must depend on the piece alone, so that the results are the same on
    any number of processors or machines. Pieces are taken one by one as there is room for them: they may be endless, and
    nothing is begun after the last one that is asked for. `keeper` keeps finished pieces, and those it has are not done
    again. `report` is called with the number of finished pieces, and `listener` with what the work sends about a piece in
    progress (not from a cluster). Raises the error of a piece, and `PieceLost`.

    >>> [square for _, square in run_pieces(abs, [-1, 2, -3], jobs=1)]
    [1, 2, 3]
    """
    plain = work if hasattr(work, "open") else Calls(work)
    if cluster is None and jobs == 1:
        yield from _here(plain, pieces, keeper, report, listener)
        return
    messages = listener is not None
    with workers_for(plain, jobs=jobs, cluster=cluster, messages=messages, memory_of=memory_of) as workers:
        yield from _Run(workers, pieces, keeper, report, listener).results()


def _here(
    work: Work,
    pieces: Iterable[Any],
    keeper: Keeper | None,
    report: Callable[[int], None] | None,
    listener: Callable[[Any, Any], None] | None,
) -> Iterator[tuple[Any, Any]]:
    """Does the pieces in this process: a worker would only cost its start."""
    piece: Any = None
    with work.open((lambda content: listener(piece, content)) if listener else None) as do:
        for number, piece in enumerate(pieces, start=1):
            result = keeper.get(piece) if keeper is not None else None
            if result is None:
                result = do(piece)
                if keeper is not None:
                    keeper.add(piece, result)
            if report:
                report(number)
            yield piece, result


class _Run:
    """Pieces at workers, and results that wait for those before them."""

    def __init__(
        self,
        workers: Workers,
        pieces: Iterable[Any],
        keeper: Keeper | None,
        report: Callable[[int], None] | None,
        listener: Callable[[Any, Any], None] | None,
    ) -> None:
        self._workers, self._keeper, self._report, self._listener = workers, keeper, report, listener
        self._pieces: Iterator[Any] | None = iter(pieces)
        self._order: deque[Any] = deque()
        """Pieces that were taken and not yielded, in their order; there may be equal ones, whose results are the same."""
        self._results: defaultdict[Any, list[Any]] = defaultdict(list)
        """Results that were not yielded, by their piece."""
        self._finished = self._waiting = 0

    def results(self) -> Iterator[tuple[Any, Any]]:
        """Yields pieces and results until all are done."""
        while True:
            self._take()
            while self._order and self._order[0] in self._results:
                yield self._next()
                self._take()
            if not self._order:
                return
            for event in self._workers.receive(POLL_INTERVAL_S):
                if isinstance(event, Lost):
                    raise PieceLost(str(event.piece), event.reason)
                if isinstance(event, Message):
                    if self._listener:
                        self._listener(event.piece, event.content)
                else:
                    if self._keeper is not None:
                        self._keeper.add(event.piece, event.result)
                    self._finish(event.piece, event.result)

    def _take(self) -> None:
        """Begins pieces while there is room."""
        while self._pieces is not None and self._workers.has_room and self._waiting < MAX_AHEAD:
            try:
                piece = next(self._pieces)
            except StopIteration:
                self._pieces = None
                return
            hash(piece)  # before it is begun: one that has none could not be told apart
            self._order.append(piece)
            kept = self._keeper.get(piece) if self._keeper is not None else None
            if kept is None:
                self._workers.give(piece)
            else:
                self._finish(piece, kept)

    def _next(self) -> tuple[Any, Any]:
        """The first piece of those that wait, with its result."""
        piece = self._order.popleft()
        results = self._results[piece]
        result = results.pop()
        if not results:
            del self._results[piece]
        self._waiting -= 1
        return piece, result

    def _finish(self, piece: Any, result: Any) -> None:
        self._results[piece].append(result)
        self._waiting += 1
        self._finished += 1
        if self._report:
            self._report(self._finished)


def call(piece: Callable[[], Any]) -> Any:
    """The work for pieces that are calls of several functions, such as `functools.partial`."""
    return piece()
