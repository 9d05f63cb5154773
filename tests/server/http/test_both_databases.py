"""The server on SQLite and on PostgreSQL: the same answers, whichever keeps what was done."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from damas.notation import PdnGame, read_games
from damas.server.settings import Settings
from server.conftest import PATIENT
from server.rooms.clients import Server, serving
from server.shared import code

ANA = {"name": "Ana", "password": "um cavalo sem sela"}


@pytest.fixture
async def server(database_url: str, tmp_path: Path) -> AsyncIterator[Server]:
    settings = Settings(data=tmp_path / "data", database_url=database_url, port=0, limits=PATIENT)
    async with serving(settings) as running:
        yield running


async def test_what_a_person_does_is_kept_by_either(server: Server, database_url: str) -> None:
    """Progress, an account, a token, a game and its record; the store has tests of each."""
    person = (await server.person()).http
    progress = {"progress": {"puzzles.brasileira": {"solved": 3}}}
    assert (await person.post("/api/progress", json=progress)).status_code == 200
    assert code(await person.post("/api/account", json=ANA)) == (201, "")
    assert (await person.get("/api/progress")).json() == progress
    created = (
        await person.post("/api/account/tokens", json={"scopes": ["board:play"], "label": "one"})
    ).json()
    token = {"Authorization": f"Bearer {created['token']}"}
    assert (await person.get("/api/account", headers=token)).json()["name"] == "Ana"

    wanted = {"rulebook": "brasileira", "opponent": {"kind": "device"}}
    game = (await person.post("/api/games", json=wanted)).json()["id"]
    for move in ("c3-d4", "f6-g5", "d4-c5", "b6xd4", "e3xc5"):
        assert (await person.post(f"/api/board/game/{game}/move/{move}")).json()["ok"], move
    assert (await person.post(f"/api/board/game/{game}/resign")).status_code == 200
    [result] = (await person.get("/api/archive?mine=1")).json()["games"]
    assert (result["id"], result["plies"], result["status"]) == (game, 5, "over")
    [read] = list(read_games((await person.get("/api/archive.pdn?mine=1")).text))
    assert isinstance(read, PdnGame) and len(read.moves) == 5

    local = {"rulebook": "brasileira", "opponent": {"kind": "device"}, "begun_ms": 1, "ended_ms": 2}
    local["events"] = [{"kind": "resigned", "at": 0, "by": "white"}]
    sent = [person.put("/api/local-games/q7Vd0c2LxWmA", json=local) for _ in range(4)]
    assert len({answer.text for answer in await asyncio.gather(*sent)}) == 1
    assert len((await person.get("/api/archive?mine=1")).json()["games"]) == 2

    # SQLite holds a NUL, PostgreSQL does not; neither makes it a trouble of the server.
    labelled = code(
        await person.post("/api/account/tokens", json={"scopes": ["board:play"], "label": "a\0b"})
    )
    assert labelled == ((400, "BAD_VALUE") if database_url.startswith("postgresql") else (201, ""))
    login = code(await person.post("/api/account/login", json={"name": "a\0b", "password": "x"}))
    assert login in ((400, "BAD_VALUE"), (401, "WRONG_LOGIN"))
