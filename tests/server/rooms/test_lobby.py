"""The lobby as each visitor sees it: one's own games are marked, and come first."""

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
