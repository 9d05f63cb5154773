"""What outlives the server: clocks, seeks, invitations, rematches."""

import asyncio

import msgspec
import pytest

from damas.board import Color
from damas.errors import NotationError
from damas.game import Position
from damas.rules import rulebook
from damas.server.rooms.lobby import Lobby
from damas.server.rooms.new_game import AgainstFriend, AgainstLevel, AgainstSeek, NewGame
from damas.server.rooms.rooms import Rooms
from damas.server.settings import Settings
from damas.server.store import Store
from damas.server.store.errors import StoreError
from damas.server.store.rows import Alive
from server.rooms.by_hand import ANA, RUI, Hands, act, arrive, friends, kill, move, ticked
from server.store.sample_rows import game


@pytest.fixture
def settings(settings: Settings, database_url: str) -> Settings:
    """On both databases."""
    return msgspec.structs.replace(settings, database_url=database_url)


async def test_after_a_crash_time_is_charged_up_to_the_last_sign_of_life(
    store: Store, settings: Settings, hands: Hands
) -> None:
    first = await Rooms.open(store, settings, time=hands)
    room = await friends(first, time="5+0")
    await room.submit(move(room, "c3-d4"), ANA.id)
    await room.submit(move(room, "f6-g5"), RUI.id)
    hands.pass_by(7)
    beat = Alive(node=settings.node, boot="x", wall_ms=hands.wall, mono_ms=hands.mono)
    await store.nodes.heartbeat(beat)
    kill(first)
    hands.pass_by(100)
    second = await Rooms.open(store, settings, time=hands)
    again = await second.room(room.id)
    assert again.table.suspended and again.ledger.epoch == room.ledger.epoch + 1
    assert again.table.clocks.white.remaining == 300_000 - 7_000 + 15_000
    assert again.table.clocks.black.remaining == 300_000 + 5_000
    # The opponent is back: the clock waits for the mover, half a minute at most.
    watcher = await arrive(again, RUI)
    hands.pass_by(29)
    await ticked(again)
    assert again.table.suspended
    hands.pass_by(2)
    await ticked(again)
    assert not again.table.suspended and again.table.clocks.running is Color.WHITE
    hands.pass_by(1)
    assert again.audience.clocks().white == 300_000 - 7_000 + 15_000 - 1_000
    # The old owner is fenced off.
    answer = await room.submit(move(room, "g3-h4"), ANA.id)
    assert answer.kind == "busy" and room.closed
    again.leave(watcher)
    await second.close()


async def test_nobody_comes_back_and_the_game_has_no_result(
    store: Store, settings: Settings, hands: Hands
) -> None:
    first = await Rooms.open(store, settings, time=hands)
    room = await friends(first, time="1+0")
    await room.submit(move(room, "c3-d4"), ANA.id)
    await room.submit(move(room, "f6-g5"), RUI.id)
    await first.close()
    second = await Rooms.open(store, settings, time=hands)
    again = await second.room(room.id)
    hands.pass_by(599)
    await ticked(again)
    assert again.table.outcome is None
    hands.pass_by(2)
    await ticked(again)
    assert again.table.outcome and again.table.outcome.void
    assert again.head.status == "aborted"
    await second.close()


async def test_a_flag_that_was_about_to_fall_does_not_fall_in_an_outage(
    store: Store, settings: Settings, hands: Hands
) -> None:
    first = await Rooms.open(store, settings, time=hands)
    room = await friends(first, time="10s")
    await room.submit(move(room, "c3-d4"), ANA.id)
    await room.submit(move(room, "f6-g5"), RUI.id)
    hands.pass_by(12)  # longer than there was, and the server dies before its timer is asked
    await store.nodes.heartbeat(Alive(node=settings.node, boot="x", wall_ms=hands.wall, mono_ms=hands.mono))
    kill(first)
    second = await Rooms.open(store, settings, time=hands)
    again = await second.room(room.id)
    assert again.table.outcome is None and again.table.clocks.white.remaining == 15_000
    await second.close()


async def test_games_without_a_clock_just_go_on(store: Store, settings: Settings, hands: Hands) -> None:
    first = await Rooms.open(store, settings, time=hands)
    room = await friends(first)
    await room.submit(move(room, "c3-d4"), ANA.id)
    await first.close()
    hands.mono = 10  # another machine, another monotonic clock
    second = await Rooms.open(store, settings, time=hands)
    again = await second.room(room.id)
    assert [event.kind for event in again.table.events] == ["started", "moved"]
    assert (await again.submit(move(again, "f6-g5"), RUI.id)).kind == "ack"
    await second.close()


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


