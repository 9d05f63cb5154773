"""All objects are looked at when nothing is going on, and not otherwise."""

import asyncio
import gc
from collections.abc import Iterator

import pytest

from damas.server import litter


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """As it was, afterwards."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


def looks_at_all() -> int:
    return int(gc.get_stats()[2]["collections"])


async def looked(quiet: bool, seldom_s: float = 3600) -> int:
    """How often within a short while in which something happens."""
    before = looks_at_all()
    looking = asyncio.create_task(litter.look_around(lambda: quiet, 0.01, seldom_s))
    await asyncio.sleep(0.05)
    gc.collect(1)
    await asyncio.sleep(0.05)
    looking.cancel()
    return looks_at_all() - before


async def test_all_objects_are_looked_at_when_it_is_quiet() -> None:
    litter.settle()
    assert gc.get_freeze_count() > 10_000
    rings = []
    for _ in range(50_000):
        rings.append([rings])
    assert await looked(quiet=False) == 0
    assert 1 <= await looked(quiet=True) <= 2
    assert await looked(quiet=False, seldom_s=0) >= 1
