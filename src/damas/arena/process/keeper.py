"""The keeper of one program: starts it, watches it, and kills every process that came of it.

A small process of its own between the referee and the program. As child subreaper it inherits whatever the program
leaves behind, however detached, so the program's tree is exactly what descends from here. When the referee says so, or
dies, nothing of that tree remains. It is started as a file, with `-I -S`, and imports nothing of damas.

Talk over the descriptor it is given, JSON lines. First comes the order:
    {"argv", "env", "cwd", "confine": {...} | null, "confiner": PATH, "memory": bytes | null, "processes": n | null,
     "nice": n, "stage": PATH | null, "hidden": [words] | null}
then it says {"started": pid} or {"failed": why}, later {"exited": code}, {"memory": bytes}, {"processes": n}, and at the
very end {"left": n, "ms": t}. The referee says `t` when the program's turn begins, `w` when it is over, `k` or nothing
more when all is to be killed. A watched program that computes while it is not its turn takes the time of its opponent
and of other games: after a little of it, it is stopped until it is asked again.
"""

import contextlib
import ctypes
import fcntl
import importlib.util
import json
import os
import select
import signal
import socket
import sys
import time
from typing import Any, NoReturn

TICK = 0.02
"""Seconds between two looks at the memory of the tree."""
OUT_OF_TURN = 0.03
"""Seconds of computing that a program may have left over when its turn ends."""
KILLING = 5.0
"""Seconds after which the keeper stops killing and says how many are left."""
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")


def prctl(option: int, value: int) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


class Tree:
    """The processes that descend from this one.

    The kernel does not always list children, so all processes are looked at once each: whoever is new either has a
    parent in the tree, or has lost it and then has this process for a parent.
    """

    def __init__(self) -> None:
        self._root = os.getpid()
        self._own: set[int] = set()
        self._others: set[int] = set()
        self.unsure = False
        """Whether somebody was new whose parent died while we looked: the next look will tell whose it is."""

    def look(self, *, afresh: bool = False) -> set[int]:
        if afresh:
            self._own, self._others = set(), set()
        present = {int(name) for name in os.listdir("/proc") if name.isdecimal()}  # noqa: PTH208
        self._own &= present
        self._others &= present
        unknown = present - self._own - self._others - {self._root}
        parents = {pid: parent for pid in unknown if (parent := parent_of(pid)) is not None}
        grown = True
        while grown:
            grown = False
            for pid, parent in list(parents.items()):
                own = parent == self._root or parent in self._own
                if own or parent in self._others or parent not in present:  # 0, or one that is hidden from us
                    (self._own if own else self._others).add(pid)
                    del parents[pid]
                    grown = True
        self.unsure = bool(parents)
        return set(self._own)


def parent_of(pid: int) -> int | None:
    fields = stat_of(pid)
    return int(fields[1]) if fields else None


def stat_of(pid: int) -> list[bytes]:
    """State, parent … of a process; nothing if it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 (pathlib would double the start of a keeper)
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return []


def resident(pids: set[int]) -> int:
    """Bytes in memory, shared pages counted for each process."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/statm", "rb") as file:  # noqa: PTH123
                total += int(file.read().split()[1]) * PAGE
        except (OSError, IndexError):
            continue
    return total


def proportional(pids: set[int]) -> int:
    """Bytes in memory, shared pages counted once: dearer, and asked only where the other figure is too high."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/smaps_rollup", "rb") as file:  # noqa: PTH123
                found = [line for line in file if line.startswith(b"Pss:")]
            total += int(found[0].split()[1]) * 1024
        except (OSError, IndexError):
            total += resident({pid})
    return total


def computed(pids: set[int]) -> float:
    """Seconds that the tree has computed, those of its dead included."""
    own = os.times()
    total = 0
    for pid in pids:
        fields = stat_of(pid)
        total += sum(int(field) for field in fields[11:15])
    return total / TICKS + own.children_user + own.children_system


def start(order: dict[str, Any]) -> tuple[int, str]:
    """The program's process id, or 0 and why it could not be started."""
    heard, told = os.pipe()
    keeper = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(heard)
            os.setsid()
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != keeper:
                os._exit(1)
            begin(order, told)
        except BaseException as why:  # noqa: BLE001 (told to the keeper, whatever it is)
            with contextlib.suppress(OSError):
                os.write(told, f"{type(why).__name__}: {why}"[:400].encode("utf-8", "replace"))
        finally:
            os._exit(127)
    os.close(told)
    said = b""
    while chunk := os.read(heard, 4096):
        said += chunk
    os.close(heard)
    return (0, said.decode("utf-8", "replace")) if said else (pid, "")


