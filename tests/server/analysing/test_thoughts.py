"""Engines for visitors: told from White's side, one search a visitor, none left behind."""

import asyncio
from contextlib import aclosing

import pytest

from damas.game import Position
from damas.server.analysing.places import Place
from damas.server.analysing.pool import Pool
from damas.server.analysing.thinking import Thoughts, TooManySearches
from damas.views import plain


@pytest.fixture
async def pool():
    pool = Pool(slots=1, threads=1, hash_mb=1, idle=60)
    yield pool
    pool.stop()


@pytest.fixture
async def thoughts(pool):
    thoughts = Thoughts(pool, seconds=0.6)
    yield thoughts
    thoughts.close()


async def all_of(messages):
    async with aclosing(messages) as told:
        return [plain(message) async for message in told]


async def test_lines_come_deeper_and_deeper_and_the_last_says_why_it_ended(thoughts):
    told = await all_of(thoughts.about("ana", Place.read("brasileira", "", "").record, 3))
    depths = [message["depth"] for message in told]
    assert depths == sorted(depths) and depths[-1] >= 5
    assert told[-1]["done"] == "time" and "done" not in told[0]
    assert len(told[-1]["lines"]) == 3
    first = told[-1]["lines"][0]["moves"][0]
    legal = {move.text: list(move.route) for move in Position.start("brasileira").legal_moves}
    assert legal[first["text"]] == first["route"]


@pytest.mark.parametrize(
    ("fen", "winner"), [("W:WKd4,c3:Ba5", "white"), ("B:WKd4,c3:Ba5", "white"), ("B:Wa3:BKd4,f6", "black")]
)
async def test_scores_are_whites_whoever_is_to_move(thoughts, fen, winner):
    told = (await all_of(thoughts.about("ana", Place.read("faraes", fen, "").record, 1)))[-1]
    assert (told["score"] > 0) is (winner == "white")
    assert (told["chance"] > 0.5) is (winner == "white")


async def test_the_moves_before_count(thoughts):
    place = Place.read("brasileira", "W:WKg1,Ka1:BKb8", "g1-h2.b8-a7.h2-g1.a7-b8")
    assert place.record.length == 4
    told = await all_of(thoughts.about("ana", place.record, 1))
    assert told[-1]["lines"]


async def test_a_position_without_a_move_is_over(thoughts):
    told = await all_of(thoughts.about("ana", Place.read("faraes", "W:W:Bd4", "").record, 1))
    assert told == [{"done": "over", "lines": []}]


async def test_the_newer_question_stops_the_older(pool):
    thoughts = Thoughts(pool, seconds=60)
    older = thoughts.about("ana", Place.read("brasileira", "", "").record, 1)
    await anext(older)
    second = thoughts.about("ana", Place.read("brasileira", "", "c3-d4").record, 1)
    waiting = asyncio.ensure_future(anext(second))
    told = await all_of(older)
    assert told[-1]["done"] == "newer"
    await waiting
    assert thoughts.running == 1
    await second.aclose()
    assert thoughts.running == 0
    thoughts.close()


async def test_whoever_stops_listening_stops_the_search(pool):
    thoughts = Thoughts(pool, seconds=60)
    async with aclosing(thoughts.about("ana", Place.read("brasileira", "", "").record, 1)) as told:
        await anext(told)
    async with asyncio.timeout(5), pool.engine(Place.read("brasileira", "", "").book) as engine:
        assert engine  # the only place is free again
    thoughts.close()


async def test_while_others_wait_a_search_is_cut_short(pool):
    thoughts = Thoughts(pool, seconds=60, fair=0.3)
    record = Place.read("brasileira", "", "").record
    first = asyncio.ensure_future(all_of(thoughts.about("ana", record, 1)))
    await asyncio.sleep(0.1)
    second = thoughts.about("rui", record, 1)
    assert plain(await anext(second)) == {"waiting": True}
    coming = asyncio.ensure_future(anext(second))
    async with asyncio.timeout(10):
        assert (await first)[-1]["done"] == "others"
        assert (await coming).depth
    await second.aclose()
    thoughts.close()


async def test_an_engine_that_nobody_uses_is_closed():
    pool = Pool(slots=2, threads=1, hash_mb=1, idle=0.05)
    async with pool.engine(Place.read("faraes", "", "").book) as engine:
        assert pool.engines == 1
    async with pool.engine(engine.book) as again:
        assert again is engine
    await asyncio.sleep(0.2)
    assert pool.engines == 0


async def test_never_more_engines_than_places():
    pool = Pool(slots=1, threads=1, hash_mb=1, idle=60)
    for book in ("faraes", "portuguesa", "concurso"):
        async with pool.engine(Place.read(book, "", "").book):
            assert pool.engines == 1
    pool.stop()
    assert pool.engines == 0


async def test_an_address_has_two_searches_under_way_whoever_sits_there(pool):
    thoughts = Thoughts(pool, seconds=60, each=2)
    record = Place.read("brasileira", "", "").record
    opened = [thoughts.about(who, record, 1, "192.0.2.1") for who in ("ana", "rui")]
    with pytest.raises(TooManySearches):
        thoughts.about("eva", record, 1, "192.0.2.1")
    opened.append(thoughts.about("ana", record, 1, "192.0.2.1"))  # instead of her own
    opened.append(thoughts.about("eva", record, 1, "192.0.2.2"))
    thoughts.close()
    for told in opened:
        assert (await all_of(told))[-1]["done"] in ("newer", "closed")
    assert thoughts.running == 0
    assert thoughts.about("eva", record, 1, "192.0.2.1"), "the turns were given back"
