"""Searches for visitors: scores from White's side, one search a visitor, no engine left running."""

import asyncio
from contextlib import aclosing

import pytest

from damas.game import Position
from damas.server.analysing.engines import Engines
from damas.server.analysing.places import record_of
from damas.server.analysing.searches import Searches
from damas.server.security.errors import ApiError
from damas.server.settings import Limits
from damas.server.workers import Caller
from damas.views import plain

ANA, RUI = Caller("ana"), Caller("rui")


def record(book="brasileira", fen="", moves=""):
    return record_of(book, fen, moves)


QUICK = Limits(analysis_s=0.6, analysis_hash_mb=1)
LONG = Limits(analysis_s=3600, analysis_fair_s=0, analysis_hash_mb=1)


@pytest.fixture
def engines():
    engines = Engines(1, QUICK)
    yield engines
    engines.close()


@pytest.fixture
async def searches(engines):
    searches = Searches(engines, QUICK)
    yield searches
    searches.close()


@pytest.fixture
async def long_searches(engines):
    """Searches that go on until something ends them."""
    searches = Searches(engines, LONG)
    yield searches
    searches.close()


async def all_of(messages):
    async with aclosing(messages):
        return [plain(message) async for message in messages]


async def test_results_get_deeper_and_the_last_says_why_it_ended(searches):
    messages = await all_of(searches.start(ANA, record(), 3))
    depths = [message["depth"] for message in messages]
    assert depths == sorted(depths) and depths[-1] >= 5
    assert messages[-1]["done"] == "time" and "done" not in messages[0]
    assert len(messages[-1]["lines"]) == 3
    first = messages[-1]["lines"][0]["moves"][0]
    legal = {move.text: list(move.route) for move in Position.start("brasileira").legal_moves}
    assert legal[first["text"]] == first["route"]


@pytest.mark.parametrize(
    ("fen", "winner"), [("W:WKd4,c3:Ba5", "white"), ("B:WKd4,c3:Ba5", "white"), ("B:Wa3:BKd4,f6", "black")]
)
async def test_scores_are_whites_whoever_is_to_move(searches, fen, winner):
    last = (await all_of(searches.start(ANA, record("faraes", fen), 1)))[-1]
    assert (last["score"] > 0) is (winner == "white")
    assert (last["chance"] > 0.5) is (winner == "white")


async def test_earlier_moves_of_the_game_count(searches):
    played = record("brasileira", "W:WKg1,Ka1:BKb8", "g1-h2.b8-a7.h2-g1.a7-b8")
    assert played.length == 4
    assert (await all_of(searches.start(ANA, played, 1)))[-1]["lines"]


async def test_a_position_without_a_move_is_over(searches):
    assert await all_of(searches.start(ANA, record("faraes", "W:W:Bd4"), 1)) == [
        {"done": "over", "lines": []}
    ]


async def test_a_visitors_new_search_ends_the_older(long_searches):
    older = long_searches.start(ANA, record(), 1)
    await anext(older)
    newer = long_searches.start(ANA, record(moves="c3-d4"), 1)
    waiting = asyncio.ensure_future(anext(newer))
    assert (await all_of(older))[-1]["done"] == "newer"
    await waiting
    assert len(long_searches) == 1
    await newer.aclose()
    assert len(long_searches) == 0


async def test_closing_the_messages_stops_the_search(long_searches):
    async with aclosing(long_searches.start(ANA, record(), 1)) as messages:
        await anext(messages)
    while long_searches._workers.running:
        await asyncio.sleep(0.01)


async def test_a_search_is_cut_short_while_others_wait(long_searches):
    first = long_searches.start(ANA, record(), 1)
    assert (await anext(first)).depth
    second = long_searches.start(RUI, record(), 1)
    assert plain(await anext(second)) == {"waiting": True}
    coming = asyncio.ensure_future(anext(second))
    assert (await all_of(first))[-1]["done"] == "others"
    assert (await coming).depth
    await second.aclose()


def test_an_unused_engine_is_lent_again_and_closed_when_idle():
    engines = Engines(2, Limits(analysis_idle_s=0))
    book = record("faraes").rulebook
    with engines.lend(book) as engine:
        assert len(engines) == 1
        engines.close_idle()
        assert len(engines) == 1, "it is in use"
    with engines.lend(book) as again:
        assert again is engine
    engines.close_idle()
    assert len(engines) == 0


async def test_an_idle_engine_is_closed_some_time_after_its_search():
    limits = Limits(analysis_s=0.05, analysis_idle_s=0.01)
    engines = Engines(1, limits)
    searches = Searches(engines, limits)
    assert (await all_of(searches.start(ANA, record(), 1)))[-1]["done"] == "time"
    while len(engines):
        await asyncio.sleep(0.01)


def test_never_more_engines_than_the_limit(engines):
    for book in ("faraes", "portuguesa", "concurso"):
        with engines.lend(record(book).rulebook):
            assert len(engines) == 1
    engines.close()
    assert len(engines) == 0


async def test_an_address_has_two_searches_whoever_sits_there(long_searches):
    started = [long_searches.start(Caller(name, "192.0.2.1"), record(), 1) for name in ("ana", "rui")]
    with pytest.raises(ApiError) as refused:
        long_searches.start(Caller("eva", "192.0.2.1"), record(), 1)
    assert (refused.value.status, refused.value.code) == (429, "UNDER_WAY")
    started.append(long_searches.start(Caller("ana", "192.0.2.1"), record(), 1))  # instead of her own
    started.append(long_searches.start(Caller("eva", "192.0.2.2"), record(), 1))
    long_searches.close()
    for messages in started:
        assert (await all_of(messages))[-1]["done"] in ("newer", "closed")
    assert len(long_searches) == 0
    assert long_searches.start(Caller("eva", "192.0.2.1"), record(), 1), "the shares were given back"
