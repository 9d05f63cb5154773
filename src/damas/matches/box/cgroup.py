"""Control groups (cgroup v2): memory, tasks and processor time of a program, counted by the kernel itself.

They are added to a tier wherever the system gives us a group to divide: to root, in a service or scope with delegation,
in a container that may write its own groups, or in the folder named by `DAMAS_CGROUP`. Without them the keeper's watch
over the program is the limit, as in every tier.
"""

import errno
import os
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from damas.matches.box.limits import MIB, BoxLimits
from damas.matches.faults import Fault

SUFFIX = "+cgroup"
"""What is added to the name of a tier in force with a control group."""
VARIABLE = "DAMAS_CGROUP"
"""The environment variable that names a group of cgroup v2 which we may divide."""
CONTROLLERS = ("memory", "pids", "cpu")
"""What the kernel must count for us."""
MAIN = "damas-main"
"""Our own processes move into this group: one that is divided may hold none itself."""
PROGRAM = "damas-program-"
"""How the groups of programs begin; the keeper adds its process id."""
WEIGHT = 10
"""Share of a program in the processors, where any other group has 100."""
CANARY_MEMORY, CANARY_TIMEOUT_S = 64 * MIB, 10.0
"""The test program must be killed when it takes more memory, and has so long to do it."""
CANARY = "held = bytearray(b'x') * (256 << 20); import sys; sys.stdin.readline(); print('alive', flush=True)"
"""A program that takes more than it may."""


def group_for(limits: BoxLimits, parent: Path) -> dict[str, object]:
    """What the keeper needs: where it makes the group, and what it writes into its files."""
    files = {
        "memory.max": str(limits.memory),
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "pids.max": str(limits.threads + limits.processes),
        "cpu.weight": str(WEIGHT),
    }
    return {"parent": str(parent), "name": PROGRAM, "files": files}


def own_group() -> Path:
    """The group we may divide, if the system lets us; raises `OSError` where there is no cgroup v2."""
    if given := os.environ.get(VARIABLE):
        return Path(given)
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    path = next((line[3:] for line in lines if line.startswith("0::")), None)
    mount = mount_point(Path("/proc/self/mountinfo").read_text())
    if path is None or mount is None:
        raise OSError(errno.ENOENT, "no cgroup v2")
    group = Path(mount) / path.lstrip("/")
    return group.parent if group.name == MAIN else group


def mount_point(mountinfo: str) -> str | None:
    """Where cgroup v2 is mounted.

    >>> mount_point("30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate")
    '/sys/fs/cgroup'
    """
    for line in mountinfo.splitlines():
        before, _, after = line.partition(" - ")
        if after.startswith("cgroup2 "):
            return before.split()[4]
    return None


def prepare(group: Path) -> None:
    """Makes a group ready to be divided; raises `OSError` if the system does not let us."""
    offered = (group / "cgroup.controllers").read_text().split()
    if lacking := [name for name in CONTROLLERS if name not in offered]:
        raise OSError(errno.ENOTSUP, f"no {', '.join(lacking)} in {group}")
    if set(CONTROLLERS) <= set((group / "cgroup.subtree_control").read_text().split()):
        return
    wanted = " ".join(f"+{name}" for name in CONTROLLERS)
    try:
        write(group / "cgroup.subtree_control", wanted)
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        _move_away(group)
        write(group / "cgroup.subtree_control", wanted)


def _move_away(group: Path) -> None:
    """Moves our processes out of a group that is to be divided; raises `OSError` if others' are in it."""
    pids = {int(word) for word in (group / "cgroup.procs").read_text().split()}
    if not all(_is_ours(pid) for pid in pids):
        raise OSError(errno.EBUSY, f"other processes are in {group}")
    (group / MAIN).mkdir(exist_ok=True)
    for pid in pids:
        with suppress(ProcessLookupError):
            write(group / MAIN / "cgroup.procs", str(pid))


def _is_ours(pid: int) -> bool:
    """Whether a process is this one or descends from it."""
    while pid > 1 and pid != os.getpid():
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[1])
        except OSError:
            return True  # it has just ended
    return pid == os.getpid()


def write(file: Path, text: str) -> None:
    """Writes a file of a group. The kernel answers at once or not at all, so nothing is buffered."""
    fd = os.open(file, os.O_WRONLY)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


def sweep(group: Path) -> None:
    """Removes the groups of programs whose keeper was killed; those of running ones cannot be removed."""
    for folder in group.glob(f"{PROGRAM}*"):
        if not Path(f"/proc/{folder.name.removeprefix(PROGRAM)}").exists():
            with suppress(OSError):
                write(folder / "cgroup.kill", "1")
            with suppress(OSError):
                folder.rmdir()


@cache
def usable() -> tuple[Path | None, str]:
    """The group that programs' groups are made in; or None, and why there is none. A test program is run to find out."""
    if sys.platform != "linux":
        return None, "only on Linux"
    try:
        group = own_group()
        prepare(group)
        sweep(group)
        return (None, reason) if (reason := _test(group)) else (group, "")
    except OSError as error:
        return None, error.strerror or str(error)
    except RuntimeError as error:  # the keeper was killed
        return None, str(error)[-300:]


def _test(parent: Path) -> str:
    """Why programs are not contained in a group of this one; empty if they are."""
    from damas.matches.supervisor.program import Launch, Program

    limits = BoxLimits(memory=CANARY_MEMORY)
    argv = [sys.executable, "-I", "-S", "-c", CANARY]
    program = Program(Launch(argv, {"PATH": os.defpath}, group=group_for(limits, parent)), limits)
    try:
        line = program.ask(b"sing\n", time.monotonic() + CANARY_TIMEOUT_S)
    except Fault as fault:
        return "" if fault.code == "MEMORY" else f"the canary ended with {fault.code} {fault.detail}"
    finally:
        program.close()
    return f"the canary could take 256 MiB: {line!r}"
