"""All objects are looked at when nothing is going on, and not otherwise."""

import asyncio
import gc
import weakref
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


async def looked(quiet: bool, seldom_s: float = 3600, *, busy: bool = True) -> int:
    """How often within a short while, in which something happens if it is `busy`."""
    before = looks_at_all()
    looking = asyncio.create_task(litter.look_around(lambda: quiet, 0.005, 0.01, seldom_s))
    await asyncio.sleep(0.01)
    rings = [[[None]] for _ in range(5_000 if busy else 0)]
    await asyncio.sleep(0.1)
    looking.cancel()
    assert len(rings) == (5_000 if busy else 0)
    return looks_at_all() - before


async def test_all_objects_are_looked_at_when_it_is_quiet() -> None:
    litter.settle()
    assert gc.get_freeze_count() > 10_000
    assert await looked(quiet=False) == 0
    assert await looked(quiet=True) == 1
    assert await looked(quiet=True, busy=False) == 0
    assert await looked(quiet=False, seldom_s=0) >= 1


class Ring:
    def __init__(self) -> None:
        self.me = self


async def test_who_dies_young_is_found_at_once_and_who_lives_when_it_is_quiet() -> None:
    litter.settle()
    quiet = False
    looking = asyncio.create_task(litter.look_around(lambda: quiet, 0.005, 0.01))
    young, old = Ring(), Ring()
    seen = weakref.ref(young)
    del young
    await asyncio.sleep(0.05)
    assert seen() is None
    seen = weakref.ref(old)
    del old
    await asyncio.sleep(0.05)
    assert seen() is not None, "it is left alone while there is something to do"
    much = [[[None]] for _ in range(5_000)]
    quiet = True
    await asyncio.sleep(0.1)
    assert seen() is None and much
    looking.cancel()
