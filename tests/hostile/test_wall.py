"""The wall: what strangers send to the server costs them their connection, and the players nothing."""

import asyncio
from contextlib import AsyncExitStack

import httpx
from websockets.asyncio.client import connect

from hostile.attacker import attacking
from hostile.conftest import UnderAttack
from hostile.server import DamasServe

PUPILS, TABS = 40, 3
SHARE = 0.2
"""Of the crowds that only `soak.py` sends whole: on two cores they would keep all other tests waiting."""


async def test_empty_frames_count_and_too_many_end_with_1008(
    under_attack: UnderAttack, hostile_server: DamasServe
) -> None:
    port = hostile_server.port
    async with (
        under_attack("empty_pings") as pings,
        attacking("empty_pongs", port) as pongs,
        attacking("empty_fragments", port) as fragments,
        attacking("ping_swarm", port) as swarm,
    ):
        for attacker in (pings, pongs, fragments, swarm):
            await attacker.until("closed 1008")


ENDLESS = {
    "huge_header": "status 431",
    "many_headers": "status 431",
    "long_url": "status 414",
    "tiny_chunks": "status 431",
    "endless_trailers": "status 431",
}


async def test_what_does_not_end_is_refused_before_it_fills_the_memory(
    under_attack: UnderAttack, hostile_server: DamasServe
) -> None:
    first, *others = ENDLESS
    async with AsyncExitStack() as stack:
        attackers = {first: await stack.enter_async_context(under_attack(first))}
        for name in others:
            attackers[name] = await stack.enter_async_context(attacking(name, hostile_server.port))
        for name, attacker in attackers.items():
            await attacker.until(ENDLESS[name], times=3)


async def test_requests_are_read_no_faster_than_they_are_answered(
    under_attack: UnderAttack, hostile_server: DamasServe
) -> None:
    port = hostile_server.port
    async with (
        under_attack("pipelining") as unread,
        attacking("pipelining_read", port) as read,
        attacking("unread_answers", port) as large,
    ):
        await unread.until("held")
        requests = unread.counts["requests"] / unread.counts["connections"]
        assert requests < 50_000, "they wait in the buffers of the system, which hold some ten thousand"
        await read.until("answered bytes", times=100_000)
        await large.until("opened", times=100)


async def test_half_requests_and_silence_end_after_a_time(
    under_attack: UnderAttack, hostile_server: DamasServe
) -> None:
    async with (
        under_attack("half_requests") as half,
        attacking("silent_connections", hostile_server.port) as silent,
    ):
        # One address has 1,000 places and these want 2,200: the time of some is up, others make room.
        await half.until("status 408", "closed", times=100)
        await silent.until("closed", times=100)


async def test_rubbish_is_not_worth_a_line_in_the_log(
    under_attack: UnderAttack, hostile_server: DamasServe
) -> None:
    lines = len(hostile_server.log.splitlines())
    async with under_attack("rubbish") as attacker:
        await attacker.until("status 400", times=100)
        await attacker.until("closed 1007", times=5)
    assert not [line for line in hostile_server.log.splitlines()[lines:] if "nvalid" in line]


async def test_replays_are_limited_and_new_games_harm_nobody(
    under_attack: UnderAttack, hostile_server: DamasServe
) -> None:
    async with (
        under_attack("replays") as replays,
        attacking("new_games", hostile_server.port) as games,
        attacking("connection_flood", hostile_server.port) as flood,
    ):
        await replays.until("closed 1013")
        await games.until("status 201", times=50)
        await flood.until("opened", times=1000)


async def test_progress_is_stored_so_often_and_costs_the_players_nothing(under_attack: UnderAttack) -> None:
    async with under_attack("much_progress") as attacker:
        await attacker.until("429 with a time")


async def test_streams_of_the_lobby_are_limited_and_cost_the_players_nothing(
    under_attack: UnderAttack,
) -> None:
    async with under_attack("lobby_streams") as attacker:
        await attacker.until("status 429")
        await attacker.until("messages", times=600)


async def test_what_players_do_too_costs_the_others_nothing_when_one_address_does_it_all_the_time(
    under_attack: UnderAttack, hostile_server: DamasServe
) -> None:
    port = hostile_server.port
    async with (
        under_attack("quick_moves", SHARE) as quick,
        attacking("refused_commands", port, SHARE) as refused,
        attacking("computer_games", port, SHARE) as levels,
        attacking("searches", port, SHARE) as searches,
    ):
        await quick.until("moves", times=40)
        await refused.until("got nack", times=40)
        await levels.until("moves", times=10)
        await searches.until("status 429", times=3)


async def test_a_class_behind_one_address_is_refused_nothing(hostile_server: DamasServe) -> None:
    """Forty pupils with three tabs each: pages, a stream of the lobby and a socket in every tab."""
    base, address = f"http://127.0.0.1:{hostile_server.port}", "127.0.0.40"

    async def pupil(stack: AsyncExitStack) -> None:
        transport = httpx.AsyncHTTPTransport(local_address=address, limits=httpx.Limits(max_connections=None))
        web = httpx.AsyncClient(base_url=base, transport=transport, timeout=240)
        web = await stack.enter_async_context(web)
        for path in ("/", "/static/shell.js", "/static/first.js", "/api/lobby", "/rules"):
            assert (await web.get(path)).status_code == 200
        terms = {"rulebook": "brasileira", "opponent": {"kind": "level", "level": 1}}
        made = await web.post("/api/games", json=terms, headers={"X-Damas": "1"})
        assert made.status_code == 201, made.text
        cookie = "; ".join(f"{name}={value}" for name, value in web.cookies.items())
        for _ in range(TABS):
            stream = await stack.enter_async_context(web.stream("GET", "/api/lobby/stream"))
            assert stream.status_code == 200
            url = f"ws://127.0.0.1:{hostile_server.port}/game/{made.json()['id']}/socket"
            headers = {"Cookie": cookie}
            options = {"local_addr": (address, 0), "open_timeout": 240, "ping_interval": None}
            socket = await stack.enter_async_context(connect(url, additional_headers=headers, **options))
            assert '"hello"' in str(await socket.recv())

    async with asyncio.timeout(240), AsyncExitStack() as stack:
        await asyncio.gather(*(pupil(stack) for _ in range(PUPILS)))
