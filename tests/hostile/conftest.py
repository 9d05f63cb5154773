"""A server as `damas serve` starts it, games that are played on it, and attacks beside them.

Nothing here is timed: machines are busy. The judges are facts: what the attacker got, that honest players finished
their moves and were denied nothing, and how much memory the server took. `soak.py` measures.

A new attack is a module of `attacks/`, and a test:

    async def test_a_flood_ends_with_1008(under_attack: UnderAttack) -> None:
        async with under_attack("empty_pings") as attacker:
            await attacker.until("closed 1008")
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from hostile.attacker import ADDRESS, Attacker, attacking
from hostile.peak import Peak
from hostile.server import DamasServe
from hostile.victims import Victims

GAMES, MOVES = 6, 8
"""Games beside an attack, and the moves each of them must go on by."""
MAX_LEFT_FILES = 100
"""Open files that games and workers of the time of an attack may leave; each crowd of attackers has more."""
PATIENCE_S = 240.0
"""Bounds a failure."""


UnderAttack = Callable[..., AbstractAsyncContextManager[Attacker]]
"""Called with the name of an attack and, if not all of its crowd shall come, a share."""


@pytest.fixture(scope="session", autouse=True)
def _addresses() -> None:
    """Attackers and players need addresses of their own."""
    if not Path("/proc/self/status").exists():
        pytest.skip("not proved: the server's memory is read from /proc")
    with socket.socket() as probe:
        try:
            probe.bind((ADDRESS, 0))
        except OSError:
            pytest.skip("not proved: this machine has no 127.0.0.2 and so on")


@pytest.fixture(scope="session")
def hostile_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DamasServe]:
    """One server for all attacks: it must outlive every one of them."""
    server = DamasServe(tmp_path_factory.mktemp("hostile"))
    yield server
    server.stop()


@pytest.fixture
async def under_attack(hostile_server: DamasServe) -> UnderAttack:
    """`async with under_attack(NAME) as attacker`: games are played and pages opened while it goes on.

    When the block ends, the players must have made their moves, and the server must be as it was.
    """

    @asynccontextmanager
    async def attack(name: str, share: float = 1.0) -> AsyncIterator[Attacker]:
        async with playing(hostile_server) as victims, bounded(victims) as attackers:
            await victims.moves(1)
            files, peak = hostile_server.open_files(), Peak(hostile_server)
            async with attacking(name, hostile_server.port, share) as attacker:
                attackers.append(attacker)
                yield attacker
                await victims.open_more(2)
                await victims.visit()
                await victims.moves(MOVES)
                assert victims.refused == []
            assert hostile_server.alive
            assert "Traceback" not in hostile_server.log
            peak.stop()
            assert not peak.excess()
            while (
                hostile_server.open_files() > files + MAX_LEFT_FILES
            ):  # the attackers' connections go with them
                await asyncio.sleep(0.05)

    return attack


@asynccontextmanager
async def bounded(victims: Victims) -> AsyncIterator[list[Attacker]]:
    """Ends a test that waits for too long, and says how far everybody had come."""
    attackers: list[Attacker] = []
    try:
        async with asyncio.timeout(PATIENCE_S):
            yield attackers
    except TimeoutError:
        counts = [dict(attacker.counts) for attacker in attackers]
        pytest.fail(f"after {PATIENCE_S:g} s the attack had counted {counts}, and {victims.progress()}")


@asynccontextmanager
async def playing(server: DamasServe, games: int = GAMES, think_s: float = 0.02) -> AsyncIterator[Victims]:
    """Games that go on for the time of the `with` block."""
    victims = Victims(server.port, games, think_s)
    try:
        await victims.open()
        yield victims
    finally:
        await victims.close()