async def test_who_took_the_arbiters_link_is_known_after_a_restart(
    store: Store, settings: Settings, hands: Hands
) -> None:
    first = await Rooms.open(store, settings, time=hands)
    game = await first.create(NewGame("brasileira", AgainstFriend(), "black"), ANA)
    assert await (await first.room(game)).want_arbiter(ANA.id)
    kill(first)
    second = await Rooms.open(store, settings, time=hands)
    room = await second.room(game)
    await room.take_seat(RUI.id, RUI.name, "person")
    players = room.audience.players()
    assert [players[side]["arbiter_link"] for side in ("white", "black")] == [False, True]
    await second.close()


async def test_two_who_agreed_on_an_arbiter_are_not_asked_again_after_a_restart(
    store: Store, settings: Settings, hands: Hands
) -> None:
    first = await Rooms.open(store, settings, time=hands)
    game = await first.create(NewGame("brasileira", AgainstFriend(), "black"), ANA)
    room = await first.room(game)
    await room.take_seat(RUI.id, RUI.name, "person")
    assert not await room.want_arbiter(ANA.id)
    assert await room.want_arbiter(RUI.id)
    kill(first)
    second = await Rooms.open(store, settings, time=hands)
    room = await second.room(game)
    assert room.audience.describe(ANA.id, "en")["arbiter_wanted"] == ["white", "black"]
    assert await room.want_arbiter(ANA.id)
    await second.close()


async def test_a_thousandth_game_is_taken_up_like_the_first(
    store: Store, settings: Settings, hands: Hands
) -> None:
    first = await Rooms.open(store, settings, time=hands)
    played = [await friends(first, time="5+3") for _ in range(40)]
    for room in played:
        assert (await room.submit(move(room, "c3-d4"), ANA.id)).kind == "ack"
    waiting = await first.create(NewGame("brasileira", AgainstFriend(), time="5+3"), ANA)
    await first.close()
    hands.pass_by(60)
    second = await Rooms.open(store, settings, time=hands)
    asked_for = await second.room(played[-1].id)  # somebody comes while they are being taken up
    while len(second) < len(played):
        await asyncio.sleep(0)
    for room in played:
        again = await second.room(room.id)
        assert again.table.suspended and again.table.ply == 1 and again.ledger.epoch == 2
        assert [event.kind for event in again.table.events[-2:]] == ["time_added", "time_added"]
    assert await second.room(played[-1].id) is asked_for
    assert waiting not in {room.id for room in second}
    await second.close()


@pytest.mark.parametrize("away_s", [1, 3600])
async def test_a_game_between_two_nodes_goes_on_or_gets_what_an_outage_gives(
    store: Store, settings: Settings, hands: Hands, away_s: int
) -> None:
    first = await Rooms.open(store, settings, time=hands)
    room = await friends(first, time="5+3")
    assert (await room.submit(move(room, "c3-d4"), ANA.id)).kind == "ack"
    hands.pass_by(4)
    await room.hand_over()
    assert (await room.submit(move(room, "f6-g5"), RUI.id)).kind == "busy"
    await first.close()
    hands.pass_by(away_s)
    second = await Rooms.open(store, settings, time=hands)
    again = await second.room(room.id)
    extra = [event for event in again.table.events if event.kind == "time_added"]
    assert again.table.suspended and len(extra) == (2 if away_s > 60 else 0)
    hands.pass_by(4)
    await ticked(again)
    assert again.table.suspended is (away_s > 60)  # after an outage it waits for its players
    assert again.table.clocks.black.remaining == 300_000 - 4_000 + (15_000 if extra else 0)
    await second.close()


async def test_by_correspondence_nobody_need_be_there(store: Store, settings: Settings, hands: Hands) -> None:
    first = await Rooms.open(store, settings, time=hands)
    room = await friends(first, time="3d")
    watcher = await arrive(room, ANA)
    assert (await room.submit(move(room, "c3-d4"), ANA.id)).kind == "ack"
    room.leave(watcher)
    hands.pass_by(3600)
    room.tick()
    await ticked(room)
    assert not room.table.absent and room.playing
    await first.close()
    second = await Rooms.open(store, settings, time=hands)
    again = await second.room(room.id)
    hands.pass_by(3600)  # nobody comes: it goes on all the same, and is not called off
    again.tick()
    await ticked(again)
    assert again.playing and not again.table.suspended
    hands.pass_by(4 * 86_400)
    again.tick()
    await ticked(again)
    assert again.table.outcome and again.table.outcome.reason == "FLAG"
    with pytest.raises(NotationError):
        await second.create(NewGame("brasileira", AgainstFriend(), time="15d"), ANA)
    await second.close()


