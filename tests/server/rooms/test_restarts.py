"""What outlives the server: seeks, invitations, rematches."""

import asyncio

import pytest

from damas.server.rooms.lobby import Lobby
from damas.server.rooms.rooms import AgainstLevel, AgainstSeek, NewGame, Rooms
from damas.server.settings import Settings
from damas.server.store import Store, StoreError
from server.rooms.test_owner import ANA, RUI, Hands, act, arrive, friends, hands, rooms, settings

__all__ = ["hands", "rooms", "settings"]


async def test_a_seek_is_shown_again_when_its_page_is_back(
    store: Store, settings: Settings, hands: Hands
) -> None:
    first = await Rooms.open(store, settings, time=hands)
    game = await first.create(NewGame("brasileira", AgainstSeek()), ANA)
    assert [seek["id"] for seek in Lobby(first).snapshot()["seeks"]] == [game]
    await first.close()
    hands.pass_by(60)
    second = await Rooms.open(store, settings, time=hands)
    lobby = Lobby(second)
    assert lobby.snapshot()["seeks"] == []  # nobody is shown who is not there
    room = await second.room(game)
    watcher = await arrive(room, ANA)
    assert [seek["id"] for seek in lobby.snapshot()["seeks"]] == [game]
    await room.take_seat(RUI.id, RUI.name, "person")
    assert lobby.snapshot()["seeks"] == [] and room.playing
    room.leave(watcher)
    await second.close()


async def test_there_is_one_rematch_of_a_game(store: Store, settings: Settings, hands: Hands) -> None:
    first = await Rooms.open(store, settings, time=hands)
    room = await friends(first)
    assert (await room.submit(act(room, "resign"), ANA)).kind == "ack"
    assert await first.rematch(room.id, ANA) is None
    new = await first.rematch(room.id, RUI)
    assert new and room.next_game == new
    await first.close()
    second = await Rooms.open(store, settings, time=hands)
    again = await second.room(room.id)
    assert again.describe(ANA.id, "en")["rematch"] == new
    assert await second.rematch(room.id, ANA) == new
    assert [(await second.room(new)).seats.you(person.id) for person in (ANA, RUI)] == ["black", "white"]
    await second.close()


async def test_two_words_at_once_make_one_rematch(rooms: Rooms, store: Store) -> None:
    room = await rooms.room(await rooms.create(NewGame("brasileira", AgainstLevel(1), colour="white"), ANA))
    assert (await room.submit(act(room, "resign"), ANA)).kind == "ack"
    made = await asyncio.gather(*(rooms.rematch(room.id, ANA) for _ in range(5)))
    assert len(set(made)) == 1 and made[0] == room.next_game
    heads = [await store.games.head(game) for game in set(made) if game]
    assert [head and head.previous for head in heads] == [room.id]


async def test_a_rematch_that_could_not_be_stored_is_none(rooms: Rooms, store: Store) -> None:
    room = await rooms.room(await rooms.create(NewGame("brasileira", AgainstLevel(1), colour="white"), ANA))
    assert (await room.submit(act(room, "resign"), ANA)).kind == "ack"
    seen = []

    def fault(stage: str) -> None:
        if stage == "write":
            seen.append(room.next_game)
            raise OSError(28, "No space left on device")

    store.writer.fault = fault
    with pytest.raises(StoreError, match="No space"):
        await rooms.rematch(room.id, ANA)
    assert seen and set(seen) == {None} and room.next_game is None
    store.writer.fault = None
    assert await rooms.rematch(room.id, ANA) == room.next_game
