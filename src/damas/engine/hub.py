"""The Hub protocol from the engine's side: lines in, lines out, one search at a time.

It answers `hub` with `id` and `param` lines and `wait`, `init` with `ready`, and then searches positions: `pos`, `level`,
`go think | ponder | analyze`, `stop`, `ponder-hit`, `ping`, `new-game`, `quit`. A line that it cannot read is answered
with an `error` line. Every `go` is answered with `done`: without a move if there is none, and after an `error` if there
is no position or no memory to search.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from math import isfinite
from threading import Event, Lock, Thread
from typing import TypeAlias

from damas.engine.engine import DECIDED, MAX_HASH_MB, MAX_THREADS, Engine, Result, Thinking
from damas.engine.limits import MAX_SECONDS, MAX_VALUES, Limits
from damas.game import Position, Record
from damas.notation import hub
from damas.rules import Rulebook, rulebook, rulebook_ids
from damas.rules.readings import other_readings

_WORD = re.compile(r'([^\s="]+)(?:=("([^"]*)"|[^\s"]*))?')
NORMAL = {"normal": "internacional", "brazilian": "brasileira", "russian": "russa", "frisian": "frisia"}
"""Names that other programs give to rulebooks."""
Arguments: TypeAlias = dict[str, str | None]
"""Arguments of a line by name; None for one without a value."""
MIN_SECONDS = 0.001
"""Least time for a search, in seconds; with none a move is due all the same."""
_MAX_ERROR_CHARS = 300
MAX_QUOTED_CHARS = 40
"""Characters of an unknown command that the error message quotes."""


def read_line(line: str) -> tuple[str, Arguments]:
    """The word of a line and its arguments; those without a value have None.

    >>> read_line('pos pos=W moves="1-2 3-4" now')
    ('pos', {'pos': 'W', 'moves': '1-2 3-4', 'now': None})
    """
    words: list[tuple[str, str | None]] = []
    for match in _WORD.finditer(line):
        name, value, quoted = match.groups()
        words.append((name, quoted if quoted is not None else value))
    if not words:
        return "", {}
    return words[0][0], dict(words[1:])


def write_line(word: str, **arguments: object) -> str:
    """A line of the protocol: names with dashes, a value of several words or of none in quotes.

    >>> write_line("level", move_time=1.5), write_line("done", pv="1-2 3-4")
    ('level move-time=1.5', 'done pv="1-2 3-4"')
    """
    parts = [word]
    for name, value in arguments.items():
        text = str(value).replace('"', "'")
        text = f'"{text}"' if not text or re.search(r"[\s=]", text) else text
        parts.append(f"{name.replace('_', '-')}={text}")
    return " ".join(parts)


class HubSession:
    """One session with another program: `handle` takes a line and returns False after `quit`."""

    def __init__(
        self, write: Callable[[str], None], book: Rulebook | str, threads: int = 1, hash_mb: int = 64
    ) -> None:
        self._write = write
        self._lock = Lock()
        self._book = rulebook(book) if isinstance(book, str) else book
        self._threads, self._hash = threads, hash_mb
        self._engine: Engine | None = None
        self._record: Record | None = Record(Position.start(self._book))
        """None after a position that was refused: there is nothing to search."""
        self._limits = Limits(movetime=1)
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
        names = " ".join(dict.fromkeys([*rulebook_ids(), *other_readings(), self._book.id]))
        self.send(write_line("param", name="rulebook", value=self._book.id, type="enum", values=names))
        for name, value, most in (
            ("threads", self._threads, MAX_THREADS),
            ("tt-size", self._hash, MAX_HASH_MB),
        ):
            self.send(write_line("param", name=name, value=value, type="int", min=1, max=most))
        self.send("wait")

    def _set_param(self, arguments: Arguments) -> None:
        name, value = arguments.get("name"), arguments.get("value") or ""
        self._stop_search()
        if name in ("rulebook", "variant"):
            self._book = rulebook(NORMAL.get(value, value))
            self._record = Record(Position.start(self._book))
        elif name == "threads":
            self._threads = _whole(value, MAX_THREADS)
        elif name == "tt-size":
            self._hash = _whole(value, MAX_HASH_MB)
        else:
            raise ValueError(f"unknown parameter {name}" if name else "a parameter has a name")
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
            record, limits, engine = self._record, self._limits, self._get_engine()
        except Exception as error:  # noqa: BLE001 (as in `handle`)
            self._send_error(error)
            self.send("done")
            return
        if how == "analyze":
            limits = Limits(depth=limits.depth, nodes=limits.nodes)
        elif how == "ponder":
            limits = replace(limits, moves=None, ponder=True)
        self._released = Event()
        if how == "think":
            self._released.set()
        released = self._released
        thinking = engine.think(record, limits, watcher=lambda result: self._info(record, result))
        self._thinking = thinking
        self._answering = Thread(target=self._answer, args=(record, thinking, released), daemon=True)
        self._answering.start()

    def _answer(self, record: Record, thinking: Thinking, released: Event) -> None:
        try:
            result = thinking.wait()
        except Exception as error:  # noqa: BLE001 (as in `handle`)
            self._send_error(error)
            result = Result()
        released.wait()  # an analysis or a ponder ends on `stop` or `ponder-hit`
        arguments: dict[str, object] = {}
        if result.best:
            arguments["move"] = hub.write_move(record.position, result.best)
            if result.ponder:
                arguments["ponder"] = hub.write_move(record.position.play(result.best), result.ponder)
        self.send(write_line("done", **arguments))

    def _info(self, record: Record, result: Result) -> None:
        if not result.lines:
            return
        line = hub.write_moves(record.position, result.lines[0].moves)
        score = result.score
        if abs(score) > DECIDED:
            score = 10_000 if score > 0 else -10_000
        self.send(
            write_line(
                "info",
                depth=result.depth,
                score=f"{score / 100:.2f}",
                nodes=result.nodes,
                time=f"{result.seconds:.3f}",
                nps=f"{result.nodes_per_second / 1e6:.2f}",
                pv=" ".join(line),
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
        if self._answering and self._released.is_set() and self._limits.bounded:
            self._answering.join()

    def _get_engine(self) -> Engine:
        if self._engine is None:
            self._engine = Engine(self._book, threads=self._threads, hash_mb=self._hash)
        return self._engine


COMMANDS = ("hub", "set-param", "init", "new-game", "ping", "pos", "level", "go", "stop", "ponder-hit")
"""Commands that are answered; `quit` ends the session."""


def _whole(text: str, most: int) -> int:
    if not text.isdecimal() or len(text) > len(str(most)) or not 1 <= int(text) <= most:
        raise ValueError(f"a whole number from 1 to {most}, not {text or 'nothing'}")
    return int(text)
