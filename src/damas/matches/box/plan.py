"""How a program is launched in each tier: trusted, in bubblewrap, or under Landlock."""

import json
import os
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from damas.arbiter import TimeControl
from damas.matches.box import cgroup, confine
from damas.matches.box.files import Files, files_of, stage
from damas.matches.box.limits import BoxLimits
from damas.matches.remote import TOKEN
from damas.matches.supervisor.program import Launch

CLEAN = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONUNBUFFERED": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}
"""The environment of a program. Python's output is unbuffered: a bot that forgets to flush would hang."""
NICE = 5
"""The referee has priority over programs."""
FIRST_UID = 0x70000000
"""Programs that root starts have a user each, from here on, where no system has users of its own."""
BOT, CONFINER = "/bot", "/damas"
"""Folders in a box: of the program's own files, and of the confiner."""
STAGE_PREFIX, DAY_S = "damas-box-", 86_400
"""How the folders of copied programs begin, and the seconds after which a forgotten one is deleted."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
"""Devices that a program under Landlock may read."""


def launch_for(
    command: list[str],
    tier: str,
    limits: BoxLimits,
    control: TimeControl,
    max_plies: int,
    *,
    runtime: tuple[str, ...] = (),
) -> Launch:
    """The launch of a command in a tier; the control and the length of a game bound its processor time. `runtime` has
    further folders of the system that it may read.
    """
    if tier == "none":
        return trusted_launch(command)
    tier, grouped, _ = tier.partition(cgroup.SUFFIX)
    root = os.geteuid() == 0
    files = files_of(command, stranger=root and tier == "landlock")
    files = replace(files, runtime=tuple(dict.fromkeys((*files.runtime, *runtime))))
    folder = _stage() if root else None
    try:
        if folder:
            files = stage(files, folder)
        wanted = {
            "uid": _new_uid() if root else None,
            "limits": _limits(limits, control, max_plies, virtual=files.virtual),
            "threads": limits.threads,
            "shared": not root and tier == "landlock",
            "landlock": None,
        }
        build = _bubblewrap if tier == "bubblewrap" else _landlock
        launch = build(files, wanted, limits, folder)
        parent = cgroup.usable()[0] if grouped else None
        return replace(launch, group=cgroup.group_for(limits, parent)) if parent else launch
    except BaseException:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _stage() -> Path:
    """A new folder for the files of one program, named after this process."""
    sweep()
    return Path(tempfile.mkdtemp(prefix=f"{STAGE_PREFIX}{os.getpid()}-"))


@cache
def sweep() -> None:
    """Deletes the folders of processes that were killed before a keeper took them over. Only those a day old: a process
    that cannot be seen from here, as in another container, may still need its own.
    """
    now = time.time()
    for place in Path(tempfile.gettempdir()).glob(f"{STAGE_PREFIX}*-*"):
        pid = place.name.removeprefix(STAGE_PREFIX).partition("-")[0]
        with suppress(OSError):
            old = now - place.stat().st_mtime > DAY_S
            if old and pid.isdecimal() and not Path(f"/proc/{pid}").exists():
                shutil.rmtree(place, ignore_errors=True)


def program_in(folder: str | Path | None, word: str) -> str | None:
    """The program that the first word of a command names in the folder where it runs; None if there is none.

    >>> program_in("/bin", "./sh"), program_in("/bin", "./no-such-program")
    ('/bin/sh', None)
    """
    return shutil.which(str(Path(folder or ".").absolute() / word) if "/" in word else word)


def trusted_launch(
    command: list[str], *, silent: bool = False, inherit: bool = False, cwd: str | Path | None = None
) -> Launch:
    """The owner's own program: nothing confines it. Of the environment it gets only where to find things, or with
    `inherit` all of it but our own token. It runs in the folder `cwd`, or in ours.
    """
    program = program_in(cwd, command[0]) or command[0]
    names = (key for key in os.environ if key != TOKEN) if inherit else ("PATH", "HOME", "JAVA_HOME")
    env = CLEAN | {key: os.environ[key] for key in names if key in os.environ}
    folder = None if cwd is None else str(Path(cwd).absolute())
    return Launch([str(Path(program).absolute()), *command[1:]], env, folder, silent=silent)


_started = 0


def _new_uid() -> int:
    """A user id that no other program has now: made of the id of this process and a count."""
    global _started  # noqa: PLW0603 (numbers must differ within a process)
    _started += 1
    return FIRST_UID + (os.getpid() % (1 << 16) << 8) + _started % (1 << 8)


def _limits(limits: BoxLimits, control: TimeControl, max_plies: int, *, virtual: bool) -> dict[str, int]:
    """Resource limits of each process; the keeper watches the whole tree besides."""
    bounds = {
        "CORE": 0,
        "FSIZE": limits.file_size,
        "NOFILE": limits.open_files,
        "MEMLOCK": 0,
        "MSGQUEUE": 0,
    }
    if not virtual:
        bounds["AS"] = 8 * limits.memory
    if (seconds := cpu_seconds(control, max_plies)) is not None:
        bounds["CPU"] = seconds
    return bounds


def cpu_seconds(control: TimeControl, max_plies: int) -> int | None:
    """Processor seconds no honest program needs: its own time and its opponent's, on every core, for the whole game.

    >>> cpu_seconds(TimeControl.parse("1s/move"), 400) >= 2 * 200
    True
    """
    if control.budget is None:
        return None
    moves = max_plies // 2 + 1
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
    confiner_runtime = () if Path(python).is_relative_to("/usr") else (sys.base_prefix,)
    runtime = tuple(dict.fromkeys((*files.runtime, *confiner_runtime)))
    env = CLEAN | {"HOME": "/tmp", "TMPDIR": "/tmp"}
    inner = json.dumps({"confine": wanted, "argv": words, "env": env})
    hidden = [*_namespaces(wanted["uid"]), *_mounts(runtime, binds, limits), "--chdir", BOT]
    argv = [bwrap, "--args", "3", "--", python, "-I", "-S", f"{CONFINER}/confine.py", inner]
    # Two more processes than the program's own: bubblewrap, and the first one of its namespace.
    return Launch(argv, env, "/", None, limits.memory, limits.processes + 2, NICE, folder, hidden)


def _namespaces(uid: int | None) -> list[str]:
    own = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    # It has a session of its own already, in which it stays (--new-session would give it a larger share of the processors).
    own += ["--die-with-parent", "--hostname", "box"]
    if uid is None:
        return [*own, "--unshare-user"]
    # Root enters the box as root, because every file must be mounted, and changes its user inside.
    return [*own, "--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]


def _mounts(runtime: tuple[str, ...], binds: list[tuple[str, str]], limits: BoxLimits) -> list[str]:
    """A read-only root, and one folder of limited size that can be written."""
    # First, because files of the program may lie below it.
    out: list[str] = ["--size", str(limits.disk), "--perms", "1777", "--tmpfs", "/tmp"]
    made: set[str] = {"/tmp"}

    def parents(inside: str) -> None:
        """Makes the folders above with open permissions: those of the host may be closed."""
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
    out += ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    return [*out, "--remount-ro", "/"]
