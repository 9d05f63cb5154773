"""The lobby as each visitor sees it: one's own games are marked, and come first."""

import asyncio
import json

from server.rooms.clients import Server


async def test_ones_own_games_are_marked_and_come_first(server: Server) -> None:
    ana, rui, eva = [await server.person() for _ in range(3)]
    game = await ana.create(kind="seek")
    await ana.sit(game)
    await rui.join(game)
    newer = await eva.create(kind="seek")
    await eva.sit(newer)
    await rui.join(newer)

    async def shown(http) -> list[tuple[str, bool]]:
        return [(each["id"], each["mine"]) for each in (await http.get("/api/lobby")).json()["games"]]

    assert await shown(ana.http) == [(game, True), (newer, False)]
    assert await shown(eva.http) == [(newer, True), (game, False)]
    assert {mine for _, mine in await shown(rui.http)} == {True}
    assert {mine for _, mine in await shown((await server.person()).http)} == {False}


async def test_a_change_is_encoded_once_for_all_who_follow(server: Server) -> None:
    lobby = server.services.lobby
    ana = await server.person()
    visitor = (await ana.http.get("/api/account")).json()["id"]
    strangers, own = [lobby.watch(f"stranger {number}") for number in range(30)], lobby.watch(visitor)
    async with asyncio.timeout(60):
        assert len({id(data) for data in [await anext(each) for each in strangers]}) == 1
        assert json.loads(await anext(own))["seeks"] == []
        game = await ana.create(kind="seek")
        shown = [await anext(each) for each in strangers]
        assert len({id(data) for data in shown}) == 1
        assert [(seek["id"], seek["mine"]) for seek in json.loads(shown[0])["seeks"]] == [(game, False)]
        assert [(seek["id"], seek["mine"]) for seek in json.loads(await anext(own))["seeks"]] == [
            (game, True)
        ]
    for each in (*strangers, own):
        await each.aclose()
