"""Strangers' programs beside live games."""

import json
import os
import subprocess
import sys

import pytest

from damas.matches.box import tiers
from hostile.conftest import UnderAttack


@pytest.mark.soak
async def test_a_contest_of_spinners_leaves_the_players_their_time(under_attack: UnderAttack) -> None:
    """Both programs have all their processes, and the games beside them go on."""
    if all(tiers.tiers().values()):
        pytest.skip("not proved: no containment tier here")
    async with under_attack("spinning_bots") as attacker:
        await attacker.until("processes", times=28)


def test_a_contest_leaves_a_core_and_the_priority_to_the_server() -> None:
    code = (
        "import json, os; from damas.server.arena import child; child.yield_processors(); "
        "print(json.dumps([sorted(os.sched_getaffinity(0)), os.nice(0)]))"
    )
    cores = sorted(os.sched_getaffinity(0))
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(ended.stdout) == [cores[1:] or cores, min(19, os.nice(0) + 10)]
