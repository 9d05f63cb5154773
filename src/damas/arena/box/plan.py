"""How a program is launched in each tier: as the owner's, in bubblewrap, or under Landlock."""

import json
import os
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from damas.arbiter import TimeControl
from damas.arena.box import confine
from damas.arena.box.files import Files, files_of, stage
from damas.arena.box.limits import BoxLimits
from damas.arena.process.program import Launch

CLEAN = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONUNBUFFERED": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}
"""All that a program finds around it. Python's output is unbuffered, as a bot that forgets to flush hangs."""
NICE = 5
"""A stranger's program waits for the referee, never the other way round."""
STRANGERS = 0x70000000
"""Users of programs that root starts: one each, from a range that no system gives to anybody."""
BOT, CONFINER = "/bot", "/damas"
"""Where a program finds its own files in a box, and what confines it."""
STAGE, DAY = "damas-box-", 86_400
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def launch_for(
    command: list[str], tier: str, limits: BoxLimits, control: TimeControl, longest: int
) -> Launch:
    if tier == "none":
        return _trusted(command)
    root = os.geteuid() == 0
    files = files_of(command, stranger=root and tier == "landlock")
    folder = _stage() if root else None
    try:
        if folder:
            files = stage(files, folder)
        wanted = {
            "uid": None,
            "limits": _limits(limits, control, longest, virtual=files.virtual),
            "threads": limits.threads,
            "shared": not root and tier == "landlock",
            "landlock": None,
        }
        if root:
            wanted["uid"] = _stranger()
        build = _bubblewrap if tier == "bubblewrap" else _landlock
        return build(files, wanted, limits, folder)
    except BaseException:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _stage() -> Path:
    """A folder for the files of one program, by the number of the process that will see to it."""
    sweep()
    return Path(tempfile.mkdtemp(prefix=f"{STAGE}{os.getpid()}-"))


@cache
def sweep() -> None:
    """Takes away the folders of processes that were killed before a keeper had them to take care of. They are a day old:
    a process that cannot be seen from here, as in another container, may still need its own.
    """
    now = time.time()
    for place in Path(tempfile.gettempdir()).glob(f"{STAGE}*-*"):
        pid = place.name.removeprefix(STAGE).partition("-")[0]
        with suppress(OSError):
            old = now - place.stat().st_mtime > DAY
            if old and pid.isdecimal() and not Path(f"/proc/{pid}").exists():
                shutil.rmtree(place, ignore_errors=True)


def _trusted(command: list[str]) -> Launch:
    """The owner's own program: nothing confines it, and it still inherits nothing but where to find things."""
    program = shutil.which(command[0]) or command[0]
    env = CLEAN | {key: os.environ[key] for key in ("PATH", "HOME", "JAVA_HOME") if key in os.environ}
    return Launch([str(Path(program).absolute()), *command[1:]], env)


_started = 0


def _stranger() -> int:
    """A user number that no other program of this machine has now: by this process and how many it has started."""
    global _started  # noqa: PLW0603 (numbers must differ within a process)
    _started += 1
    return STRANGERS + (os.getpid() % (1 << 16) << 8) + _started % (1 << 8)


def _limits(limits: BoxLimits, control: TimeControl, longest: int, *, virtual: bool) -> dict[str, int]:
    """For each process. The watch of the whole tree stands above them."""
    bounds = {
        "CORE": 0,
        "FSIZE": limits.file_size,
        "NOFILE": limits.open_files,
        "MEMLOCK": 0,
        "MSGQUEUE": 0,
    }
    if not virtual:
        bounds["AS"] = 8 * limits.memory
    seconds = cpu_seconds(control, longest)
    if seconds is not None:
        bounds["CPU"] = seconds
    return bounds


