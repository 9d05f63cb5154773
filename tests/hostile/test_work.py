"""Work has a budget: whoever asks for too much waits, and nobody else does."""

import asyncio

import httpx
import pytest

from damas.matches.box import tiers
from hostile.attacker import ADDRESS
from hostile.attacks.hard_questions import HARD
from hostile.conftest import UnderAttack
from hostile.server import DamasServe

ELSEWHERE = "127.0.0.67"
JSON = {"X-Damas": "1"}
OWNER = {"name": "victim", "password": "um cavalo sem sela"}


def client(server: DamasServe, address: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{server.port}",
        timeout=240,
        transport=httpx.AsyncHTTPTransport(local_address=address),
    )


async def test_hard_questions_are_answered_beside_the_games_and_keep_no_neighbour_waiting(
    under_attack: UnderAttack, hostile_server: DamasServe
) -> None:
    async with under_attack("hard_questions") as attacker, client(hostile_server, ELSEWHERE) as neighbour:
        await attacker.until("status 200", times=4)
        question = {"rulebook": "turca", "fen": HARD, "move": "d8xg6"}
        for _ in range(2):
            reply = await neighbour.post("/api/explain", json=question, headers=JSON)
            assert reply.status_code == 200, (
                "the line is fair: a neighbour has a turn after each of the attacker's"
            )


@pytest.mark.soak
async def test_bombs_and_endless_programs_fill_neither_memory_nor_disk(
    under_attack: UnderAttack, hostile_server: DamasServe
) -> None:
    if all(tiers.tiers().values()):
        pytest.skip("not proved: no containment tier here")
    async with under_attack("huge_programs") as attacker:
        await attacker.until("status 202", times=3)
        await attacker.until("status 429", "status 413", "cut off", times=3)
        await attacker.until("bombs refused", times=2)
    uploads = hostile_server.data.glob("arena/tournaments/*/uploads/*")
    assert sum(path.stat().st_size for path in uploads if path.exists()) < 24 * (16 << 20)


async def test_large_files_are_made_beside_the_games(under_attack: UnderAttack) -> None:
    async with under_attack("large_files") as attacker:
        await attacker.until("status 200", times=3)
        await attacker.until("429 with a time")


async def test_a_spray_of_passwords_is_limited_and_locks_nobody_out(
    under_attack: UnderAttack, hostile_server: DamasServe
) -> None:
    async with client(hostile_server, ADDRESS) as neighbour, client(hostile_server, ELSEWHERE) as elsewhere:
        made = await neighbour.post("/api/account", json=OWNER, headers=JSON)
        assert made.status_code in (201, 409)
        async with under_attack("password_spray") as attacker:
            await attacker.until("status 429", times=20)
            refused = attacker.counts["status 401"]
            assert refused <= 31, "one address has so many failed logins, whatever accounts it tries"
            stranger = await asyncio.create_task(_login(hostile_server, ADDRESS))
            assert stranger == 429, "at the attacker's address nobody new gets in"
            assert (await neighbour.post("/api/account/login", json=OWNER, headers=JSON)).status_code == 200
            assert (await elsewhere.post("/api/account/login", json=OWNER, headers=JSON)).status_code == 200


async def _login(server: DamasServe, address: str) -> int:
    async with client(server, address) as browser:
        return (await browser.post("/api/account/login", json=OWNER, headers=JSON)).status_code
