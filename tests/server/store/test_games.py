"""The log of events: exactly once, in order, by its owner only. On both databases."""

import asyncio

import msgspec
import pytest

from damas.server.settings import Limits, Settings
from damas.server.store import Store
from damas.server.store.errors import (
    BadValue,
    BrokenChain,
    DuplicateEvent,
    SeatTaken,
    StaleOwner,
    UnknownGame,
    WriteRefused,
)
from damas.server.store.rows import FIRST_EPOCH, NO_CHAIN, Alive, ChatLine, Filter, HeadUpdate, link, linked
from server.store.sample_rows import event, events, game


async def test_a_game_comes_back_as_it_was_written(store: Store) -> None:
    row = game("g", white_id="ana", white_name="Ana 🙂", public=False)
    first = event(1, kind="started", data='{"a": "ç\\u0000"}')
    written = await store.games.create(row, [first], node="main")
    written += await store.games.append(
        "g",
        FIRST_EPOCH,
        [event(2, client_id="c2", answer='{"t":"ack"}', white_ms=5), event(3, kind="ruled")],
        HeadUpdate(status="over", result="1-0", reason="resigned", plies=1, updated_ms=9),
    )
    assert await store.games.events("g") == written
    assert await store.games.events("g", after=1) == written[1:]
    head = await store.games.head("g")
    assert head == msgspec.structs.replace(
        row,
        status="over",
        result="1-0",
        reason="resigned",
        plies=1,
        updated_ms=9,
        seq=3,
        chain=written[-1].chain,
    )
    assert await store.games.by_client_id("g", "c2") == written[1]
    assert await store.games.by_client_id("g", "c3") is None
    assert await store.games.head("nobody") is None


async def test_each_event_is_chained_to_the_one_before(store: Store) -> None:
    await store.games.create(game("g"), [event(1, kind="started")])
    await store.games.append("g", FIRST_EPOCH, [event(2), event(3)])
    chain = NO_CHAIN
    for row in await store.games.events("g"):
        chain = link(chain, row)
        assert row.chain == chain
    with pytest.raises(BrokenChain):
        await store.games.append("g", FIRST_EPOCH, [msgspec.structs.replace(event(4), chain="0" * 64)])
    assert len(await store.games.events("g")) == 3


async def test_a_client_id_is_written_once(store: Store) -> None:
    await store.games.create(game("g"))
    await store.games.append("g", FIRST_EPOCH, [event(1, client_id="once")])
    with pytest.raises(DuplicateEvent):
        await store.games.append("g", FIRST_EPOCH, [event(2, client_id="once")])
    assert [row.seq for row in await store.games.events("g")] == [1]
    # In another game it is another message.
    await store.games.create(game("h"))
    await store.games.append("h", FIRST_EPOCH, [event(1, client_id="once")])


async def test_the_same_move_sent_many_times_at_once_is_written_once(store: Store) -> None:
    await store.games.create(game("g"))
    sent = [store.games.append("g", FIRST_EPOCH, [event(1, client_id="once")]) for _ in range(50)]
    answers = await asyncio.gather(*sent, return_exceptions=True)
    assert sum(isinstance(answer, list) for answer in answers) == 1
    assert sum(isinstance(answer, DuplicateEvent) for answer in answers) == 49
    assert len(await store.games.events("g")) == 1


async def test_a_ply_is_played_once_on_each_line(store: Store) -> None:
    await store.games.create(game("g"))
    await store.games.append("g", FIRST_EPOCH, [event(1, ply=1)])
    with pytest.raises(DuplicateEvent):
        await store.games.append("g", FIRST_EPOCH, [event(2, ply=1)])
    # What is not a move may share a ply; after a take-back the ply is played anew.
    await store.games.append(
        "g", FIRST_EPOCH, [event(2, kind="take_back_granted", ply=1), event(3, ply=1, line=1)]
    )


async def test_numbers_have_no_gap_and_no_second_use(store: Store) -> None:
    await store.games.create(game("g"))
    await store.games.append("g", FIRST_EPOCH, events(1, 4))
    with pytest.raises(DuplicateEvent):
        await store.games.append("g", FIRST_EPOCH, [event(3, client_id="new")])
    with pytest.raises(BrokenChain):
        await store.games.append("g", FIRST_EPOCH, [event(6)])
    with pytest.raises(BrokenChain):
        await store.games.append("g", FIRST_EPOCH, [event(5), event(7)])
    assert [row.seq for row in await store.games.events("g")] == [1, 2, 3, 4]


async def test_who_lost_a_game_cannot_write_to_it(store: Store) -> None:
    await store.games.create(game("g"), node="main")
    await store.games.append("g", FIRST_EPOCH, [event(1)])
    epoch = (await store.games.take(["g"], "main"))["g"]
    assert epoch == FIRST_EPOCH + 1
    with pytest.raises(StaleOwner, match=f"is at epoch {epoch}"):
        await store.games.append("g", FIRST_EPOCH, [event(2)])
    with pytest.raises(StaleOwner):  # an event of the old epoch under the new one's name
        await store.games.append("g", epoch, [event(2)])
    with pytest.raises(StaleOwner):
        await store.games.set_seat("g", FIRST_EPOCH, "white", "eva", "Eva")
    await store.games.append("g", epoch, [event(2, epoch=epoch)])
    assert [(row.seq, row.epoch) for row in await store.games.events("g")] == [(1, 1), (2, 2)]


