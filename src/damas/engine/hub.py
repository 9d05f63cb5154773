"""The Hub protocol from the engine's side: lines in, lines out, one search at a time.

It answers `hub` with `id` and `param` lines and `wait`, `init` with `ready`, and then searches positions: `pos`, `level`,
`go think | ponder | analyze`, `stop`, `ponder-hit`, `ping`, `new-game`, `quit`. A line that it cannot read is answered
with an `error` line. Every `go` is answered with `done`: without a move if there is none, and after an `error` if there
is no position or no memory to search.

Two things are beyond the protocol, which leaves room for both: the parameter `multipv` asks for several lines, each of
which has an `info` with its rank; and a score of 100 men less a hundredth for each ply is a win in so many plies, as
Scan has it (100 alone: a win of unknown length).
"""

from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from math import isfinite
from threading import Event, Lock, Thread

from damas.engine.engine import MAX_HASH_MB, MAX_THREADS, Engine, Line, Result, Thinking
from damas.engine.limits import MAX_SECONDS, MAX_VALUES, Limits
from damas.game import Position, Record
from damas.notation import hub
from damas.notation.hub import Arguments, Option, read_line, write_line
from damas.rules import Rulebook, rulebook, rulebook_ids
from damas.rules.readings import other_readings

NORMAL = {"normal": "internacional", "brazilian": "brasileira", "russian": "russa", "frisian": "frisia"}
"""Names that other programs give to rulebooks."""
MIN_SECONDS = 0.001
"""Least time for a search, in seconds; with none a move is due all the same."""
_MAX_ERROR_CHARS = 300
MAX_QUOTED_CHARS = 40
"""Characters of an unknown command that the error message quotes."""


