"""Engines with asyncio: several think at once, and a cancelled call stops its search."""

import asyncio

import pytest

from client.programs import OURS, fake
from damas import Game
from damas.client import AsyncClient, EngineTimeout, Limits

START = Game.start("brasileira")
SMALL = {"tt-size": 1}


@pytest.mark.parametrize("spec", ["damas", OURS])
async def test_the_calls_are_those_of_the_engine(spec):
    async with await AsyncClient.open(spec, "brasileira", options=SMALL, timeout=60) as engine:
        assert engine.name == "damas" and engine.options["threads"].maximum == 256 and engine.id["version"]
        await engine.configure({"threads": 1})
        await engine.new_game()
        await engine.ping()
        result = await engine.play(START, Limits(nodes=200), ponder=True)
        assert result.move in START.legal_moves
        assert (await engine.analyse(START, Limits(depth=4))).depth == 4
        assert len(await engine.analyse(START, Limits(depth=4), multipv=2)) == 2
        with pytest.raises(ValueError, match="needs a limit"):
            await engine.analyse(START, Limits())
        async with await engine.analysis(START) as analysis:
            async for info in analysis:
                if info.depth >= 4:
                    analysis.stop()
        assert analysis.done and analysis.info.depth >= 4 and analysis.lines


async def test_a_cancelled_search_is_stopped_and_the_engine_goes_on():
    async with await AsyncClient.open(OURS, "brasileira", options=SMALL, timeout=60) as engine:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(engine.play(START, Limits()), 0.2)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(engine.play(START, Limits()), 0)
        assert (await engine.play(START, Limits(nodes=100))).move in START.legal_moves


async def test_two_engines_think_at_once():
    async with (
        await AsyncClient.open(OURS, "brasileira", options=SMALL, timeout=60) as first,
        await AsyncClient.open("damas", "brasileira", options=SMALL) as second,
    ):
        endless = asyncio.create_task(first.play(START, Limits()))
        assert (await second.play(START, Limits(nodes=200))).move in START.legal_moves
        while not first.client._search:
            await asyncio.sleep(0.005)
        first.stop()
        assert (await endless).move in START.legal_moves


async def test_an_engine_that_hangs_is_an_error_where_it_is_awaited(tmp_path):
    async with await AsyncClient.open(fake(tmp_path), "brasileira", timeout=60) as engine:
        engine.client.timeout = 0.1
        with pytest.raises(EngineTimeout):
            await engine.play(START, Limits(movetime=0.05))
