"""Another program that speaks Hub, as a player. It is never trusted: every answer has a deadline, and what it says is
kept only so far. One that dies, is late or plays what is not legal forfeits its game, with the reason.
"""

import os
import select
import shlex
import signal
import subprocess
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing.util import Finalize
from threading import Condition, Thread

from damas.engine.engine import Place, record_at
from damas.engine.hub import NORMAL, read_line, write_line
from damas.engine.limits import Limits
from damas.engine.match import Forfeit, NeverStarted
from damas.errors import DamasError, file_trouble
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
LONGEST_QUOTE = 200
"""Letters of what a program said that are told with its forfeit."""


class Child:
    """A program that was started, with whatever it starts in its turn: a wrapper does not outlive its match, nor does
    what it wraps.
    """

    def __init__(self, command: Sequence[str], *, stdin: int, stdout: int) -> None:
        try:
            self.process = subprocess.Popen(
                command,
                stdin=stdin,
                stdout=stdout,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise Forfeit("forfeit.not_started", {"why": file_trouble(error)}) from None
        # The terminal's Ctrl-C does not reach another session: whichever way this process ends, it ends them. A
        # process of a pool runs no `atexit`.
        self._kill = Finalize(self, _kill_group, args=(self.process.pid,), exitpriority=10)

    def end(self, patience: float = 0.0) -> None:
        """Gives it so many seconds to leave by itself. May be called twice."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(patience)
        self._kill()
        self.process.wait()


def _kill_group(leader: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # nobody is left, or only what nobody has waited for
        os.killpg(leader, signal.SIGKILL)


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
        program = self._running(record.rulebook)
        began = time.monotonic()
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
                if word == "error":
                    complaint = (said.get("message") or complaint)[:LONGEST_QUOTE]
            return _move_of(record, said.get("move") or "")
        except Forfeit as why:
            seconds = time.monotonic() - began  # before it is given time to leave
            self.close()
            key = "forfeit.after_saying" if complaint else "forfeit.after"
            raise Forfeit(key, {"why": why.saying, "seconds": seconds, "said": complaint}) from None

    def _running(self, book: Rulebook) -> "_Program":
        if self._program:
            return self._program
        if self._starts >= MOST_STARTS:
            raise Forfeit("forfeit.too_often")
        self._starts += 1
        try:
            program = self._started(book)
        except Forfeit as why:
            raise (why if self._met else NeverStarted(shlex.join(self.command), why.saying)) from None
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
        """Tells a running program; one that has died since its last game is started again when it is asked."""
        if self._program:
            try:
                self._program.tell("new-game", time.monotonic() + GREETING)
            except Forfeit:
                self.close()

    def close(self) -> None:
        if self._program:
            self._program.close()
            self._program = None


def _move_of(record: Record, said: str) -> Move:
    if not said:
        raise Forfeit("forfeit.no_move")
    try:
        return hub.read_move(record.position, said)
    except DamasError:
        raise Forfeit("forfeit.illegal", {"move": said[:LONGEST_QUOTE]}) from None


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
        self._child = Child(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._process = self._child.process
        assert self._process.stdin and self._process.stdout
        self._to, self._from = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._to, False)
        self._lines: deque[str] = deque(maxlen=MOST_LINES)
        self._news = Condition()
        self._over = False
        self._babbles = False
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        rest = b""
        while chunk := self._chunk():
            *lines, rest = (rest + chunk).split(b"\n")
            if max(map(len, (*lines, rest))) > LONGEST_LINE:
                self._babbles = True
                break
            with self._news:
                self._lines.extend(line.decode("utf-8", "replace").strip() for line in lines)
                self._news.notify_all()
        with self._news:
            self._over = True
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
                    raise self._end()
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Forfeit("forfeit.late")
                self._news.wait(left)
            if time.monotonic() > deadline:
                raise Forfeit("forfeit.late")  # however much it says: talking is not answering
            return self._lines.popleft()

    def _end(self) -> Forfeit:
        """Why it says nothing more."""
        if self._babbles:
            return Forfeit("forfeit.babbles")
        try:
            code = self._process.wait(0.2)
        except subprocess.TimeoutExpired:
            return Forfeit("forfeit.hung_up")
        return Forfeit("forfeit.died", {"code": code})

    def tell(self, line: str, deadline: float) -> None:
        data = memoryview((line + "\n").encode())
        while data:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Forfeit("forfeit.deaf")
            _, ready, _ = select.select([], [self._to], [], left)
            if not ready:
                continue
            try:
                data = data[os.write(self._to, data) :]
            except BlockingIOError:
                continue
            except OSError:
                raise (self._end() if self._over else Forfeit("forfeit.hung_up")) from None

    def close(self) -> None:
        with suppress(Forfeit):
            self.tell("quit", time.monotonic() + 0.2)
        self._child.end(0.5)
        self._reader.join(1)
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()
