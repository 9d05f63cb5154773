"""Positions whose moves take long to list: no game starts from one, and one that comes up is listed in a thread."""

import asyncio
import threading

import pytest

from damas.game import Position
from damas.server.rooms.long_lists import list_ahead
from server.rooms.clients import Server
from server.shared import code

HARD = "W:WKd8:BKc8,Kc7,Kd2,Kf7,Kb6,Kf3,Kd5,Ke5,Kb2,Kc1,Kh5,Kc3,Ke8,Kg6,Kc4,Ka5"
BEFORE, MOVE = HARD.replace("W:WKd8", "B:WKd8").replace("Kd5", "Kf8"), "d2-d5"
"""The king at f8 opens the way: Black's move leads to captures that branch without end."""


async def test_no_game_starts_from_a_position_that_takes_long(server: Server) -> None:
    person = await server.person()
    terms = {"rulebook": "turca", "fen": HARD, "opponent": {"kind": "friend"}}
    assert code(await person.http.post("/api/games", json=terms)) == (400, "TOO_MANY_CAPTURES")
    assert (await person.http.post("/api/games", json={**terms, "fen": BEFORE})).status_code == 201


async def test_what_takes_long_is_listed_in_a_thread_once(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.from_fen(BEFORE, "turca")
    after = position.play(MOVE)
    threads = []
    in_thread = asyncio.to_thread

    async def noted(work):  # type: ignore[no-untyped-def]
        return await in_thread(lambda: (threads.append(threading.current_thread()), work()))

    monkeypatch.setattr(asyncio, "to_thread", noted)
    assert after.takes_long
    await list_ahead(position, MOVE)
    assert not after.takes_long, "the core remembers it"
    assert threads and threading.main_thread() not in threads
    listed = len(threads)
    await list_ahead(position, MOVE)
    assert len(threads) == listed


async def test_an_ordinary_move_goes_no_such_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(asyncio, "to_thread")
    position = Position.from_fen("W:WKa1,c3,e3:Bb8,d8,f8,h8,a7,c7", "brasileira")
    await list_ahead(position, "a1-b2")
    await list_ahead(Position.start("russa"), "c3-d4")
    await list_ahead(position, "nonsense")