async def test_a_living_owner_keeps_its_games_and_others_are_taken_from_it(store: Store) -> None:
    await store.games.create(game("g"), node="one")
    await store.games.create(game("free"))
    assert await store.games.take(["g", "free", "nobody"], "two") == {"free": FIRST_EPOCH + 1}
    assert await store.games.owner("g") == ("one", FIRST_EPOCH)
    assert await store.games.take(["g"], "one") == {"g": FIRST_EPOCH + 1}  # a restart of its own


async def test_unknown_games_are_refused(store: Store) -> None:
    with pytest.raises(UnknownGame):
        await store.games.append("nobody", 1, [event(1)])
    with pytest.raises(UnknownGame):
        await store.games.say("nobody", "ana", "Ana", "oi", 1)


async def test_what_no_database_can_hold_is_the_callers_mistake(store: Store) -> None:
    await store.games.create(game("g"))
    with pytest.raises(BadValue):
        await store.games.say("g", "ana", "Ana", "\ud800", 1)
    with pytest.raises(BadValue):
        await store.people.account_named("\ud800")
    assert store.trouble is None


async def test_an_id_is_created_once_and_numbered_from_one(store: Store) -> None:
    await store.games.create(game("g"))
    with pytest.raises(WriteRefused):
        await store.games.create(game("g"))
    with pytest.raises(WriteRefused):
        await store.games.create(game("h"), [event(2)])
    assert await store.games.head("h") is None


async def test_two_strangers_cannot_share_a_seat(store: Store) -> None:
    await store.games.create(game("g"))
    sitting = [store.games.set_seat("g", FIRST_EPOCH, "black", name, name) for name in ("ana", "rui", "eva")]
    answers = await asyncio.gather(*sitting, return_exceptions=True)
    assert sum(answer is None for answer in answers) == 1
    assert sum(isinstance(answer, SeatTaken) for answer in answers) == 2
    head = await store.games.head("g")
    assert head is not None and head.black_id is not None and head.white_id is None
    await store.games.set_seat("g", FIRST_EPOCH, "black", head.black_id, "A new name")  # the own seat


async def test_search(store: Store) -> None:
    rows = [
        game("1", white_id="ana", black_kind="level:4", result="1-0", status="over", updated_ms=1),
        game("2", black_id="ana", white_id="rui", result="1-0", status="over", updated_ms=2),
        game("3", white_id="ana", black_id="rui", rulebook="faraes", updated_ms=3, public=False),
        game("4", white_id="rui", black_kind="level:9", result="1/2-1/2", status="over", updated_ms=3),
    ]
    for row in rows:
        await store.games.create(row)

    async def found(**conditions: object) -> list[str]:
        return [row.id for row in await store.games.search(Filter(**conditions))]  # type: ignore[arg-type]

    assert await found() == ["4", "3", "2", "1"]
    assert await found(person="ana") == ["3", "2", "1"]
    assert await found(person="ana", result="won") == ["1"]
    assert await found(person="ana", result="lost") == ["2"]
    assert await found(result="drawn") == ["4"]
    assert await found(person="ana", opponent_kind="level") == ["1"]
    assert await found(opponent_kind="level:9") == ["4"]
    assert await found(rulebook="faraes") == ["3"]
    assert await found(public=True, status="over") == ["4", "2", "1"]
    assert await found(limit=2) == ["4", "3"]
    assert await found(before=3) == ["2", "1"]
    assert await found(before=3, before_id="4") == ["3", "2", "1"]
    assert [head.id for head in await store.games.unfinished("")] == ["3"]


async def test_of_chat_the_last_lines_are_kept(settings: Settings) -> None:
    assert settings.limits.chat_lines == 200
    store = await Store.open(msgspec.structs.replace(settings, limits=Limits(chat_lines=3)))
    await store.games.create(game("g"))
    for number in range(1, 6):
        await store.games.say("g", "ana", "Ana", f"oi {number}", number)
    lines = await store.games.chat("g")
    await store.close()
    assert [line.number for line in lines] == [3, 4, 5]
    assert lines[-1] == ChatLine(number=5, person="ana", name="Ana", text="oi 5", wall_ms=5)


async def test_a_node_is_remembered_by_its_last_sign_of_life(store: Store) -> None:
    assert await store.nodes.last_beat("main") is None
    for second in range(3):
        await store.nodes.heartbeat(Alive(node="main", boot="b", wall_ms=second, mono_ms=second * 7))
    assert await store.nodes.last_beat("main") == Alive(node="main", boot="b", wall_ms=2, mono_ms=14)


async def test_a_secret_is_made_once(store: Store) -> None:
    secret = await store.secret("cookie")
    assert len(secret) == 32
    assert await store.secret("cookie") == secret
    assert await store.secret("other") != secret


async def test_events_that_are_linked_already_must_follow_the_last_one(store: Store) -> None:
    await store.games.create(game("g"), [event(1)], node="here")
    first = (await store.games.events("g"))[-1].chain
    second = linked(first, [event(2)])
    with pytest.raises(BrokenChain):
        await store.games.append("g", FIRST_EPOCH, linked("0" * 64, [event(2)]), follows="0" * 64)
    assert await store.games.append("g", FIRST_EPOCH, second, follows=first) == second
    assert (await store.games.events("g"))[-1].chain == second[0].chain
