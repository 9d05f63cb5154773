"""Answers that are remembered."""

import asyncio

import pytest

from damas.server.web.recent import Recent


async def test_the_results_used_last_are_remembered() -> None:
    recent, made = Recent[str](2), []

    async def use(key: str) -> str:
        async def make() -> str:
            made.append(key)
            return key.upper()

        return await recent.get(key, make)

    assert [await use(key) for key in "abaca"] == ["A", "B", "A", "C", "A"]
    assert made == ["a", "b", "c"]
    assert await use("b") == "B" and made == ["a", "b", "c", "b"], "it was the longest unused"


async def test_a_result_is_made_once_for_all_who_ask_meanwhile() -> None:
    recent, made, ready = Recent[int](2), [], asyncio.Event()

    async def make() -> int:
        made.append(1)
        await ready.wait()
        return len(made)

    first, second = (asyncio.create_task(recent.get("key", make)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    ready.set()
    assert await second == 1 and await recent.get("key", make) == 1


async def test_a_failure_is_not_remembered() -> None:
    recent = Recent[int](2)

    async def fail() -> int:
        raise ZeroDivisionError

    async def succeed() -> int:
        return 1

    with pytest.raises(ZeroDivisionError):
        await recent.get("key", fail)
    assert await recent.get("key", succeed) == 1
