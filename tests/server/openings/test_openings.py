"""The explorer over HTTP: games count once they have ended, and nobody is helped in a game that goes on."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from damas.board import Color
from damas.engine.opening_book import book_for
from damas.openings.gathering import Gathering
from damas.openings.self_play import engine_games
from damas.rules import rulebook
from damas.server.openings import counting
from damas.server.openings.stored import server_games
from damas.server.web.openings import EXPLORER_FILE
from server.rooms.clients import Person, Server


async def explored(person: Person, *moves: str, **terms: Any) -> dict[str, Any]:
    body = {"rulebook": "brasileira", "moves": moves, "source": "server", **terms}
    answer = await person.http.post("/api/explorer", json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def played(answer: dict[str, Any]) -> dict[str, tuple[int, int, int]]:
    return {
        move["text"]: (move["white"], move["draws"], move["black"])
        for move in answer["moves"]
        if move["games"]
    }


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "INTERVAL_S", 0.05)


@pytest.mark.usefixtures("quickly")
async def test_a_game_counts_when_it_has_ended_and_helps_nobody_before(server: Server) -> None:
    settings = server.services.settings
    ana, rui, eva = [await server.person() for _ in range(3)]
    game = await ana.create(color="white", public=True)
    await rui.join(game)
    white, black = await ana.sit(game), await rui.sit(game)
    await white.move("c3-d4")
    await black.turn("black")
    await black.move("b6-a5")
    body = {"rulebook": "brasileira", "moves": ["c3-d4"], "game": game}
    refused = await ana.http.post("/api/explorer", json=body)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "FAIR_PLAY")
    refused = await rui.http.post("/api/explorer", json={"rulebook": "faraes", "moves": ["c3-d4", "b6-a5"]})
    assert refused.status_code == 403
    assert played(await explored(eva)) == {}
    await black.act("resign")

    async def counted() -> None:
        while not played(await explored(eva)):
            await asyncio.sleep(0.05)

    await asyncio.wait_for(counted(), 60)
    assert played(await explored(eva)) == {"c3-d4": (1, 0, 0)}
    assert played(await explored(eva, "c3-d4")) == {"b6-a5": (1, 0, 0)}
    assert played(await explored(eva, source="mine")) == {}
    assert played(await explored(ana, source="mine")) == {"c3-d4": (1, 0, 0)}
    assert played(await explored(ana, source="mine", side="black")) == {}
    assert played(await explored(rui, source="mine", side="black")) == {"c3-d4": (1, 0, 0)}
    if settings.sqlite_path is not None:  # another process reads what a running server has counted
        lines = list(server_games(settings).read(0))
        assert [(line.rulebook, line.winner, len(line.keys)) for line in lines] == [
            ("brasileira", Color.WHITE, 3)
        ]
        assert not list(server_games(settings).read(1))


async def test_the_operators_file_and_the_book(server: Server, tmp_path: Path) -> None:
    eva, book = await server.person(), rulebook("brasileira")
    before = await explored(eva, source="engine")
    assert not before["has_file"] and before["games"] == 0
    known = book_for(book)
    assert known and {move["text"] for move in before["moves"] if move["score"] is not None}
    file = server.services.settings.data / EXPLORER_FILE
    file.write_text("nothing")
    assert not (await explored(eva, source="engine"))["has_file"]
    file.unlink()
    gathering = Gathering(file)
    gathering.gather(engine_games(book, 4, nodes=60))
    gathering.finish()
    after = await explored(eva, source="engine")
    assert after["has_file"] and after["games"] == 4
    assert [move["games"] for move in after["moves"]] == sorted(
        (m["games"] for m in after["moves"]), reverse=True
    )


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"rulebook": "none"}, 404),
        ({"rulebook": "brasileira", "moves": ["a1-h8"]}, 400),
        ({"rulebook": "brasileira", "fen": "what"}, 400),
        ({"rulebook": "brasileira", "source": "all"}, 400),
        ({"rulebook": "brasileira", "more": 1}, 400),
    ],
)
async def test_bad_questions(page: httpx.AsyncClient, body: dict[str, Any], status: int) -> None:
    answer = await page.post("/api/explorer", json=body)
    assert answer.status_code in (status, 400, 404, 422), answer.text
    assert answer.json()["error"]["message"]


async def test_lines_of_every_kind(page: httpx.AsyncClient) -> None:
    lines = (await page.get("/api/openings/inglesa")).json()["lines"]
    assert {line["source"] for line in lines} == {"ballot", "draw"}
    assert lines[0]["name"] == "Edinburgh, 21-17" and lines[0]["fen"].startswith("B:")
    lines = (await page.get("/api/openings/brasileira")).json()["lines"]
    assert {line["source"] for line in lines} == {"book", "draw"}
    assert (await page.get("/api/openings/none")).status_code == 404
    named = (await page.post("/api/explorer", json={"rulebook": "inglesa", "moves": ["9-13"]})).json()
    assert named["names"] == ["Edinburgh"] and "Edinburgh, 21-17" in {move["name"] for move in named["moves"]}
