"""The keeper of one program: starts it, watches it, and kills it with all its descendants.

A small process of its own between the referee and the program. As child subreaper it inherits whatever the program
leaves behind, however detached, so the program's process tree is exactly what descends from here. When the referee
orders it, or dies, nothing of that tree remains. It is started as a file, with `-I -S`, and imports nothing of damas.
Only Linux has subreapers; elsewhere it kills the program's process group.

It speaks JSON lines over the descriptor it is given. The first line is the order:
    {"argv", "env", "cwd", "confine": {...} | null, "confiner": PATH, "memory": bytes | null, "processes": n | null,
     "nice": n, "stage": PATH | null, "hidden": [words] | null, "silent": bool}
It reports {"started": pid} or {"failed": reason}, later {"exited": code}, {"memory": bytes}, {"processes": n}, and at
the end {"left": n, "ms": t}. The referee sends `t` when the program's turn begins, `w` when it is over, and `k`, or
closes the connection, when all is to be killed. A watched program that computes while it is not its turn takes the time
of its opponent and of other games: soon it is stopped until it is asked again.
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

WATCH_INTERVAL_S = 0.02
"""Time between two checks of the memory of the tree."""
MAX_OUT_OF_TURN_S = 0.03
"""Processor time that a program may use after its turn."""
KILL_TIMEOUT_S = 5.0
"""When the keeper stops killing and reports how many processes are left."""
LINUX = sys.platform == "linux"
"""Only Linux has /proc, subreapers and signals of death."""
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
"""Options of prctl."""
PAGE = os.sysconf("SC_PAGE_SIZE")
"""Bytes of a page of memory."""
TICKS = os.sysconf("SC_CLK_TCK")
"""Units of processor time per second in /proc."""


def prctl(option: int, value: int) -> None:
    """Sets an option of this process, on Linux."""
    if LINUX:
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


class Tree:
    """The processes that descend from this one.

    The kernel does not always list children, so every process is examined once: a new one either has a parent in the
    tree, or has lost it, and then this process is its parent.
    """

    def __init__(self) -> None:
        self._root = os.getpid()
        self._own: set[int] = set()
        self._others: set[int] = set()
        self.unsure = False
        """Whether the parent of a new process died during the scan: the next scan decides whose it is."""

    def look(self, *, afresh: bool = False) -> set[int]:
        """The descendants now; `afresh` examines every process again."""
        if afresh:
            self._own, self._others = set(), set()
        present = {int(name) for name in os.listdir("/proc") if name.isdecimal()}  # noqa: PTH208
        self._own &= present
        self._others &= present
        unknown = present - self._own - self._others - {self._root}
        parents = {pid: int(fields[1]) for pid in unknown if (fields := stat_of(pid))}
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


def stat_of(pid: int) -> list[bytes]:
    """State, parent … of a process; empty if it is gone."""
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
    """Bytes in memory, shared pages counted once: slower, and needed only if the other figure is too high."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/smaps_rollup", "rb") as file:  # noqa: PTH123
                lines = [line for line in file if line.startswith(b"Pss:")]
            total += int(lines[0].split()[1]) * 1024
        except (OSError, IndexError):
            total += resident({pid})
    return total


def computed(pids: set[int]) -> float:
    """Processor seconds of the tree, those of ended processes included."""
    own = os.times()
    total = sum(int(field) for pid in pids for field in stat_of(pid)[11:15])
    return total / TICKS + own.children_user + own.children_system


def start(order: dict[str, Any]) -> tuple[int, str]:
    """Returns the program's process id, or 0 and why it could not be started."""
    read_end, write_end = os.pipe()
    keeper = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read_end)
            os.setsid()
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != keeper:
                os._exit(1)
            begin(order, write_end)
        except BaseException as error:  # noqa: BLE001 (reported to the keeper, whatever it is)
            with contextlib.suppress(OSError):
                os.write(write_end, f"{type(error).__name__}: {error}"[:400].encode("utf-8", "replace"))
        finally:
            os._exit(127)
    os.close(write_end)
    failure = b""
    while chunk := os.read(read_end, 4096):
        failure += chunk
    os.close(read_end)
    return (0, failure.decode("utf-8", "replace")) if failure else (pid, "")


def begin(order: dict[str, Any], failure_pipe: int) -> NoReturn:
    """In the new process: gives up everything inherited but the pipe for a failure, then becomes the program."""
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
    if order["silent"]:
        discard_streams()
    first = 3
    if order["hidden"]:
        hide(order["hidden"])
        first = 4
    os.closerange(first, failure_pipe)
    os.closerange(failure_pipe + 1, os.sysconf("SC_OPEN_MAX"))
    if order["cwd"]:
        os.chdir(order["cwd"])
    if order["confine"] is not None:
        confiner(order["confiner"]).confine(order["confine"])
    os.execve(order["argv"][0], order["argv"], order["env"])