async def test_there_is_one_rematch_of_a_game(store: Store, settings: Settings, hands: Hands) -> None:
    first = await Rooms.open(store, settings, time=hands)
    room = await friends(first)
    assert (await room.submit(act(room, "resign"), ANA.id)).kind == "ack"
    assert await first.rematch(room.id, ANA) is None
    new = await first.rematch(room.id, RUI)
    assert new and room.ledger.next_game == new
    await first.close()
    second = await Rooms.open(store, settings, time=hands)
    again = await second.room(room.id)
    assert again.audience.describe(ANA.id, "en")["rematch"] == new
    assert await second.rematch(room.id, ANA) == new
    assert [(await second.room(new)).seats.you(person.id) for person in (ANA, RUI)] == ["black", "white"]
    await second.close()


async def test_a_game_keeps_its_edition_and_its_rematch_is_under_todays(rooms: Rooms, store: Store) -> None:
    earlier, today = "09dacc11b9ebdb2e", rulebook("brasileira").hash
    fen = Position.start("brasileira").fen
    head = game("aaaaaaaaaaaa", rulebook_hash=earlier, fen=fen, white_id=ANA.id, black_id=RUI.id)
    await store.games.create(head)
    room = await rooms.room("aaaaaaaaaaaa")
    assert room.table.book.hash == earlier
    assert (await room.submit(act(room, "resign"), ANA.id)).kind == "ack"
    await rooms.rematch(room.id, ANA)
    new = await rooms.rematch(room.id, RUI)
    assert new
    rematch = await rooms.room(new)
    assert rematch.head.rulebook_hash == rematch.table.book.hash == today != earlier


async def test_a_game_by_link_is_not_shown_to_others(rooms: Rooms) -> None:
    lobby = Lobby(rooms)
    by_link = await friends(rooms)
    sought = await rooms.room(await rooms.create(NewGame("brasileira", AgainstSeek()), ANA))
    await sought.take_seat(RUI.id, RUI.name, "person")
    wanted = NewGame("brasileira", AgainstFriend(), public=True)
    shown = await rooms.room(await rooms.create(wanted, ANA))
    await shown.take_seat(RUI.id, RUI.name, "person")
    assert {game["id"] for game in lobby.snapshot()["games"]} == {sought.id, shown.id}
    assert by_link in rooms.live
    assert (await by_link.submit(act(by_link, "resign"), ANA.id)).kind == "ack"
    await rooms.rematch(by_link.id, ANA)
    again = await rooms.rematch(by_link.id, RUI)
    assert again and not (await rooms.room(again)).head.public


async def test_two_words_at_once_make_one_rematch(rooms: Rooms, store: Store) -> None:
    room = await rooms.room(await rooms.create(NewGame("brasileira", AgainstLevel(1), colour="white"), ANA))
    assert (await room.submit(act(room, "resign"), ANA.id)).kind == "ack"
    games = await asyncio.gather(*(rooms.rematch(room.id, ANA) for _ in range(5)))
    assert len(set(games)) == 1 and games[0] == room.ledger.next_game
    heads = [await store.games.head(game) for game in set(games) if game]
    assert [head and head.previous for head in heads] == [room.id]


async def test_a_rematch_that_could_not_be_stored_is_none(rooms: Rooms, store: Store) -> None:
    room = await rooms.room(await rooms.create(NewGame("brasileira", AgainstLevel(1), colour="white"), ANA))
    assert (await room.submit(act(room, "resign"), ANA.id)).kind == "ack"
    seen = []

    def fault(stage: str) -> None:
        if stage == "write":
            seen.append(room.ledger.next_game)
            raise OSError(28, "No space left on device")

    store.writer.fault = fault
    with pytest.raises(StoreError, match="no space left"):
        await rooms.rematch(room.id, ANA)
    assert seen and set(seen) == {None} and room.ledger.next_game is None
    store.writer.fault = None
    assert await rooms.rematch(room.id, ANA) == room.ledger.next_game