def cpu_seconds(control: TimeControl, longest: int) -> int | None:
    """More than any honest program can use: all its time and all its opponent's, on every core, for the whole game.

    >>> cpu_seconds(TimeControl.parse("1s/move"), 400) >= 2 * 200
    True
    """
    if control.budget is None:
        return None
    moves = longest // 2 + 1
    whole = control.extra * moves + (0 if control.by_the_turn else control.budget)
    return 2 * (whole // 1000 + 1) * (os.cpu_count() or 1) + 30


def _landlock(files: Files, wanted: dict[str, Any], limits: BoxLimits, folder: Path | None) -> Launch:
    words = list(files.words)
    for place, path in files.own.items():
        words[place] = str(path)
    read = [*files.runtime, *(str(path) for path in files.own.values()), *DEVICES, "/proc/self"]
    wanted["landlock"] = {"read": read, "write": ["/dev/null"]}
    env = CLEAN | {"HOME": "/nonexistent"}
    return Launch(words, env, "/", wanted, limits.memory, limits.processes, NICE, folder)


def _bubblewrap(files: Files, wanted: dict[str, Any], limits: BoxLimits, folder: Path | None) -> Launch:
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise FileNotFoundError("bwrap")
    words, binds = list(files.words), []
    names: set[str] = set()
    for place, path in files.own.items():
        inside = f"{BOT}/{path.name}" if path.name not in names else f"{BOT}/{place}/{path.name}"
        names.add(path.name)
        binds.append((str(path), inside))
        words[place] = inside
    here = Path(confine.__file__).parent
    binds += [(str(here / name), f"{CONFINER}/{name}") for name in ("confine.py", "seccomp.py")]
    python = str(Path(sys.executable).resolve())
    runtime = tuple(dict.fromkeys((*files.runtime, *_interpreter(python))))
    env = CLEAN | {"HOME": "/tmp", "TMPDIR": "/tmp"}
    inner = json.dumps({"confine": wanted, "argv": words, "env": env})
    hidden = [*_namespaces(wanted["uid"]), *_mounts(runtime, binds, limits), "--chdir", BOT]
    argv = [bwrap, "--args", "3", "--", python, "-I", "-S", f"{CONFINER}/confine.py", inner]
    # Two more processes than the program's own: bubblewrap, and the first one of its namespace.
    return Launch(argv, env, "/", None, limits.memory, limits.processes + 2, NICE, folder, hidden)


def _namespaces(uid: int | None) -> list[str]:
    own = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    own += ["--die-with-parent", "--new-session", "--hostname", "box"]
    if uid is None:
        return [*own, "--unshare-user"]
    # Root enters the box as root, for only so can every file be mounted, and leaves that user inside it.
    return [*own, "--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]


def _interpreter(python: str) -> list[str]:
    """What the confiner itself runs on."""
    return [] if Path(python).is_relative_to("/usr") else [sys.base_prefix]


def _mounts(runtime: tuple[str, ...], binds: list[tuple[str, str]], limits: BoxLimits) -> list[str]:
    """A root of its own that cannot be written, and one folder that can, of a size."""
    # First, as what is shown may itself lie below it.
    out: list[str] = ["--size", str(limits.disk), "--perms", "1777", "--tmpfs", "/tmp"]
    made: set[str] = {"/tmp"}

    def parents(inside: str) -> None:
        """Folders on the way that anybody may pass: the host's may be closed."""
        for parent in reversed(Path(inside).parents):
            name = str(parent)
            if name not in made and name != "/" and not any(Path(name).is_relative_to(p) for p in shown):
                out.extend(("--perms", "0755", "--dir", name))
            made.add(name)

    shown: list[str] = []
    for place in sorted(runtime):
        path = Path(place)
        parents(place)
        if path.is_symlink() and len(path.parents) == 1:
            out += ["--symlink", str(path.readlink()), place]
        else:
            out += ["--ro-bind", place, place]
        shown.append(place)
    for outside, inside in binds:
        parents(inside)
        out += ["--ro-bind", outside, inside]
    out += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    return [*out, "--remount-ro", "/"]
