"""Another program that speaks Hub, as a player. It is never trusted: every answer has a deadline, and what it says is
kept only so far. One that dies, is late or plays what is not legal forfeits its game, with the reason.
"""

import os
import select
import shlex
import subprocess
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Condition, Thread

from damas.engine.engine import Place, record_at
from damas.engine.hub import NORMAL, read_line, write_line
from damas.engine.limits import Limits
from damas.engine.match import Forfeit, NeverStarted
from damas.errors import DamasError
from damas.game import Move, Record
from damas.notation import hub
from damas.rules import Rulebook

LONGEST_LINE = 1 << 16
MOST_LINES = 1000
"""Lines that wait to be read; of a program that says more, the oldest are lost."""
GREETING = 10.0
"""Seconds for a program to start and say what it is."""
GRACE = 0.5
"""Seconds beyond its time before a program is late."""
UNLIMITED = 600.0
"""Seconds for a search that has no limit of time: to a depth, or so many nodes."""
MOST_STARTS = 4


class HubPlayer:
    """A program started by a command line. Started when first asked, and again in the next game if it has died.

    One that says it knows the rulebook of the game is told to play by it, unless `params` say otherwise.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        limits: Limits,
        *,
        params: Mapping[str, str] | None = None,
        name: str | None = None,
        grace: float = GRACE,
    ) -> None:
        self.command = shlex.split(command) if isinstance(command, str) else list(command)
        if not self.command:
            raise ValueError("a command is needed to start a program")
        self.limits = limits
        self.params = dict(params or {})
        self.name = name or os.path.basename(self.command[0])  # noqa: PTH119 (a name, no path)
        self.grace = grace
        self._named = name is not None
        self._program: _Program | None = None
        self._starts = 0
        self._met = False

    def choose(self, place: Place, limits: Limits | None = None) -> Move | None:
        """Raises `Forfeit` with what went wrong."""
        record = record_at(place)
        limits = limits if limits and not self.limits.bounded else self.limits
        began = time.monotonic()
        program = self._running(record.rulebook)
        complaint = ""
        try:
            where = position_line(record)
            deadline = time.monotonic() + _allowed(limits) + self.grace
            program.tell(where, deadline)
            program.tell(level_line(limits), deadline)
            program.tell("go think", deadline)
            while True:
                word, said = read_line(program.line(deadline))
                if word == "done":
                    break
                if word == "error" and said.get("message"):
                    complaint = f" ({said['message']})"[:200]
            try:
                return hub.read_move(record.position, said.get("move") or "")
            except DamasError:
                raise Forfeit(f"illegal move {said.get('move')!r}"[:200]) from None
        except Forfeit as why:
            self.close()
            raise Forfeit(f"{why} after {time.monotonic() - began:.1f} s{complaint}") from None

    def _running(self, book: Rulebook) -> "_Program":
        if self._program:
            return self._program
        if self._starts >= MOST_STARTS:
            raise Forfeit("died too often")
        self._starts += 1
        try:
            program = self._started(book)
        except Forfeit as why:
            raise (why if self._met else NeverStarted(shlex.join(self.command), str(why))) from None
        self._met = True
        return program

    def _started(self, book: Rulebook) -> "_Program":
        program = _Program(self.command)
        self._program = program
        deadline = time.monotonic() + GREETING
        rules: dict[str, str] = {}
        try:
            program.tell("hub", deadline)
            while (told := read_line(program.line(deadline)))[0] != "wait":
                if told[0] == "id" and not self._named and told[1].get("name"):
                    self.name = str(told[1]["name"])[:60]
                if told[0] == "param":
                    rules |= rulebook_param(told[1], book)
            if not self.params.keys() & {"rulebook", "variant"}:
                for name, value in rules.items():
                    program.tell(write_line("set-param", name=name, value=value), deadline)
            for name, value in self.params.items():
                program.tell(write_line("set-param", name=name, value=value), deadline)
            program.tell("init", deadline)
            while read_line(program.line(deadline))[0] != "ready":
                pass
            program.tell("new-game", deadline)
        except Forfeit:
            self.close()
            raise
        return program

    def new_game(self) -> None:
        """Tells a running program that a game begins."""
        if self._program:
            self._program.tell("new-game", time.monotonic() + GREETING)

    def close(self) -> None:
        if self._program:
            self._program.close()
            self._program = None


def rulebook_param(said: Mapping[str, str | None], book: Rulebook) -> dict[str, str]:
    """What to set a parameter to for a game under this rulebook; nothing if it is about something else.

    >>> from damas.rules import rulebook
    >>> scan = {"name": "variant", "value": "normal", "type": "enum", "values": "normal brazilian"}
    >>> rulebook_param(scan, rulebook("brasileira")), rulebook_param(scan, rulebook("turca"))
    ({'variant': 'brazilian'}, {})
    """
    known = (said.get("values") or "").split()
    if said.get("name") == "rulebook":
        names = [book.id]
    elif said.get("name") == "variant":
        names = [theirs for theirs, ours in NORMAL.items() if ours == book.id] + [book.id]
    else:
        return {}
    return next(({str(said["name"]): name} for name in names if name in known), {})


def position_line(record: Record) -> str:
    """A place in a game as Hub says it: where it began, and the moves since."""
    moves = hub.write_moves(record.start, record.moves)
    history = {"moves": " ".join(moves)} if moves else {}
    return write_line("pos", pos=hub.write_position(record.start), **history)


def level_line(limits: Limits) -> str:
    """The limits as Hub says them.

    >>> level_line(Limits(movetime=0.5)), level_line(Limits(clock=60, increment=1)), level_line(Limits(depth=9))
    ('level move-time=0.5', 'level time=60.000 inc=1', 'level depth=9')
    """
    said: dict[str, object] = {}
    if limits.clock is not None:
        said["time"], said["inc"] = f"{limits.clock:.3f}", limits.increment
    if limits.movetime is not None:
        said["move_time"] = limits.movetime
    if limits.depth is not None:
        said["depth"] = limits.depth
    if limits.nodes is not None:
        said["nodes"] = limits.nodes
    return write_line("level", **said) if said else "level infinite"


def _allowed(limits: Limits) -> float:
    times = [limit for limit in (limits.movetime, limits.clock) if limit is not None]
    return min(times) if times else UNLIMITED


class _Program:
    """A process and the lines between us. Every call has an absolute deadline."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
            )
        except OSError as error:
            raise Forfeit(f"cannot be started: {error.strerror}") from None
        assert self._process.stdin and self._process.stdout
        self._to, self._from = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._to, False)
        self._lines: deque[str] = deque(maxlen=MOST_LINES)
        self._news = Condition()
        self._over = ""
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        rest = b""
        why = "died"
        while chunk := self._chunk():
            *lines, rest = (rest + chunk).split(b"\n")
            if max(map(len, (*lines, rest))) > LONGEST_LINE:
                why = "says more than anybody can read"
                break
            with self._news:
                self._lines.extend(line.decode("utf-8", "replace").strip() for line in lines)
                self._news.notify_all()
        with self._news:
            self._over = why
            self._news.notify_all()

    def _chunk(self) -> bytes:
        try:
            return os.read(self._from, 1 << 16)
        except OSError:
            return b""

    def line(self, deadline: float) -> str:
        """The next thing it says."""
        with self._news:
            while not self._lines:
                if self._over:
                    raise Forfeit(self._why())
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Forfeit("late")
                self._news.wait(left)
            if time.monotonic() > deadline:
                raise Forfeit("late")  # however much it says: talking is not answering
            return self._lines.popleft()

    def _why(self) -> str:
        if self._over != "died":
            return self._over
        try:
            code = self._process.wait(0.2)
        except subprocess.TimeoutExpired:
            return "hung up"
        return f"died with code {code}"

    def tell(self, line: str, deadline: float) -> None:
        data = memoryview((line + "\n").encode())
        while data:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Forfeit("does not listen")
            _, ready, _ = select.select([], [self._to], [], left)
            if not ready:
                continue
            try:
                data = data[os.write(self._to, data) :]
            except BlockingIOError:
                continue
            except OSError:
                raise Forfeit(self._why() if self._over else "hung up") from None

    def close(self) -> None:
        with suppress(Forfeit):
            self.tell("quit", time.monotonic() + 0.2)
        try:
            self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(1)
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()
