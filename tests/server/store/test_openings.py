"""Counts of openings: a game counts once, goes on after its end, and goes with the person who played it."""

import pytest

from damas.server.store import Store
from damas.server.store.openings import AlreadyCounted
from damas.server.store.rows import HeadUpdate
from server.store.sample_rows import event, game

ENDED = HeadUpdate(status="over", result="1-0", updated_ms=50)
KEYS = (5, -7, 9)


async def finished(store: Store, id: str, **fields: object) -> None:
    await store.games.create(game(id, white_id="ana", black_id="rui", **fields), node="n")
    await store.games.append(id, 1, [event(1)], ENDED)


async def counts(store: Store, person: str = "") -> dict[tuple[str, int], tuple[int, int, int]]:
    return {
        (each.side, each.after): (each.white, each.draws, each.black)
        for each in await store.openings.moves(person, 5)
    }


async def test_a_game_counts_for_all_and_for_its_players(store: Store) -> None:
    await finished(store, "g")
    assert await store.openings.uncounted(0, 10) == [("g", 50)]
    head = await store.games.head("g")
    assert head is not None
    await store.openings.count(head, KEYS)
    await store.openings.count(head, KEYS)
    assert await store.openings.uncounted(0, 10) == []
    assert await store.openings.last_counted_ms() == 50
    assert await counts(store) == {("", -7): (1, 0, 0)}
    assert await counts(store, "ana") == {("white", -7): (1, 0, 0)}
    assert await counts(store, "rui") == {("black", -7): (1, 0, 0)}


async def test_private_games_and_levels(store: Store) -> None:
    await finished(store, "g", public=False, black_kind="level:3")
    head = await store.games.head("g")
    assert head is not None
    await store.openings.count(head, KEYS)
    assert await counts(store) == {} == await counts(store, "rui")
    assert await counts(store, "ana") == {("white", -7): (1, 0, 0)}


async def test_a_game_that_goes_on_after_its_end_is_counted_as_it_ends_then(store: Store) -> None:
    await finished(store, "g")
    head = await store.games.head("g")
    assert head is not None
    await store.openings.count(head, KEYS)
    await store.games.append("g", 1, [event(2)], HeadUpdate(result="0-1", updated_ms=70))
    assert await store.openings.uncounted(0, 10) == [("g", 70)]
    later = await store.games.head("g")
    assert later is not None
    await store.openings.count(later, (5, -7, 11))
    await store.openings.count(head, KEYS)  # an older view of it comes too late
    assert await counts(store) == {("", -7): (0, 0, 1)}
    assert [each.after for each in await store.openings.moves("", -7) if each.black] == [11]


async def test_another_node_was_first(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    await finished(store, "g")
    head = await store.games.head("g")
    assert head is not None
    await store.openings.count(head, KEYS)
    monkeypatch.setattr("damas.server.store.openings._counted_row", lambda *_: None)
    with pytest.raises(AlreadyCounted):
        await store.openings.count(head, KEYS)
    assert await counts(store) == {("", -7): (1, 0, 0)}


async def test_counts_of_a_visitor_go_to_the_account_and_with_it(store: Store) -> None:
    for name, white in (("g", "visitor"), ("h", "account")):
        await store.games.create(game(name, white_id=white, black_id="rui"), node="n")
        await store.games.append(name, 1, [event(1)], ENDED)
        head = await store.games.head(name)
        assert head is not None
        await store.openings.count(head, KEYS)
    await store.people.adopt("visitor", "account")
    assert await counts(store, "visitor") == {}
    assert await counts(store, "account") == {("white", -7): (2, 0, 0)}
    await store.people.close_account("account")
    assert await counts(store, "account") == {}
    assert await counts(store) == {("", -7): (2, 0, 0)}