def discard_streams() -> None:
    """Replaces input, output and error output by nothing."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)


def hide(words: list[str]) -> None:
    """Passes arguments to bubblewrap by descriptor 3: its command line is visible in the box, and they name the host."""
    read, write = os.pipe()
    data = b"".join(word.encode() + b"\0" for word in words)
    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, max(len(data), 1 << 16))
    os.write(write, data)
    if read != 3:
        os.dup2(read, 3)
    os.set_inheritable(3, True)


def confiner(path: str) -> Any:
    """Imports the confiner by its path."""
    spec = importlib.util.spec_from_file_location("confine", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stop_all(tree: Tree) -> set[int]:
    """Stops the program and all its descendants, those forked meanwhile too: a stopped process forks no more."""
    stopped: set[int] = set()
    while (fresh := tree.look(afresh=True) - stopped) or tree.unsure:
        send(fresh, signal.SIGSTOP)
        stopped |= fresh
    return stopped


def kill_all(tree: Tree, leader: int) -> int:
    """Stops and kills all processes until none is left; returns how many are left if time runs out."""
    if not LINUX:
        return kill_group(leader)
    deadline = time.monotonic() + KILL_TIMEOUT_S
    while True:
        send(stop_all(tree), signal.SIGKILL)
        reap()
        left = {pid for pid in tree.look(afresh=True) if stat_of(pid)[:1] not in ([b"Z"], [])}
        if not (left or tree.unsure) or time.monotonic() > deadline:
            reap()
            return len(left)
        time.sleep(0.001)


def kill_group(leader: int) -> int:
    """Kills a process group; returns whether its leader is left."""
    deadline = time.monotonic() + KILL_TIMEOUT_S
    with contextlib.suppress(OSError):
        os.killpg(leader, signal.SIGKILL)
    while time.monotonic() < deadline:
        reap()
        try:
            os.kill(leader, 0)
        except OSError:
            return 0
        time.sleep(0.001)
    return 1


def send(pids: set[int], number: int) -> None:
    """Sends a signal to processes that may be gone."""
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


def reap() -> dict[int, int]:
    """Collects ended children: their exit codes by process id."""
    ended = {}
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            ended[pid] = os.waitstatus_to_exitcode(status)
    return ended


def read_order(control: socket.socket) -> dict[str, Any] | None:
    """Reads the order up to the end of its line and not a byte further: what follows is another message."""
    text = b""
    while not text.endswith(b"\n"):
        ahead = control.recv(1 << 16, socket.MSG_PEEK)
        if not ahead:
            return None
        line, newline, _ = ahead.partition(b"\n")
        text += control.recv(len(line + newline))
    order: dict[str, Any] = json.loads(text)
    return order


def watch(order: dict[str, Any], pid: int, control: socket.socket, woken: int) -> None:
    """Returns when the referee orders to kill, or when it has reported that the program exceeds a limit."""
    tree, exited = Tree(), False
    after_turn: float | None = None  # processor seconds when its turn ended
    held = False
    memory, processes = order["memory"], order["processes"]
    watched = memory is not None or processes is not None
    while True:
        timeout = WATCH_INTERVAL_S if watched else None
        ready, _, _ = select.select([control.fileno(), woken], [], [], timeout)
        if control.fileno() in ready:
            word = control.recv(64)[-1:]
            if word not in (b"t", b"w"):
                return None
            if held:
                send(tree.look(), signal.SIGCONT)
                held = False
            after_turn = computed(tree.look()) if word == b"w" and watched else None
        if woken in ready:
            os.read(woken, 4096)
            ended = reap()
            if pid in ended and not exited:  # a later process may have its id
                exited = True
                report(control, exited=ended[pid])
        if not watched:
            continue
        pids = tree.look()
        if processes is not None and len(pids) > processes:
            return report(control, processes=len(pids))
        if memory is not None and resident(pids) > memory and (used := proportional(pids)) > memory:
            return report(control, memory=used)
        if after_turn is not None and (held or computed(pids) - after_turn > MAX_OUT_OF_TURN_S):
            held = True
            stop_all(tree)


def report(control: socket.socket, **facts: object) -> None:
    """Sends facts to the referee, who may be gone."""
    with contextlib.suppress(OSError):
        control.sendall(json.dumps(facts).encode() + b"\n")


def main() -> int:
    """Reads the order, runs the program, and kills what is left."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)  # only the referee ends the keeper
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    order = read_order(control)
    if order is None:
        return 0
    woken, wakes = os.pipe()  # the program does not inherit them
    os.set_blocking(woken, False)
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    began = time.monotonic()
    pid, failure = start(order)
    discard_streams()  # the pipes are the program's alone
    if pid:
        report(control, started=pid)
        watch(order, pid, control, woken)
        began = time.monotonic()
    else:
        report(control, failed=failure)
    left = kill_all(Tree(), pid) if pid else 0
    if order["stage"]:
        import shutil  # slow to import, and nobody waits any more

        shutil.rmtree(order["stage"], ignore_errors=True)
    report(control, left=left, ms=round((time.monotonic() - began) * 1000))
    return 0


if __name__ == "__main__":
    sys.exit(main())
