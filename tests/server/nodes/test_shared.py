"""What is the same at every node: lobby, seeks, challenges, events of players, logins, limits, classes and tournaments."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from damas.server.rooms import outages
from server.nodes.conftest import at, until
from server.rooms.clients import Person, Server


async def member(server: Server, name: str) -> Person:
    """Somebody with an account."""
    person = await server.person()
    made = await person.http.post("/api/account", json={"name": name, "password": "a good long one"})
    assert made.status_code == 201, made.text
    return person


@asynccontextmanager
async def lines(
    http: httpx.AsyncClient, method: str, path: str, **more: Any
) -> AsyncIterator[asyncio.Queue[Any]]:
    """The JSON lines of a stream, as they come."""
    queue: asyncio.Queue[Any] = asyncio.Queue()

    async def follow() -> None:
        async with http.stream(method, path, **more) as stream:
            async for line in stream.aiter_lines():
                if line.strip():
                    queue.put_nowait(
                        json.loads(line.removeprefix("data: ")) if line[:6] != "event:" else None
                    )

    following = asyncio.create_task(follow())
    try:
        yield queue
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


async def wait_for(queue: asyncio.Queue[Any], true: Any) -> Any:
    async with asyncio.timeout(60):
        while True:
            value = await queue.get()
            if value is not None and true(value):
                return value


async def test_a_seek_of_one_node_is_taken_at_another(nodes: list[Server]) -> None:
    one, two = nodes
    ana, rui = await one.person(), await two.person()
    async with lines(rui.http, "GET", "/api/lobby/stream") as lobby:
        terms = {"rulebook": "brasileira", "time": "5+3"}
        async with lines(ana.http, "POST", "/api/board/seek", json=terms) as seeking:
            sought = await wait_for(seeking, lambda line: line["type"] == "seek")
            shown = await wait_for(lobby, lambda line: line["seeks"])
            assert [seek["id"] for seek in shown["seeks"]] == [sought["id"]] and not shown["seeks"][0]["mine"]
            own = (await at(ana, two).http.get("/api/lobby")).json()
            assert own["seeks"][0]["mine"]
            taken = await rui.http.post("/api/board/seek", json=terms)
            assert taken.json()["id"] == sought["id"]
            await wait_for(seeking, lambda line: line["type"] == "gameStart")
        watched = await wait_for(lobby, lambda line: line["games"])
        assert watched["games"][0]["id"] == sought["id"] and watched["playing"] == 1


async def test_challenges_and_events_reach_a_player_at_any_node(nodes: list[Server]) -> None:
    one, two = nodes
    ana, rui = await member(one, "Ana"), await member(two, "Rui")
    async with lines(rui.http, "GET", "/api/stream/event") as events:
        await until(lambda: two.services.player_events._streams)
        made = await ana.http.post("/api/challenge/Rui", json={"rulebook": "brasileira", "time": "5+3"})
        assert made.status_code == 201, made.text
        game = made.json()["id"]
        heard = await wait_for(events, lambda event: event["type"] == "challenge")
        assert heard["challenge"]["id"] == game
        assert (await rui.http.post(f"/api/challenge/{game}/accept")).status_code == 200
        started = await wait_for(events, lambda event: event["type"] == "gameStart")
        assert started["game"]["opponent"]["name"] == "Ana"
        await until(lambda: not two.services.player_events.challenges)
    async with lines(rui.http, "GET", "/api/stream/event") as again:  # the game is at the other node
        assert (await wait_for(again, lambda event: event["type"] == "gameStart"))["game"]["id"] == game
    second = (await ana.http.post("/api/challenge/Rui", json={"rulebook": "faraes"})).json()["id"]
    await until(lambda: second in two.services.player_events.challenges)
    assert (await rui.http.post(f"/api/challenge/{second}/decline")).status_code == 200
    await until(
        lambda: not one.services.player_events.challenges and not two.services.player_events.challenges
    )


async def test_what_was_missed_on_the_bus_is_read_again(nodes: list[Server]) -> None:
    one, two = nodes
    ana, rui = await member(one, "Ana"), await member(two, "Rui")
    bus = two.services.bus
    hear, bus._hear = bus._hear, lambda _: None  # type: ignore[attr-defined]
    line = await two.services.store.database.notifications(lambda _: None)
    await line.drop()
    await bus.close()
    game = (await ana.http.post("/api/challenge/Rui", json={"rulebook": "faraes"})).json()["id"]
    assert game not in two.services.player_events.challenges
    bus._hear = hear  # type: ignore[attr-defined]
    bus.open()
    await until(lambda: game in two.services.player_events.challenges)
    assert (await rui.http.post(f"/api/challenge/{game}/accept")).status_code == 200


async def test_a_login_that_is_ended_at_one_node_ends_at_all(nodes: list[Server]) -> None:
    one, two = nodes
    ana = await member(one, "Ana")
    cookies = dict(ana.http.cookies)
    logins = two.services.logins
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{two.port}", cookies=cookies) as there:
        assert (await there.get("/api/account")).json()["name"] == "Ana"
        assert logins._cache, "two would go on believing it for a while"
        assert (await ana.http.post("/api/account/logout", json={})).status_code == 200
        await until(lambda: not logins._cache)
        assert (await there.get("/api/account")).json()["name"] != "Ana"


async def test_wrong_passwords_count_at_all_nodes(nodes: list[Server]) -> None:
    one, two = nodes
    await member(one, "Ana")
    here, there = await one.person(), await two.person()
    wrong = {"name": "Ana", "password": "a wrong long one"}
    for _ in range(5):
        assert (await here.http.post("/api/account/login", json=wrong)).status_code == 401
    buckets = two.services.rates._buckets["login"]._buckets
    await until(lambda: any(bucket.left < 1 for bucket in buckets.values()))
    assert (await there.http.post("/api/account/login", json=wrong)).status_code == 429


async def test_a_class_and_a_tournament_have_one_home(nodes: list[Server]) -> None:
    one, two = nodes
    homes = [
        (one.services.passing.home(str(name)), two.services.passing.home(str(name))) for name in range(50)
    ]
    assert all((first is None) != (second is None) for first, second in homes)
    assert {first is None for first, _ in homes} == {True, False}
    ana = await member(one, "Ana")
    made = await ana.http.post("/api/classes", json={"title": "4B", "rulebook": "brasileira"})
    assert made.status_code in (200, 201), made.text
    school_class = made.json()["id"]
    for node in nodes:
        seen = await at(ana, node).http.get(f"/api/classes/{school_class}")
        assert seen.status_code == 200 and seen.json()["title"] == "4B"


async def test_a_teacher_reaches_the_boards_of_a_class_at_every_node(nodes: list[Server]) -> None:
    """After a node has come, or come back, games of a class are at a node that is not its home any more."""
    ana = await member(nodes[0], "Ana")
    made = await ana.http.post("/api/classes", json={"title": "4B", "rulebook": "brasileira"})
    class_id = made.json()["id"]
    home, other = sorted(nodes, key=lambda node: node.services.passing.home(class_id) is not None)
    path = f"/api/classes/{class_id}"
    pasted = await ana.http.post(f"{path}/pupils", json={"text": "Bia\nRui"})
    assert pasted.status_code == 201, pasted.text
    store = other.services.store.classes
    school_class, pupils = await store.get(class_id), await store.pupils(class_id)
    assert school_class
    pair = (pupils[0].id, pupils[1].id)
    (game,) = await other.services.boards.start(school_class, [pair], "en")
    room = other.services.rooms.in_memory(game)
    assert room and outages.is_held(room.table) and not home.services.rooms.in_memory(game)

    async def press(button: str, **body: str) -> None:
        pressed = await ana.http.post(f"{path}/{button}", json=body or None)
        assert pressed.status_code == 200, pressed.text

    await press("start")
    assert not room.table.suspended and room.playing
    await press("hold", notice="Look here")
    assert outages.is_held(room.table)
    await press("start")
    assert not room.table.suspended
    await press("stop")
    assert not room.playing and room.table.outcome

    (game,) = await other.services.boards.start(school_class, [pair], "en")
    removed = await ana.http.delete(f"{path}/pupils/{pair[0]}")
    assert removed.status_code == 200, removed.text
    room = other.services.rooms.in_memory(game)
    assert room and room.table.outcome
