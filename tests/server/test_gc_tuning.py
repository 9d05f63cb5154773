"""A full garbage collection runs while the server is idle, and not while games are played."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from damas.server.gc_tuning import (
    FULL_INTERVAL_S,
    IDLE_CHECK_INTERVAL_S,
    IdleCollector,
    freeze_startup_objects,
    imports_uncollected,
)

LATER = IDLE_CHECK_INTERVAL_S + 1


@pytest.fixture(autouse=True)
def collector_settings() -> Iterator[None]:
    """Restores the garbage collector of the test process."""
    before = gc.get_threshold()
    freeze_startup_objects()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


def full_collections(collector: IdleCollector, now: float, *, new_objects: int) -> int:
    """How many full collections one tick makes after so many objects were created."""
    before = int(gc.get_stats()[2]["collections"])
    created = [[[None]] for _ in range(new_objects)]
    collector.tick(now)
    assert len(created) == new_objects
    return int(gc.get_stats()[2]["collections"]) - before


def test_start_up_objects_are_frozen() -> None:
    assert gc.get_freeze_count() > 10_000


def test_nothing_is_collected_among_imports_and_what_they_made_is_frozen() -> None:
    gc.unfreeze()
    before = [each["collections"] for each in gc.get_stats()]
    with imports_uncollected():
        made = [[[None]] for _ in range(5_000)]
        assert [each["collections"] for each in gc.get_stats()] == before
    assert gc.isenabled()
    assert gc.get_freeze_count() > len(made)


def test_all_objects_are_collected_once_when_the_server_becomes_idle() -> None:
    idle = False
    collector = IdleCollector(lambda: idle, 0)
    assert full_collections(collector, LATER, new_objects=5_000) == 0, "games are being played"
    idle = True
    assert full_collections(collector, LATER + 1, new_objects=0) == 0, "it was checked a second ago"
    assert full_collections(collector, 2 * LATER, new_objects=0) == 1
    assert full_collections(collector, 3 * LATER, new_objects=0) == 0, "nothing has happened since"
    assert full_collections(collector, 4 * LATER, new_objects=5_000) == 1


def test_a_busy_server_collects_all_objects_once_an_hour() -> None:
    collector = IdleCollector(lambda: False, 0)
    assert full_collections(collector, FULL_INTERVAL_S - 1, new_objects=5_000) == 0
    assert full_collections(collector, FULL_INTERVAL_S + LATER, new_objects=5_000) == 1
    assert full_collections(collector, FULL_INTERVAL_S + 2 * LATER, new_objects=5_000) == 0


class Cycle:
    def __init__(self) -> None:
        self.self = self


def test_a_young_cycle_is_freed_at_the_next_tick_and_an_old_one_when_idle() -> None:
    idle = False
    collector = IdleCollector(lambda: idle, 0)
    young, old = Cycle(), Cycle()
    seen_young, seen_old = weakref.ref(young), weakref.ref(old)
    del young
    collector.tick(0.1)
    assert seen_young() is None
    del old
    collector.tick(LATER)
    assert seen_old() is not None, "frozen while games are played"
    idle = True
    full_collections(collector, 2 * LATER, new_objects=5_000)
    assert seen_old() is None
