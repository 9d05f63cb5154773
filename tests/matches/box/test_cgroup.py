"""Control groups: what is written where, on a folder that stands for the kernel's; and, where there is one, the kernel's.

A machine that gives us no group with memory, tasks and processors proves only the first part, and says so.
"""

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from damas.matches import Entrant
from damas.matches.box import cgroup, tiers
from damas.matches.box.limits import MIB, BoxLimits
from damas.matches.supervisor import keeper
from damas.matches.supervisor.program import Launch, Program
from matches.conftest import Box, strain  # noqa: F401 (a fixture)

FILES = ("cgroup.procs", "cgroup.kill", "memory.max", "memory.oom.group", "pids.max", "cpu.weight")


@pytest.fixture
def group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A group that we are given, alone in it. As in the kernel's, a new group has its files, and goes with them."""
    (tmp_path / "cgroup.controllers").write_text("cpuset cpu io memory pids\n")
    (tmp_path / "cgroup.subtree_control").write_text("")
    (tmp_path / "cgroup.procs").write_text(f"{os.getpid()}\n")
    mkdir, rmdir = os.mkdir, os.rmdir

    def new(folder: str | Path, *rest: int) -> None:
        mkdir(folder, *rest)
        for name in FILES:
            (Path(folder) / name).write_text("")
        (Path(folder) / "memory.events").write_text("low 0\nmax 0\noom 0\noom_kill 0\noom_group_kill 0\n")

    def remove(folder: str | Path) -> None:
        for file in Path(folder).iterdir():
            file.unlink()
        rmdir(folder)

    monkeypatch.setattr(os, "mkdir", new)
    monkeypatch.setattr(os, "rmdir", remove)
    return tmp_path


def test_a_group_has_the_limits_of_its_program(group: Path) -> None:
    limits = BoxLimits(memory=100 * MIB, processes=4, threads=20)
    made = keeper.Group(cgroup.group_for(limits, group))  # type: ignore[arg-type]
    folder = group / f"{cgroup.PROGRAM}{os.getpid()}"
    made.join()
    written = {name: (folder / name).read_text() for name in FILES}
    assert written == {
        "cgroup.procs": "0",
        "cgroup.kill": "",
        "memory.max": str(100 * MIB),
        "memory.oom.group": "1",
        "pids.max": "24",
        "cpu.weight": "10",
    }
    assert made.overflow() == 0
    (folder / "memory.events").write_text("oom 1\noom_kill 3\n")
    assert made.overflow() == 100 * MIB
    made.kill()
    assert (folder / "cgroup.kill").read_text() == "1"
    made.remove()
    assert not folder.exists()
    made.remove()  # once more does no harm


