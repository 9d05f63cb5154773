"""A game whose id is known before it is stored: whoever asks for it meanwhile gets the one room that it has."""

import asyncio
from typing import Any

from msgspec import structs

from damas.server.rooms.new_game import NewGame, OnOneDevice, game_id_of
from damas.server.rooms.rooms import Rooms
from damas.server.rooms.seats import Seat, Seats
from server.rooms.by_hand import ANA, RUI

GAME = game_id_of(b"of an encounter")
LOADED_S = 0.3
"""Long enough to load a game; nothing is expected of it where the one room is waited for."""


async def test_a_game_that_is_asked_for_while_it_is_opened_is_not_loaded_beside(rooms: Rooms) -> None:
    """A second room took the game over, and both players got time as after an outage."""
    wanted = NewGame("brasileira", OnOneDevice(), "white", time="10+5", preset="club")
    head = wanted.head(ANA, None, rooms.services.words, "en", rooms.time.wall_ms(), played_as=GAME)
    seats = Seats(Seat(ANA.id, ANA.name, "person"), Seat(RUI.id, RUI.name, "person"))
    create, asked = rooms.store.games.create, []

    async def create_slowly(*arguments: Any, **named: Any) -> None:
        await create(*arguments, **named)
        asked.append(asyncio.create_task(rooms.room(GAME)))
        await asyncio.wait(asked, timeout=LOADED_S)

    rooms.store.games.create = create_slowly  # type: ignore[method-assign]
    await rooms.open_game(structs.replace(head, **seats.columns))
    room = await asked[0]
    assert room is await rooms.room(GAME) and room.table.clocks.white.remaining == 600_000
    await rooms.open_game(structs.replace(head, **seats.columns))  # it exists
    assert await rooms.room(GAME) is room


async def test_a_game_that_is_asked_for_before_it_is_stored_can_be_opened(rooms: Rooms) -> None:
    wanted = NewGame("brasileira", OnOneDevice(), "white", time="none")
    head = wanted.head(ANA, None, rooms.services.words, "en", rooms.time.wall_ms(), played_as=GAME)
    early = asyncio.create_task(rooms.room(GAME))
    await asyncio.sleep(0)  # it is being looked for
    await rooms.open_game(head)
    assert getattr(early.exception(), "status", None) == 404
    assert (await rooms.room(GAME)).id == GAME
