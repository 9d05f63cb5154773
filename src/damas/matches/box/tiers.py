"""Which containment tiers hold on this machine: proved by running a test program in each, not by reading versions."""

import os
import shutil
import socket
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

from damas.arbiter import TimeControl
from damas.errors import NoContainment
from damas.matches.box import cgroup, landlock
from damas.matches.box.limits import BoxLimits
from damas.matches.entrant import Entrant
from damas.matches.faults import Fault
from damas.matches.remote.api import token_for
from damas.matches.remote.place import check_scheme
from damas.matches.supervisor.program import Program, unsupported

ORDER = ("bubblewrap", "landlock")
"""Best first."""
CANARY = Path(__file__).with_name("canary.py")
"""The test program."""
SIGNAL_SCOPE_VERSION = 6
"""The version of Landlock that contains signals; before it only the signals of another user are contained."""
CANARY_TIMEOUT_S = 10.0
"""How long the test program may take."""


def tier_for(entrant: Entrant, wanted: str = "auto") -> str:
    """The tier an entrant plays in; raises `NoContainment` if it may not play, and `RemoteTrouble` for a bot on a
    server that may not be called or for which there is no token.
    """
    if entrant.remote:
        check_scheme(entrant.remote[1], own=entrant.trusted)
        token_for(entrant.remote[1])
        return "remote"
    if not entrant.runs_program:
        return "remote" if entrant.kind == "dxp" else "in-process"
    if reason := unsupported():
        raise NoContainment(entrant.name, {sys.platform: reason})
    if entrant.trusted and (wanted in ("auto", "none") or not entrant.boxable):
        return "none"
    if sys.platform != "linux":
        raise NoContainment(entrant.name, {sys.platform: "only Linux contains programs"})
    if not entrant.boxable:
        raise NoContainment(entrant.name, {entrant.kind: "cannot be contained"})
    if wanted == "none":
        raise NoContainment(entrant.name, {"none": "for trusted programs only"})
    failures = {}
    grouped = wanted == "auto" or wanted.endswith(cgroup.SUFFIX)
    for tier in ORDER if wanted == "auto" else (wanted.removesuffix(cgroup.SUFFIX),):
        reason = missing(tier)
        if not reason:
            return tier + cgroup.SUFFIX if grouped and cgroup.usable()[0] else tier
        failures[tier] = reason
    raise NoContainment(entrant.name, failures)


def tiers() -> dict[str, str]:
    """Each tier, and why it does not hold on this machine; an empty text if it does."""
    cgroup.usable()  # our processes make room before any of them starts a program
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
        if version < SIGNAL_SCOPE_VERSION and os.geteuid() != 0:
            return f"Landlock {version} does not keep signals in"
    if tier not in ORDER:
        return "no such tier"
    try:
        return _test_tier(tier)
    except Fault as fault:
        return f"{fault.code} {fault.detail}"
    except OSError as error:
        return str(error)


def _test_tier(tier: str) -> str:
    """What the test program could do that it must not; empty if it is contained."""
    from damas.matches.box.plan import launch_for

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
        # An argument that names a file would be given to the program: a sign in front prevents it.
        words = [f"={secret}", f"={place}", str(server.getsockname()[1]), str(os.getpid())]
        command = [sys.executable, str(CANARY), *words]
        launch = launch_for(command, tier, limits, TimeControl.parse("1m"), 400)
        program = Program(launch, limits)
        try:
            program.begin_turn()
            line = program.ask(b"sing\n", time.monotonic() + CANARY_TIMEOUT_S).split()
        except Fault as fault:
            fault.detail += f" {program.stderr()[-300:].decode('utf-8', 'replace')}".rstrip()
            raise
        finally:
            program.close()
        if line[:1] != [b"contained"]:
            return f"the canary wrote {line!r}"
        return f"the canary could {b', '.join(line[1:]).decode()}" if line[1:] else ""