def begin(order: dict[str, Any], told: int) -> NoReturn:
    """In the new process: everything inherited is given up, then the program is put in this one's place."""
    for number in range(1, signal.NSIG):
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    with contextlib.suppress(OSError):
        os.nice(order.get("nice", 0))
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:  # noqa: PTH123
        file.write("1000")
    os.umask(0o077)
    first = 3
    if order["hidden"]:
        hide(order["hidden"])
        first = 4
    os.closerange(first, told)
    os.closerange(told + 1, os.sysconf("SC_OPEN_MAX"))
    if order["cwd"]:
        os.chdir(order["cwd"])
    if order["confine"] is not None:
        confiner(order["confiner"]).confine(order["confine"])
    os.execve(order["argv"][0], order["argv"], order["env"])


def hide(words: list[str]) -> None:
    """Words that bubblewrap reads from descriptor 3: its command line can be seen in the box, and they name the host."""
    read, write = os.pipe()
    data = b"".join(word.encode() + b"\0" for word in words)
    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, max(len(data), 1 << 16))
    os.write(write, data)
    if read != 3:
        os.dup2(read, 3)
    os.set_inheritable(3, True)


def confiner(path: str) -> Any:
    spec = importlib.util.spec_from_file_location("confine", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stop_all(tree: Tree) -> set[int]:
    """Everybody, and whoever they begot meanwhile: one that is stopped begets no more."""
    stopped: set[int] = set()
    while (fresh := tree.look(afresh=True) - stopped) or tree.unsure:
        send(fresh, signal.SIGSTOP)
        stopped |= fresh
    return stopped


def kill_all(tree: Tree) -> int:
    """Stops all, kills all, and again, until none is left; how many are, if time runs out."""
    deadline = time.monotonic() + KILLING
    while True:
        send(stop_all(tree), signal.SIGKILL)
        reap()
        left = {pid for pid in tree.look(afresh=True) if stat_of(pid)[:1] not in ([b"Z"], [])}
        if not (left or tree.unsure) or time.monotonic() > deadline:
            reap()
            return len(left)
        time.sleep(0.001)


def send(pids: set[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


def reap() -> dict[int, int]:
    """Who has ended, and how."""
    ended = {}
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            ended[pid] = os.waitstatus_to_exitcode(status)
    return ended


def read_order(control: socket.socket) -> dict[str, Any] | None:
    """Up to the end of its line and not a byte further: the next is a word of its own."""
    text = b""
    while not text.endswith(b"\n"):
        ahead = control.recv(1 << 16, socket.MSG_PEEK)
        if not ahead:
            return None
        line, newline, _ = ahead.partition(b"\n")
        text += control.recv(len(line + newline))
    order: dict[str, Any] = json.loads(text)
    return order


def watch(order: dict[str, Any], pid: int, control: socket.socket, woken: int) -> str | None:
    """Until the referee says kill, or the program breaks a bound: then what it said about it."""
    tree, exited = Tree(), False
    waiting: float | None = None  # what it had computed when its turn ended
    held = False
    memory, processes = order["memory"], order["processes"]
    watched = memory is not None or processes is not None
    while True:
        timeout = TICK if watched else None
        ready, _, _ = select.select([control.fileno(), woken], [], [], timeout)
        if control.fileno() in ready:
            word = control.recv(64)[-1:]
            if word not in (b"t", b"w"):
                return None
            if held:
                send(tree.look(), signal.SIGCONT)
                held = False
            waiting = computed(tree.look()) if word == b"w" and watched else None
        if woken in ready:
            os.read(woken, 4096)
            ended = reap()
            if pid in ended and not exited:
                exited = True
                say(control, exited=ended[pid])
        if not watched:
            continue
        pids = tree.look()
        if processes is not None and len(pids) > processes:
            return json.dumps({"processes": len(pids)})
        if memory is not None and resident(pids) > memory and (used := proportional(pids)) > memory:
            return json.dumps({"memory": used})
        if waiting is not None and (held or computed(pids) - waiting > OUT_OF_TURN):
            held = True
            stop_all(tree)


def say(control: socket.socket, **said: object) -> None:
    with contextlib.suppress(OSError):
        control.sendall(json.dumps(said).encode() + b"\n")


def main() -> int:
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)  # only the referee ends a keeper
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    order = read_order(control)
    if order is None:
        return 0
    woken, wakes = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    began = time.monotonic()
    pid, why = start(order)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)  # the pipes are the program's alone
    if pid:
        say(control, started=pid)
        broken = watch(order, pid, control, woken)
        began = time.monotonic()
        if broken:
            with contextlib.suppress(OSError):
                control.sendall(broken.encode() + b"\n")
    else:
        say(control, failed=why)
    left = kill_all(Tree())
    if order["stage"]:
        import shutil  # slow to load, and nobody waits any more

        shutil.rmtree(order["stage"], ignore_errors=True)
    say(control, left=left, ms=round((time.monotonic() - began) * 1000))
    return 0


if __name__ == "__main__":
    sys.exit(main())