def test_a_group_without_its_files_is_none(group: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A group in which the kernel does not count would limit nothing."""
    monkeypatch.setitem(globals(), "FILES", ("cgroup.procs", "pids.max"))
    with pytest.raises(FileNotFoundError):
        keeper.Group(cgroup.group_for(BoxLimits(), group))  # type: ignore[arg-type]
    assert list(group.glob(f"{cgroup.PROGRAM}*")) == []


def test_our_processes_make_room_before_a_group_is_divided(
    group: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = cgroup.write

    def kernel(file: Path, text: str) -> None:
        if file == group / "cgroup.subtree_control" and (group / "cgroup.procs").read_text().split():
            raise OSError(errno.EBUSY, "busy")
        if file == group / cgroup.MAIN / "cgroup.procs":
            left = [pid for pid in (group / "cgroup.procs").read_text().split() if pid != text]
            (group / "cgroup.procs").write_text("\n".join(left))
        write(file, text)

    monkeypatch.setattr(cgroup, "write", kernel)
    cgroup.prepare(group)
    assert (group / "cgroup.subtree_control").read_text() == "+memory +pids +cpu"
    assert (group / cgroup.MAIN / "cgroup.procs").read_text() == str(os.getpid())
    (group / "cgroup.subtree_control").write_text("cpu memory pids\n")
    cgroup.prepare(group)  # divided already
    assert (group / "cgroup.subtree_control").read_text() == "cpu memory pids\n"


def test_other_peoples_processes_are_left_where_they_are(
    group: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (group / "cgroup.procs").write_text(f"{os.getpid()}\n{os.getppid()}\n")

    def kernel(file: Path, text: str) -> None:
        raise OSError(errno.EBUSY, "busy")

    monkeypatch.setattr(cgroup, "write", kernel)
    with pytest.raises(OSError, match="other processes"):
        cgroup.prepare(group)
    assert not (group / cgroup.MAIN).exists()


def test_what_a_killed_keeper_leaves_is_removed(group: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    for pid in (ended.pid, os.getpid()):
        (group / f"{cgroup.PROGRAM}{pid}").mkdir()
    cgroup.sweep(group)
    assert [folder.name for folder in group.glob(f"{cgroup.PROGRAM}*")] == [f"{cgroup.PROGRAM}{os.getpid()}"]


@pytest.mark.parametrize(
    ("controllers", "reason"), [("cpuset io\n", "no memory, pids, cpu"), (None, "No such file")]
)
def test_a_system_without_them_keeps_the_strict_default(
    group: Path, monkeypatch: pytest.MonkeyPatch, controllers: str | None, reason: str
) -> None:
    (group / "cgroup.controllers").unlink()
    if controllers:
        (group / "cgroup.controllers").write_text(controllers)
    monkeypatch.setenv(cgroup.VARIABLE, str(group))
    parent, why = cgroup.usable.__wrapped__()
    assert parent is None and reason in why


def test_the_record_names_the_tier_with_its_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("")
    entrant = Entrant.parse(str(bot))
    monkeypatch.setattr(tiers, "missing", lambda _: "")
    monkeypatch.setattr(cgroup, "usable", lambda: (tmp_path, ""))
    assert tiers.tier_for(entrant) == "bubblewrap+cgroup"
    assert tiers.tier_for(entrant, "landlock+cgroup") == "landlock+cgroup"
    assert tiers.tier_for(entrant, "landlock") == "landlock"
    monkeypatch.setattr(cgroup, "usable", lambda: (None, "none"))
    assert tiers.tier_for(entrant) == "bubblewrap"


# With a kernel


def test_a_program_lives_and_dies_in_a_group() -> None:
    """On any cgroup v2 that we may write, whether it counts anything or not."""
    try:
        parent = cgroup.own_group()
    except OSError as error:
        pytest.skip(f"not proved: {error}")
    if not os.access(parent / "cgroup.procs", os.W_OK) or not os.access(parent, os.W_OK):
        pytest.skip(f"not proved: {parent} cannot be written")
    code = (
        "import os, sys, time\nsys.stdin.readline()\nfor _ in range(3):\n    if os.fork() == 0:\n"
        "        os.setsid()\n        time.sleep(60)\n"
        "print(open('/proc/self/cgroup').read().split('0::')[1].split()[0], flush=True)\ntime.sleep(60)\n"
    )
    wanted = {"parent": str(parent), "name": cgroup.PROGRAM, "files": {}}
    program = Program(Launch([sys.executable, "-c", code], {}, group=wanted), BoxLimits())
    try:
        path = program.ask(b"go\n", time.monotonic() + 60).decode()
        [folder] = [folder for folder in parent.glob(f"{cgroup.PROGRAM}*") if path.endswith(folder.name)]
        assert len((folder / "cgroup.procs").read_text().split()) == 4
    finally:
        program.close()
    assert program.left == 0 and not folder.exists()


GREEDY = {
    "one that grows": "def attack():\n    held = []\n    while True: held.append(bytearray(b'x' * (1 << 20)))\n",
    "children that grow": """
def attack():
    for _ in range(6):
        if os.fork() == 0:
            held = bytearray(b"x") * (60 << 20)
            time.sleep(60)
    time.sleep(60)
""",
}


@pytest.mark.parametrize("tier", tiers.ORDER)
@pytest.mark.parametrize("body", GREEDY.values(), ids=GREEDY)
def test_the_kernel_counts_memory(tier: str, body: str, tmp_path: Path, strain) -> None:  # noqa: F811
    if why := tiers.missing(tier) or cgroup.usable()[1]:
        pytest.skip(f"not proved: {tier} with a control group: {why}")
    box = Box(tier + cgroup.SUFFIX, tmp_path, strain)
    assert box.run("def attack():\n    return 'control'\n").answer == "control"
    assert box.run(body, limits=BoxLimits(memory=96 * MIB)).verdict == "MEMORY"
    assert list(cgroup.own_group().glob(f"{cgroup.PROGRAM}{os.getpid()}*")) == []
