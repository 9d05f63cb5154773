"""Damaged rows: one game's trouble, which is named; everything else is served, on either database."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from websockets.exceptions import ConnectionClosed

from damas.notation import read_games
from damas.server.settings import Settings
from damas.server.store import Store
from server.conftest import PATIENT
from server.rooms.clients import Person, Server, serving
from server.shared import code

ANYWHERE = {
    "changed": "UPDATE event SET data = '{}' WHERE game = :game AND seq = 2",
    "missing": "DELETE FROM event WHERE game = :game AND seq = 2",
    "cut short": "DELETE FROM event WHERE game = :game AND seq = (SELECT seq FROM game WHERE id = :game)",
}
SQLITE = {
    "name no text": "UPDATE game SET white_name = CAST(x'ff41' AS TEXT) WHERE id = :game",
    "event no text": "UPDATE event SET data = CAST(x'7bff7d' AS TEXT) WHERE game = :game AND seq = 1",
    "answer no text": "UPDATE event SET answer = CAST(x'7bff7d' AS TEXT) WHERE game = :game AND seq = 2",
    "number no number": "UPDATE game SET updated_ms = 'x' || updated_ms WHERE id = :game",
    "status unknown": "UPDATE game SET status = 'ovfr' WHERE id = :game",
}


async def finished(person: Person) -> str:
    game = await person.create("brasileira", "device")
    for move in ("c3-d4", "f6-g5"):
        assert (await person.http.post(f"/api/board/game/{game}/move/{move}")).json()["ok"]
    await person.http.post(f"/api/board/game/{game}/resign")
    return game


async def test_a_damaged_game_is_named_and_everything_else_is_served(
    database_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings(data=tmp_path / "data", database_url=database_url, port=0, limits=PATIENT)
    damages = ANYWHERE | (SQLITE if database_url.startswith("sqlite") else {})
    async with serving(settings) as server:
        ana, rui = await server.person(), await server.person()
        games = {damage: await finished(ana) for damage in damages}
        sound = [await finished(ana) for _ in range(2)]
        playing = await ana.create("brasileira", "friend", color="white", time="5+3")
        stuck = await ana.create("brasileira", "friend", color="white", time="5+3")
        for game in (playing, stuck):
            await rui.join(game)
            board = await ana.sit(game)
            assert (await board.move("c3-d4"))["t"] == "ack"
        cookies = ana.http.cookies
    store = await Store.open(settings)
    for damage, game in [*games.items(), ("changed", stuck)]:
        statement = text(damages[damage]).bindparams(game=game)
        await store.writer.do(lambda connection, each=statement: connection.execute(each))  # type: ignore[misc]
    await store.close()

    with caplog.at_level(logging.ERROR, "damas.store"):
        async with serving(settings) as server:
            again = await server.person()
            again.http.cookies = cookies
            http = again.http
            board = await again.sit(playing)  # it goes on where it was
            assert board.hello["you"] == "white" and board.hello["view"]["ply"] == 1
            exported = (await http.get("/api/archive.pdn?mine=1")).text
            assert len(list(read_games(exported))) == len(sound) + 1
            for game in (*games.values(), stuck):
                for path in (
                    f"/api/games/{game}",
                    f"/game/export/{game}.pdn",
                    f"/api/games/{game}/certificate",
                ):
                    assert code(await http.get(path)) == (500, "DAMAGED_GAME"), path
                with pytest.raises(ConnectionClosed) as closed:
                    await again.sit(game)
                assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404
            shown = await http.get(f"/game/{stuck}", headers={"Accept": "text/html"})
            assert shown.status_code == 500 and stuck in shown.text
            listed = {row["id"] for row in (await http.get("/api/archive?mine=1")).json()["games"]}
            assert listed == {*sound, playing}
            for game in sound:
                assert (await http.get(f"/game/export/{game}.pdn")).status_code == 200
            new = await finished(again)
            assert (await http.get(f"/game/export/{new}.pdn")).status_code == 200
            metrics = (await http.get("/metrics")).text
            assert f"damas_store_damaged_games {len(games) + 1}.0" in metrics
    named = " ".join(record.message for record in caplog.records if "set aside" in record.message)
    assert all(named.count(game) == 1 for game in (*games.values(), stuck))
    assert not any(game in named for game in (*sound, playing))


async def timed_games(settings: Settings, number: int) -> list[str]:
    """Games with a clock that a server has left unfinished."""
    async with serving(settings) as server:
        ana, rui = await server.person(), await server.person()
        games = [await ana.create("brasileira", "friend", color="white", time="5+3") for _ in range(number)]
        for game in games:
            await rui.join(game)
    return games


def spoil(settings: Settings, statement: str, *values: str) -> None:
    assert settings.sqlite_path
    with closing(sqlite3.connect(settings.sqlite_path)) as connection, connection:
        assert connection.execute(statement, values).rowcount == 1


async def test_a_damaged_sign_of_life_stops_no_game(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = Settings(data=tmp_path / "data", port=0, limits=PATIENT)
    [game] = await timed_games(settings, 1)
    spoil(settings, "UPDATE alive SET wall_ms = 'x' || wall_ms")
    with caplog.at_level(logging.ERROR, "damas.store"):
        async with serving(settings) as server:
            assert (await (await server.person()).look(game))["status"] == "playing"
    assert "ALARM: the last sign of life of node main is damaged" in caplog.text


async def test_a_damaged_owner_costs_its_own_game_alone(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data", port=0, limits=PATIENT)
    sound, damaged = await timed_games(settings, 2)
    spoil(settings, "UPDATE game_owner SET epoch = 'x' WHERE game = ?", damaged)
    async with serving(settings) as server:
        http = (await server.person()).http
        assert (await http.get(f"/api/games/{sound}")).json()["status"] == "playing"
        assert code(await http.get(f"/api/games/{damaged}")) == (500, "DAMAGED_GAME")
        assert await server.services.store.games.take([sound, damaged], "main") == {sound: 3}


async def test_what_only_lacks_memory_is_no_damage(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    person = await server.person()
    game = await person.create("brasileira", "device")

    def exhausted(_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as short_of_memory:
        short_of_memory.setattr("damas.server.rooms.rooms.table_of", exhausted)
        assert server.rooms.sweep(idle_s=-1) == 1
        with pytest.raises(MemoryError):
            await server.rooms.room(game)
    assert (await person.look(game))["status"] == "playing"