class HubSession:
    """One session with another program: `handle` takes a line and returns False after `quit`."""

    def __init__(
        self, write: Callable[[str], None], book: Rulebook | str, threads: int = 1, hash_mb: int = 64
    ) -> None:
        self._write = write
        self._lock = Lock()
        self._book = rulebook(book) if isinstance(book, str) else book
        self._threads, self._hash, self._multipv = threads, hash_mb, 1
        self._engine: Engine | None = None
        self._record: Record | None = Record(Position.start(self._book))
        """None after a position that was refused: there is nothing to search."""
        self._limits: Limits | None = None
        """None before the first `level`."""
        self._thinking: Thinking | None = None
        self._answering: Thread | None = None
        self._released = Event()

    def send(self, line: str) -> None:
        """Send a line; lines of the search and of answers never mix."""
        with self._lock:
            self._write(line)

    def handle(self, line: str) -> bool:
        """Answer a line; False after `quit`."""
        word, arguments = read_line(line)
        if not word:
            return True
        if word == "quit":
            self.close()
            return False
        answer = getattr(self, f"_{word.replace('-', '_')}", None) if word in COMMANDS else None
        if answer is None:
            quoted = word if len(word) <= MAX_QUOTED_CHARS else f"{word[:MAX_QUOTED_CHARS]}..."
            self.send(write_line("error", message=f"unknown command {quoted}"))
            return True
        try:
            answer(arguments)
        except Exception as error:  # noqa: BLE001 (whatever it is, the other program waits for an answer)
            self._send_error(error)
        return True

    def _send_error(self, error: Exception) -> None:
        message = " ".join(str(error).split()) or type(error).__name__
        self.send(write_line("error", message=message[:_MAX_ERROR_CHARS]))

    def close(self) -> None:
        """Ends the search in progress."""
        self._stop_search()
        if self._engine:
            self._engine.close()
            self._engine = None

    # --- before a game ----------------------------------------------------------------

    def _hub(self, _: Arguments) -> None:
        self.send(write_line("id", name="damas", version=version("damas"), author="damas", country=""))
        for option in self._options():
            self.send(option.line())
        self.send("wait")

    def _options(self) -> tuple[Option, ...]:
        books = tuple(dict.fromkeys([*rulebook_ids(), *other_readings(), self._book.id]))
        return (
            Option("rulebook", "enum", self._book.id, values=books),
            Option("threads", "int", str(self._threads), 1, MAX_THREADS),
            Option("tt-size", "int", str(self._hash), 1, MAX_HASH_MB),
            Option("multipv", "int", str(self._multipv), 1, MAX_VALUES["lines"]),
        )

    def _set_param(self, arguments: Arguments) -> None:
        name, value = arguments.get("name"), arguments.get("value") or ""
        self._stop_search()
        if name in ("rulebook", "variant"):
            self._book = rulebook(NORMAL.get(value, value))
            self._record = Record(Position.start(self._book))
            self._engine = None
            return
        option = next((option for option in self._options() if option.name == name), None)
        if option is None:
            raise ValueError(f"unknown parameter {name}" if name else "a parameter has a name")
        number = int(option.text(value))
        if name == "multipv":
            self._multipv = number
            return
        if name == "threads":
            self._threads = number
        else:
            self._hash = number
        self._engine = None

    def _init(self, _: Arguments) -> None:
        self._get_engine()
        self.send("ready")

    def _new_game(self, _: Arguments) -> None:
        self._stop_search()
        self._get_engine().forget()
        self._record = Record(Position.start(self._book))

    def _ping(self, _: Arguments) -> None:
        self.send("pong")

    # --- a position and what to do with it ---------------------------------------------

    def _pos(self, arguments: Arguments) -> None:
        self._stop_search()
        self._record = None
        text = arguments.get("pos")
        start = hub.read_position(text, self._book) if text else Position.start(self._book)
        record = Record(start)
        for move in (arguments.get("moves") or "").split():
            record = record.play(hub.read_move(record.position, move))
        self._record = record

    def _level(self, arguments: Arguments) -> None:
        def seconds(name: str, most: float = MAX_SECONDS) -> float | None:
            value = arguments.get(name)
            if not value:
                return None
            try:
                number = float(value)
            except ValueError:
                number = -1
            if not isfinite(number) or not 0 <= number <= most:
                raise ValueError(f"{name} cannot be {value}")
            return number

        def whole(name: str) -> int | None:
            value = seconds(name, MAX_VALUES[name])
            if value is not None and value != int(value):
                raise ValueError(f"{name} cannot be {arguments[name]}")
            return None if value is None else max(1, int(value))

        time, movetime = seconds("time"), seconds("move-time")
        self._limits = Limits(
            depth=whole("depth"),
            nodes=whole("nodes"),
            movetime=None if movetime is None else max(movetime, MIN_SECONDS),
            clock=None if time is None else max(time, MIN_SECONDS),
            increment=seconds("inc") or 0.0,
            moves=whole("moves"),
        )

    def _go(self, arguments: Arguments) -> None:
        self._stop_search()
        how = next(iter(arguments), "think")
        if how not in ("think", "ponder", "analyze"):
            raise ValueError(f"unknown way to go: {how}")
        try:
            if self._record is None:
                raise ValueError("the last position was refused: there is none to think about")
            record, engine = self._record, self._get_engine()
        except Exception as error:  # noqa: BLE001 (as in `handle`)
            self._send_error(error)
            self.send("done")
            return
        limits = self._limits or (Limits() if how == "analyze" else Limits(movetime=1))
        if how == "analyze":
            limits = replace(limits, clock=None, moves=None)
        elif how == "ponder":
            limits = replace(limits, moves=None, ponder=True)
        limits = replace(limits, lines=self._multipv)
        self._released = Event()
        if how == "think" or (how == "analyze" and limits.bounded):
            self._released.set()
        released = self._released
        reported = Event()

        def report(result: Result) -> None:
            reported.set()
            self._info(record, result)

        thinking = engine.think(record, limits, watcher=report)
        self._thinking = thinking
        facts = (record, thinking, released, reported)
        self._answering = Thread(target=self._answer, args=facts, daemon=True)
        self._answering.start()

    def _answer(self, record: Record, thinking: Thinking, released: Event, reported: Event) -> None:
        try:
            result = thinking.wait()
        except Exception as error:  # noqa: BLE001 (as in `handle`)
            self._send_error(error)
            result = Result()
        if not reported.is_set():  # the endgame tables answer without a search
            self._info(record, result)
        released.wait()  # an analysis without limits or a ponder ends on `stop` or `ponder-hit`
        arguments: dict[str, object] = {}
        if result.best:
            arguments["move"] = hub.write_move(record.position, result.best)
            if result.ponder:
                arguments["ponder"] = hub.write_move(record.position.play(result.best), result.ponder)
        self.send(write_line("done", **arguments))

    def _info(self, record: Record, result: Result) -> None:
        for rank, line in enumerate(result.lines, 1):
            several = {"multipv": rank} if len(result.lines) > 1 else {}
            self.send(
                write_line(
                    "info",
                    **several,
                    depth=result.depth,
                    score=_score_text(line),
                    nodes=result.nodes,
                    time=f"{result.seconds:.3f}",
                    nps=f"{result.nodes_per_second / 1e6:.2f}",
                    pv=" ".join(hub.write_moves(record.position, line.moves)),
                )
            )

    def _stop(self, _: Arguments) -> None:
        self._released.set()
        if self._thinking:
            self._thinking.stop()

    def _ponder_hit(self, _: Arguments) -> None:
        self._released.set()
        if self._thinking:
            self._thinking.ponder_hit()

    def _stop_search(self) -> None:
        """Ends the search in progress; its answer is still sent."""
        self._released.set()
        if self._thinking and self._answering:
            self._thinking.stop()
            self._answering.join()
        self._thinking = self._answering = None

    def wait(self) -> None:
        """Waits for the answer of a search that ends by itself."""
        bounded = self._limits is None or self._limits.bounded
        if self._answering and self._released.is_set() and bounded:
            self._answering.join()

    def _get_engine(self) -> Engine:
        if self._engine is None:
            self._engine = Engine(self._book, threads=self._threads, hash_mb=self._hash)
        return self._engine


COMMANDS = ("hub", "set-param", "init", "new-game", "ping", "pos", "level", "go", "stop", "ponder-hit")
"""Commands that are answered; `quit` ends the session."""


def _score_text(line: Line) -> str:
    """A score in men.

    >>> _score_text(Line(35, (), 5)), _score_text(Line(29_990, (), 5)), _score_text(Line(-27_000, (), 5))
    ('0.35', '99.90', '-100.00')
    """
    if line.decided is None:
        return f"{line.score / 100:.2f}"
    plies = line.plies_to_end
    men = 100 - plies / 100 if plies is not None and plies <= 100 else 100
    return f"{line.decided * men:.2f}"
