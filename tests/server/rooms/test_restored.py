"""A restored server: everybody has the seat they had, also those without an account."""

from pathlib import Path

import pytest

from damas.server.settings import Settings
from damas.server.store.backup import backup, restore
from server.conftest import PATIENT, Cluster
from server.rooms.clients import serving


@pytest.mark.parametrize("to", ["sqlite", "postgresql"])
async def test_visitors_keep_their_seats(
    database_url: str, to: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """From either database into either; so does the arbiter, whose link the same secret signs."""
    here = Settings(data=tmp_path / "data", database_url=database_url, port=0, limits=PATIENT)
    async with serving(here) as server:
        ana, rui = await server.person(), await server.person()
        game = await ana.create(color="white", time="5+3")
        link = await ana.arbiter_link(game)
        await rui.join(game)
        board = await ana.sit(game)
        assert (await board.move("c3-d4"))["t"] == "ack"
        await board.send(t="chat", text="boa sorte")
        await board.next("chat")
        cookies = [person.http.cookies for person in (ana, rui)]
        await backup(here, tmp_path / "copy")  # while they play
    cluster: Cluster | None = request.getfixturevalue("postgresql") if to == "postgresql" else None
    url = cluster.create() if cluster else ""
    there = Settings(data=tmp_path / "there", database_url=url, port=0, limits=PATIENT)
    await restore(tmp_path / "copy", there)
    async with serving(there) as server:
        for side, kept in zip(("white", "black"), cookies, strict=True):
            person = await server.person()
            person.http.cookies = kept
            board = await person.sit(game)
            assert (board.hello["you"], board.hello["view"]["ply"]) == (side, 1)
            assert (await board.next("chat"))["text"] == "boa sorte"
        assert (await board.move("f6-g5"))["t"] == "ack"
        stranger = await server.person()
        assert (await stranger.sit(game)).hello["you"] == "viewer"
        await stranger.arbitrate(link)
