"""The keeper of one program: starts it, watches it, and kills it with all its descendants.

A small process of its own between the referee and the program. As child subreaper it inherits whatever the program
leaves behind, however detached, so the program's process tree is exactly what descends from here. When the referee
orders it, or dies, nothing of that tree remains. It is started as a file, with `-I -S`, and imports nothing of damas.
Only Linux has subreapers; elsewhere it kills the program's process group.

It speaks JSON lines over the descriptor it is given. The first line is the order:
    {"argv", "env", "cwd", "confine": {...} | null, "confiner": PATH, "memory": bytes | null, "processes": n | null,
     "nice": n, "stage": PATH | null, "hidden": [words] | null, "silent": bool,
     "group": {"parent": PATH, "name": TEXT, "files": {name: text}} | null}
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
from collections.abc import Iterable
from typing import Any, NamedTuple, NoReturn

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
FREE_FILES = 128 << 20
"""Bytes of mapped files that are not charged: an interpreter and its libraries, which all bots share."""
SLOW_TABLES = 16 << 20
"""Bytes of page tables from which on it takes milliseconds to walk them."""
TICKS = os.sysconf("SC_CLK_TCK")
"""Units of processor time per second in /proc."""


def module_at(path: str) -> Any:
    """Imports a module by its path: nothing of damas is on the keeper's own."""
    spec = importlib.util.spec_from_file_location("module", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NICENESS = module_at(os.path.join(os.path.dirname(os.path.abspath(__file__)), "niceness.py"))  # noqa: PTH100, PTH118, PTH120
"""Shares of sessions in the processors."""


def prctl(option: int, value: int) -> None:
    """Sets an option of this process, on Linux."""
    if LINUX:
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


class Group:
    """A control group (cgroup v2) of the program's own, in which the kernel counts for us."""

    def __init__(self, wanted: dict[str, Any]) -> None:
        self._path = f"{wanted['parent']}/{wanted['name']}{os.getpid()}"
        os.mkdir(self._path)  # noqa: PTH102
        try:
            for name, text in wanted["files"].items():
                if name != "memory.swap.max" or os.path.exists(f"{self._path}/{name}"):  # noqa: PTH110
                    self._write(name, text)  # a kernel without swap has no such file
        except OSError:
            self.remove()
            raise

    def _write(self, name: str, text: str) -> None:
        fd = os.open(f"{self._path}/{name}", os.O_WRONLY)
        try:
            os.write(fd, text.encode())
        finally:
            os.close(fd)

    def join(self) -> None:
        """Moves this process into it; its children will be in it too."""
        self._write("cgroup.procs", "0")

    def overflow(self) -> int:
        """Bytes that the program had when the kernel killed it for them; 0 if it did not."""
        try:
            with open(f"{self._path}/memory.events", "rb") as file:  # noqa: PTH123
                events = dict(line.split() for line in file)
            if not int(events.get(b"oom_kill", 0)):
                return 0
            with open(f"{self._path}/memory.max", "rb") as file:  # noqa: PTH123
                return int(file.read())
        except (OSError, ValueError):
            return 0

    def kill(self) -> None:
        """Kills everybody in it at once, where the kernel can (5.14)."""
        with contextlib.suppress(OSError):
            self._write("cgroup.kill", "1")

    def remove(self) -> None:
        """Removes it; the kernel may take a moment to forget the last process."""
        deadline = time.monotonic() + KILL_TIMEOUT_S
        while True:
            try:
                return os.rmdir(self._path)  # noqa: PTH106
            except FileNotFoundError:
                return None
            except OSError:
                if time.monotonic() > deadline:
                    return None
            time.sleep(0.001)


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


class Memory(NamedTuple):
    """Memory of some processes, in bytes."""

    own: int = 0
    """Private, shared and swapped pages: everything that is not a file."""
    files: int = 0
    """Pages of mapped files."""
    tables: int = 0
    """Page tables, which a program fills by touching one page here and one there."""

    @property
    def charged(self) -> int:
        """What counts against the limit: all but the pages that an interpreter and its libraries need."""
        return self.own + self.tables + max(0, self.files - FREE_FILES)


def fields_of(pid: int, name: str) -> dict[bytes, int]:
    """The sizes in a file of /proc/PID, in bytes; empty if the process is gone or the file is not for us."""
    sizes = {}
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:  # noqa: PTH123
            for line in file:
                words = line.split()
                if len(words) == 3 and words[2] == b"kB":
                    sizes[words[0]] = int(words[1]) * 1024
    except OSError:
        return {}
    return sizes


def resident(pid: int) -> Memory:
    """Memory of one process. Cheap, but what processes share is counted for each of them."""
    sizes = fields_of(pid, "status")
    own = sum(sizes.get(name, 0) for name in (b"RssAnon:", b"RssShmem:", b"VmSwap:"))
    return Memory(own, sizes.get(b"RssFile:", 0), sizes.get(b"VmPTE:", 0))


def proportional(pid: int, cheap: Memory) -> Memory:
    """Memory of one process with its part of what processes share. The kernel walks all its pages for it."""
    sizes = fields_of(pid, "smaps_rollup")
    if b"Pss:" not in sizes:
        return cheap
    files = sizes.get(b"Pss_File:", 0)
    return Memory(sizes[b"Pss:"] - files + sizes.get(b"SwapPss:", 0), files, cheap.tables)


def total(memories: Iterable[Memory]) -> Memory:
    """The sum of several processes."""
    return Memory(*map(sum, zip(Memory(), *memories, strict=True)))


def excess(tree: "Tree", limit: int, *, stopped: bool) -> int:
    """Bytes that the processes of a tree use together if they exceed the limit, otherwise 0.

    Cheap figures decide if they can. If they cannot, shared pages are counted once, and twice over: between vfork and
    exec a child has all pages of its parent, and they look like pages of its own. A program with large page tables,
    which take long to walk, is stopped meanwhile (`stopped`: it is so already).
    """
    used = 0
    for _ in range(2):
        cheap = {pid: resident(pid) for pid in tree.look()}
        upper = total(cheap.values())
        if upper.charged <= limit:
            return 0
        least = upper.tables + max(memory.own for memory in cheap.values())
        if least > limit:
            return least
        slow = upper.tables > SLOW_TABLES and not stopped
        if slow:
            stop_all(tree)
        used = total(proportional(pid, memory) for pid, memory in cheap.items()).charged
        if slow:
            send(tree.look(), signal.SIGCONT)
        if used <= limit:
            return 0
    return used


def computed(pids: set[int]) -> float:
    """Processor seconds of the tree, those of ended processes included."""
    own = os.times()
    total = sum(int(field) for pid in pids for field in stat_of(pid)[11:15])
    return total / TICKS + own.children_user + own.children_system


def start(order: dict[str, Any], group: Group | None) -> tuple[int, str]:
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
            if group:
                group.join()
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
    NICENESS.share_by_niceness()
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
        module_at(order["confiner"]).confine(order["confine"])
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


def stop_all(tree: Tree) -> set[int]:
    """Stops the program and all its descendants, those forked meanwhile too: a stopped process forks no more."""
    stopped: set[int] = set()
    while (fresh := tree.look(afresh=True) - stopped) or tree.unsure:
        send(fresh, signal.SIGSTOP)
        stopped |= fresh
    return stopped


def awake(pids: set[int]) -> bool:
    """Whether any of these processes is neither stopped nor dead."""
    return any(stat_of(pid)[:1] not in ([b"T"], [b"t"], [b"Z"], [b"X"], []) for pid in pids)


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


def watch(order: dict[str, Any], group: Group | None, pid: int, control: socket.socket, woken: int) -> None:
    """Returns when the referee orders to kill, or when it has reported that the program exceeds a limit."""
    tree, exited = Tree(), False
    after_turn: float | None = None  # processor seconds when its turn ended
    held = False
    memory, processes = order["memory"], order["processes"]
    watched = memory is not None or processes is not None or group is not None
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
            if group and (used := group.overflow()):
                return report(control, memory=used)
            if pid in ended and not exited:  # a later process may have its id
                exited = True
                report(control, exited=ended[pid])
        if not watched:
            continue
        if group and (used := group.overflow()):
            return report(control, memory=used)
        pids = tree.look()
        if processes is not None and len(pids) > processes:
            return report(control, processes=len(pids))
        if memory is not None and (used := excess(tree, memory, stopped=held)):
            return report(control, memory=used)
        if after_turn is not None and (
            awake(pids) if held else computed(pids) - after_turn > MAX_OUT_OF_TURN_S
        ):
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
    NICENESS.share_by_niceness()
    order = read_order(control)
    if order is None:
        return 0
    woken, wakes = os.pipe()  # the program does not inherit them
    os.set_blocking(woken, False)
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    began = time.monotonic()
    group = None
    try:
        group = Group(order["group"]) if order["group"] else None
        pid, failure = start(order, group)
    except OSError as error:  # no group, or no further process
        pid, failure = 0, f"{type(error).__name__}: {error}"
    discard_streams()  # the pipes are the program's alone
    if pid:
        report(control, started=pid)
        watch(order, group, pid, control, woken)
        began = time.monotonic()
    else:
        report(control, failed=failure)
    if group:
        group.kill()
    left = kill_all(Tree(), pid) if pid else 0
    if group:
        group.remove()
    if order["stage"]:
        import shutil  # slow to import, and nobody waits any more

        shutil.rmtree(order["stage"], ignore_errors=True)
    report(control, left=left, ms=round((time.monotonic() - began) * 1000))
    return 0


if __name__ == "__main__":
    sys.exit(main())
