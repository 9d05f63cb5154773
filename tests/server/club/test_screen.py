"""The stream of a screen in the hall: the round, boards in the app as they are played, and the end of a link."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from damas.tournaments.hall import EventLog
from damas.tournaments.hall.templates import conditions_of
from server.club.people import Hall
from server.rooms.clients import Person, Server

Moments = AsyncIterator[dict[str, Any]]


@asynccontextmanager
async def screens(who: Person, hall: Hall) -> AsyncIterator[Moments]:
    """The moments that a screen of this visitor gets."""
    async with who.http.stream("GET", f"/api/club/{hall.id}/screen/stream") as stream:
        assert stream.status_code == 200
        yield (json.loads(line[6:]) async for line in stream.aiter_lines() if line.startswith("data: "))


async def until(moments: Moments, wanted: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """The next moment that is wanted."""
    async with asyncio.timeout(60):
        while True:
            moment = await anext(moments)
            if wanted(moment):
                return moment


async def test_a_screen_hears_of_rounds_and_of_moves_in_the_app(server: Server) -> None:
    hall = await Hall.open(server, players=2)
    async with screens(await server.person(), hall) as moments:
        first = await anext(moments)
        assert (first["round"], first["published_ms"], first["boards"]) == (0, None, [])
        board, *_ = await hall.start()
        moment = await until(moments, lambda each: each["round"] == 1)
        assert moment["published_ms"] is not None and moment["limit_ms"] == 40 * 60_000
        white, black = await hall.player(board["first"]), await hall.player(board["second"])
        await hall.do(white, "play", round=1, board=1)
        game = (await hall.do(black, "play", round=1, board=1))["game"]
        moment = await until(moments, lambda each: each["boards"])
        shown = moment["boards"][0]
        assert (shown["board"], shown["first"], shown["second"]) == ("1", board["first"], board["second"])
        for player, side, move in ((white, "white", "c3-d4"), (black, "black", "f6-g5")):
            seat = await player.sit(game)
            await seat.turn(side)
            assert (await seat.move(move))["t"] == "ack"
        await until(moments, lambda each: each["boards"][0]["move"] == 2)


async def test_a_screen_of_a_private_tournament_needs_a_link(server: Server) -> None:
    hall = await Hall.open(server, public=False)
    stranger = await server.person()
    assert (await stranger.http.get(f"/api/club/{hall.id}/screen/stream")).status_code == 403
    async with screens(await hall.staff("spectator"), hall) as moments:
        assert (await anext(moments))["round"] == 0


async def test_a_time_in_words_leaves_the_screen_and_the_boards_alone(server: Server) -> None:
    """A file of another program may have one: nothing counts down, and nobody begins a game without its clock."""
    conditions = conditions_of("escola", title="Open", control="an hour and a half")
    with EventLog.create(server.services.settings.data / "words.damas", conditions) as log:
        data = log.path.read_bytes()
    chief = await server.person()
    made = (await chief.http.post("/api/club/file", content=data)).raise_for_status().json()
    hall = Hall(server, made["id"], chief)
    await hall.do(chief, "import", text="Ana\nBruno")
    board, *_ = await hall.start()
    async with screens(chief, hall) as moments:
        moment = await anext(moments)
    assert moment["round"] == 1 and moment["limit_ms"] is None
    player = await hall.player(board["first"])
    assert not (await hall.look(player))["tournament"]["in_app"]
    answer = await hall.act(player, "play", round=1, board=1)
    assert answer.json()["error"]["code"] == "TOURNAMENT_REFUSED"
