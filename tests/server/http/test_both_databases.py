"""The server on SQLite and on PostgreSQL: the same answers, whichever keeps what was done."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from damas.notation import PdnGame, read_games
from damas.server.settings import Limits, Settings
from server.rooms.clients import Server, serving

ANA = {"name": "Ana", "password": "um cavalo sem sela"}


@pytest.fixture
async def server(database_url: str, tmp_path: Path) -> AsyncIterator[Server]:
    limits = Limits(logins_per_minute=6, tokens_per_account=2)
    made = Settings(data=tmp_path / "data", database_url=database_url, port=0, limits=limits)
    async with serving(made) as running:
        yield running


@pytest.fixture
async def ana(server: Server) -> httpx.AsyncClient:
    person = (await server.person()).http
    assert (await person.post("/api/account", json=ANA)).status_code == 201
    return person


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("error", {}).get("code", "")


async def test_an_account_from_its_making_to_its_end(server: Server, ana: httpx.AsyncClient) -> None:
    other = (await server.person()).http
    assert code(await other.post("/api/account", json={**ANA, "name": "aNA"})) == (409, "NAME_TAKEN")
    assert code(await other.post("/api/account/login", json={**ANA, "password": "no"})) == (
        401,
        "WRONG_LOGIN",
    )
    assert code(await other.post("/api/account/login", json=ANA)) == (200, "")
    assert len((await ana.get("/api/account")).json()["logins"]) == 2
    assert code(await ana.post("/api/account/revoke", json={})) == (200, "")
    assert not (await other.get("/api/account")).json()["account"]
    assert code(await ana.post("/api/account/close", json={"password": ANA["password"]})) == (200, "")
    assert code(await other.post("/api/account/login", json=ANA)) == (401, "WRONG_LOGIN")


async def test_tokens_up_to_the_last_and_one_more(ana: httpx.AsyncClient) -> None:
    wanted = {"scopes": ["board:play"], "label": "one"}
    made = [await ana.post("/api/account/tokens", json=wanted) for _ in range(3)]
    assert [code(answer) for answer in made] == [(201, ""), (201, ""), (409, "TOO_MANY_TOKENS")]
    token = {"Authorization": f"Bearer {made[0].json()['token']}"}
    assert (await ana.get("/api/account", headers=token)).json()["name"] == "Ana"
    assert (await ana.delete(f"/api/account/tokens/{made[0].json()['id']}")).status_code == 200
    assert code(await ana.get("/api/account", headers=token)) == (401, "TOKEN")


async def test_a_sign_that_no_database_holds_is_the_askers_fault(
    ana: httpx.AsyncClient, database_url: str
) -> None:
    """SQLite holds a NUL, PostgreSQL does not; neither makes it a trouble of the server, nor one token too many."""
    wanted = {"scopes": ["board:play"], "label": "a\0b"}
    made = code(await ana.post("/api/account/tokens", json=wanted))
    assert made == ((400, "BAD_VALUE") if database_url.startswith("postgresql") else (201, ""))
    asked = code(await ana.post("/api/account/login", json={"name": "a\0b", "password": "x"}))
    assert asked in ((400, "BAD_VALUE"), (401, "WRONG_LOGIN"))


async def test_passwords_may_be_guessed_so_often(server: Server, ana: httpx.AsyncClient) -> None:
    guess = {**ANA, "password": "not the one"}
    other = (await server.person()).http
    found = [code(await other.post("/api/account/login", json=guess)) for _ in range(7)]
    assert found == [(401, "WRONG_LOGIN")] * 6 + [(429, "RATE")]


async def test_a_game_played_by_programs_is_in_the_archive(server: Server, ana: httpx.AsyncClient) -> None:
    wanted = {"rulebook": "brasileira", "opponent": {"kind": "device"}}
    game = (await ana.post("/api/games", json=wanted)).json()["id"]
    for move in ("c3-d4", "f6-g5", "d4-c5", "b6xd4", "e3xc5"):
        assert (await ana.post(f"/api/board/game/{game}/move/{move}")).json()["ok"], move
    refused = await ana.post(f"/api/board/game/{game}/move/a1-a1")
    assert refused.status_code == 400
    assert (await ana.post(f"/api/board/game/{game}/resign")).status_code == 200
    [found] = (await ana.get("/api/archive?mine=1")).json()["games"]
    assert (found["id"], found["plies"], found["status"]) == (game, 5, "over")
    [read] = list(read_games((await ana.get("/api/archive.pdn?mine=1")).text))
    assert isinstance(read, PdnGame) and len(read.moves) == 5


async def test_progress_is_kept_and_goes_along_with_a_new_account(server: Server) -> None:
    person = (await server.person()).http
    kept = {"progress": {"puzzles.brasileira": {"solved": 3}}}
    assert (await person.post("/api/progress", json=kept)).status_code == 200
    assert (await person.post("/api/account", json={**ANA, "name": "Rui"})).status_code == 201
    assert (await person.get("/api/progress")).json() == kept
