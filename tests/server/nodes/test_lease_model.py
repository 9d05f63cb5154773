"""Leases by random walks: no interleaving of owners, expiry and late commits breaks the promise; every known mistake is seen."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.nodes.lease_model import Mutant, Violation, World


def walk(world: World, steps: int) -> World:
    for _ in range(steps):
        world.step()
    return world


@given(seed=st.integers(0, 2**64), nodes=st.integers(2, 4))
@settings(deadline=None)
def test_no_two_owners_acknowledge(seed: int, nodes: int) -> None:
    walk(World(seed, nodes=nodes), 400)


def test_the_walks_meet_what_they_are_about() -> None:
    worlds = [walk(World(seed), 2000) for seed in range(20)]
    assert sum(world.takeovers for world in worlds) > 100
    assert sum(world.acked for world in worlds) > 40
    assert sum(world.refused for world in worlds) > 10


@pytest.mark.parametrize("mutant", Mutant)
def test_every_mistake_is_noticed(mutant: Mutant) -> None:
    def goes_wrong(seed: int) -> bool:
        try:
            walk(World(f"{mutant}/{seed}", mutant), 2000)
        except Violation:
            return True
        return False

    assert any(goes_wrong(seed) for seed in range(60))
