"""Which containment there is on this machine, proved by running a canary in it, never by reading a version."""

import os
import shutil
import socket
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

from damas.arbiter import TimeControl
from damas.arena.box import landlock
from damas.arena.box.limits import BoxLimits
from damas.arena.players import Entrant
from damas.arena.remote.api import token_for
from damas.arena.verdicts import Fault
from damas.errors import NoContainment

ORDER = ("bubblewrap", "landlock")
"""The better first."""
CANARY = Path(__file__).with_name("canary.py")
SIGNALS = 6
"""The version of Landlock from which signals are kept in; before it only another user's are."""
PATIENCE = 10.0


def tier_for(entrant: Entrant, wanted: str = "auto") -> str:
    """The tier an entrant plays in; raises `NoContainment` where it may not play at all, and `RemoteTrouble` for one on
    a server where nobody has said by which token we go there.
    """
    if entrant.remote:
        token_for(entrant.remote[1])
        return "remote"
    if not entrant.runs_program:
        return "remote" if entrant.kind == "dxp" else "in-process"
    if sys.platform != "linux" and entrant.boxable:
        raise NoContainment(entrant.name, {sys.platform: "programs are run on Linux only"})
    if entrant.trusted and (wanted in ("auto", "none") or not entrant.boxable):
        return "none"
    if not entrant.boxable:
        raise NoContainment(entrant.name, {entrant.kind: "cannot be contained"})
    if wanted == "none":
        raise NoContainment(entrant.name, {"none": "for trusted programs only"})
    tried = {}
    for tier in ORDER if wanted == "auto" else (wanted,):
        why = missing(tier)
        if not why:
            return tier
        tried[tier] = why
    raise NoContainment(entrant.name, tried)


def tiers() -> dict[str, str]:
    """Each tier, and why it does not hold here; nothing if it does."""
    return {tier: missing(tier) for tier in ORDER}


@cache
def missing(tier: str) -> str:
    """Why a tier does not hold on this machine; an empty text if it does."""
    if sys.platform != "linux":
        return "only on Linux"
    if tier == "bubblewrap" and shutil.which("bwrap") is None:
        return "bwrap is not installed"
    if tier == "landlock":
        version = landlock.version()
        if not version:
            return "the kernel has no Landlock"
        if version < SIGNALS and os.geteuid() != 0:
            return f"Landlock {version} does not keep signals in"
    if tier not in ORDER:
        return "no such tier"
    try:
        return _sing(tier)
    except Fault as fault:
        return f"{fault.code} {fault.detail}"
    except OSError as why:
        return str(why)


def _sing(tier: str) -> str:
    """What the canary could do that it should not; nothing if it is contained."""
    from damas.arena.box.plan import launch_for
    from damas.arena.process.program import Program

    limits = BoxLimits()
    with (
        tempfile.TemporaryDirectory(prefix="damas-canary-") as place,
        socket.create_server(("127.0.0.1", 0)) as server,
    ):
        folder = Path(place)
        folder.chmod(0o777)
        secret = folder / "secret"
        secret.write_text("secret")
        secret.chmod(0o644)
        # A word that is a file would be taken for the program's own: these begin with a sign.
        words = [f"={secret}", f"={place}", str(server.getsockname()[1]), str(os.getpid())]
        command = [sys.executable, str(CANARY), *words]
        launch = launch_for(command, tier, limits, TimeControl.parse("1m"), 400)
        program = Program(launch, limits)
        try:
            program.begin_turn()
            line = program.ask(b"sing\n", time.monotonic() + PATIENCE).split()
        except Fault as fault:
            fault.detail += f" {program.stderr()[-300:].decode('utf-8', 'replace')}".rstrip()
            raise
        finally:
            program.close()
        if line[:1] != [b"contained"]:
            return f"the canary said {line!r}"
        return f"the canary could {b', '.join(line[1:]).decode()}" if line[1:] else ""
