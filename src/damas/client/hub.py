"""Engines that are programs and speak Hub, such as Scan."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import inf, isfinite
from pathlib import Path
from threading import Lock
from typing import NoReturn

from damas.client.engine import TIMEOUT_S, Analysis, EngineClient, OptionValue, error_of
from damas.client.results import Info, PlayResult, Score
from damas.engine.limits import Limits
from damas.errors import BadOption, DamasError, EngineDied, EngineError, EngineTimeout
from damas.game import Move, Position, Record
from damas.matches.box.limits import BoxLimits
from damas.matches.box.plan import trusted_launch
from damas.matches.faults import Fault
from damas.matches.hub.conversation import (
    encoded,
    greet,
    read_reply,
    search_lines,
    set_options,
    with_rulebook,
)
from damas.matches.programs.program_player import UNLIMITED
from damas.matches.supervisor.program import KeeperGone, Program
from damas.notation import hub
from damas.notation.hub import Arguments, Option
from damas.rules import Rulebook

CHECK_INTERVAL_S = 0.25
"""How often a wait looks whether another thread has stopped the search."""
OVERTIME_S = 0.5
"""How much longer than its time an engine may think before it is told to stop."""
MAX_LAST_WORDS = 300
"""Characters of what a program wrote before it ended that its error tells."""
MULTIPV = "multipv"
"""The option by which an engine shows several lines."""


class HubClient(EngineClient):
    """A program that is started by its command and speaks Hub. It is told to play by the rulebook, if it has an option for
    that and `options` do not decide otherwise.

    `cwd` is the folder in which it runs: some engines look there for their files, and a command with a slash, as
    `./scan`, is one of that folder. The program is the owner's own: nothing confines it. It ends with this process,
    however that may end.
    """

    def __init__(
        self,
        command: Sequence[str],
        book: Rulebook | str,
        *,
        options: Mapping[str, OptionValue] | None = None,
        timeout: float = TIMEOUT_S,
        cwd: str | Path | None = None,
    ) -> None:
        super().__init__(book, timeout)
        self._name = Path(command[0]).name
        self._id: Mapping[str, str] = {}
        self._options: Mapping[str, Option] = {}
        self._lines = 1
        launch = trusted_launch(list(command), inherit=True, cwd=cwd)
        try:
            self._program = Program(launch, BoxLimits(turn_output=UNLIMITED, game_output=UNLIMITED))
        except Fault as fault:
            raise error_of(self.name, fault, late="silent") from None
        try:
            self._greet(options or {})
        except BaseException:
            self._program.close()
            raise

    def _greet(self, options: Mapping[str, OptionValue]) -> None:
        try:
            greeting = greet(self._program, time.monotonic() + self.timeout)
        except (Fault, KeeperGone) as trouble:
            self.give_up(error_of(self.name, trouble, late="silent"))
        self._id, self._options = greeting.id, greeting.options
        self._name = greeting.id.get("name") or self._name
        known = greeting.options.values()
        chosen = with_rulebook(known, dict.fromkeys(options, ""), self.book)
        for option in known:
            named = option.name in ("rulebook", "variant") and option.values
            if named and not chosen.keys() & {"rulebook", "variant"}:
                raise EngineError(self.name, "rulebook", self.book.id)
        self.configure({**chosen, **options})

    @property
    def name(self) -> str:
        return self._name

    @property
    def id(self) -> Mapping[str, str]:
        return self._id

    @property
    def options(self) -> Mapping[str, Option]:
        return self._options

    def stderr(self) -> str:
        """The end of what it has written to its standard error."""
        return self._program.stderr().decode("utf-8", "replace")

    def _configure(self, values: Mapping[str, str]) -> None:
        deadline = time.monotonic() + self.timeout
        while time.monotonic() < deadline and self.receive(0.0):
            pass  # an error that it reported before is not about these options
        try:
            error = set_options(self._program, values, deadline)
        except (Fault, KeeperGone) as trouble:
            self.give_up(error_of(self.name, trouble, late="silent"))
        if error:
            raise BadOption(self.name, "option_refused", error)
        if MULTIPV in values:
            self._lines = int(values[MULTIPV])

    def _start(self, record: Record, limits: Limits, mode: str, multipv: int) -> Analysis:
        if multipv != self._lines:
            if MULTIPV not in self.options:
                raise EngineError(self.name, "multipv")
            self.configure({MULTIPV: multipv})
        self.send(*search_lines(record, limits, mode))
        return HubAnalysis(self, record, limits, pondering=mode == "ponder")

    def _new_game(self) -> None:
        self.send("new-game")

    def _ping(self) -> None:
        self.send("ping")
        deadline = time.monotonic() + self.timeout
        while (left := deadline - time.monotonic()) > 0:
            line = self.receive(left)
            if line is not None and line[0] == "pong":
                return
        self.give_up(EngineTimeout(self.name, "silent"))

    def _quit(self) -> None:
        self._program.leave(b"quit\n")
        self._program.close()

    # --- the conversation ----------------------------------------------------------------

    def send(self, *lines: str) -> None:
        """Sends lines, while nothing is searching."""
        try:
            self._program.send(encoded(lines), time.monotonic() + self.timeout)
        except Fault:
            self.give_up(EngineTimeout(self.name, "deaf"))

    def interrupt(self, line: str) -> None:
        """Sends a line while another thread waits in `receive`, which notices if it is not answered."""
        with suppress(Fault):
            self._program.send(encoded([line]), time.monotonic() + self.timeout)

    def has_line(self, word: str) -> bool:
        """Whether a line with this word is there to be received."""
        self._program.read_now()
        return any(read_reply(line)[0] == word for line in self._program.pending.split(b"\n")[:-1])

    def receive(self, seconds: float) -> tuple[str, Arguments] | None:
        """The next line, or None if there is none after so many seconds."""
        if self._closed:
            raise EngineError(self.name, "closed")
        try:
            line = self._program.receive(seconds)
        except (Fault, KeeperGone) as trouble:
            self.give_up(error_of(self.name, trouble, late="late"))
        return None if line is None else read_reply(line)

    def give_up(self, error: EngineError) -> NoReturn:
        """Ends the program, whose answers cannot be told apart any more, and raises the error.

        For a program that has ended, the error quotes the last line of its standard error: often the reason.
        """
        self._closed = True
        self._program.close()
        if isinstance(error, EngineDied) and (words := self.stderr().strip()):
            reason = words.splitlines()[-1].strip()[:MAX_LAST_WORDS]
            error = EngineDied(error.name, error.reason, f"{error.detail}: {reason}")
        raise error from None


class HubAnalysis(Analysis):
    """A search of a program that speaks Hub."""

    def __init__(self, client: HubClient, record: Record, limits: Limits, *, pondering: bool) -> None:
        super().__init__()
        self._client, self._record, self._limits = client, record, limits
        self._time_is_up = inf if pondering else _end_of_time(limits)
        self._too_late = inf
        self._stopping = Lock()
        self._error = ""

    def _stop(self) -> None:
        with self._stopping:
            if self.done or isfinite(self._too_late) or self._client.closed or self._has_answered():
                return
            self._too_late = time.monotonic() + self._client.timeout
            self._client.interrupt("stop")

    def _has_answered(self) -> bool:
        """Whether its move is there to be read: a `stop` after it would be answered with an error."""
        if not self._reading.acquire(
            blocking=False
        ):  # another thread reads, or this one at the end of its time
            return False
        try:
            return self._client.has_line("done")
        finally:
            self._reading.release()

    def ponder_hit(self) -> None:
        _ = self.lines  # it may have ended by itself, which the protocol allows
        if not self.done:
            self._client.interrupt("ponder-hit")
            self._time_is_up = _end_of_time(self._limits)

    def _receive(self, *, wait: bool) -> Info | PlayResult | None:
        while True:
            now = time.monotonic()
            if now >= self._too_late:
                self._client.give_up(EngineTimeout(self._client.name, "late"))
            if now >= self._time_is_up:
                self._stop()
                self._time_is_up = inf  # from here on it is waited for until it is too late
            left = min(self._time_is_up, self._too_late) - now
            line = self._client.receive(min(max(left, 0.0), CHECK_INTERVAL_S) if wait else 0.0)
            if line is None:
                if wait:
                    continue
                return None
            word, arguments = line
            if word == "info":
                return self._info(arguments)
            if word == "done":
                return self._done(arguments)
            if word == "error":
                self._error = arguments.get("message") or self._error

    def _info(self, arguments: Arguments) -> Info:
        given = {name: value for name, value in arguments.items() if value is not None}
        score = _number(given.pop("score", ""))
        depth, nodes, rank = (_number(given.pop(name, "")) for name in ("depth", "nodes", MULTIPV))
        seconds, speed = _number(given.pop("time", "")), _number(given.pop("nps", ""))
        position = self._record.position
        return Info(
            None if score is None else Score.of_men(score, position.turn),
            _line(position, given.pop("pv", "")),
            None if depth is None else int(depth),
            None if nodes is None else int(nodes),
            seconds,
            None if speed is None else round(speed * 1e6),
            max(1, int(rank or 1)),
            given,
        )

    def _done(self, arguments: Arguments) -> PlayResult:
        name, position, text = self._client.name, self._record.position, arguments.get("move") or ""
        if not text:
            raise EngineError(name, "no_move", self._error)
        move = _read(position, text)
        if move is None or move not in self._record.legal_moves:
            raise EngineError(name, "illegal", text)
        reply = _read(position.play(move), arguments.get("ponder") or "")
        return PlayResult(move, reply, self._lines.get(1, Info()))


def _end_of_time(limits: Limits) -> float:
    """When the time of a search is up that begins now."""
    allowed = inf if limits.movetime is None else limits.movetime
    if limits.clock is not None:
        allowed = min(allowed, limits.clock + limits.increment)
    return time.monotonic() + allowed + OVERTIME_S


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _read(position: Position, text: str) -> Move | None:
    try:
        return hub.read_move(position, text)
    except DamasError:
        return None


def _line(position: Position, text: str) -> tuple[Move, ...]:
    """The moves of a line, up to the first that cannot be read."""
    moves: list[Move] = []
    for word in text.split():
        move = _read(position, word)
        if move is None:
            break
        moves.append(move)
        position = position.play(move)
    return tuple(moves)
