"""Walks through the model, and the proof that they would notice."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.protocol.model import Mutant, Violation, walk

STEPS = 200
"""Shorter walks miss mutants."""


@settings(max_examples=200)
@given(st.integers(0, 2**32))
def test_nothing_goes_wrong_whatever_happens(seed: int) -> None:
    walk(seed, STEPS)


def test_long_seeded_walks() -> None:
    steps = seed = moves = 0
    while steps < 20_000:
        world = walk(seed, 2000)
        steps, seed, moves = steps + world.steps, seed + 1, moves + len(world.disk.events)
    assert moves > steps / 100, "the walks hardly played"
    print(f"{steps} steps, {moves} events on disk, {seed} walks, 0 violations")


@pytest.mark.parametrize("mutant", Mutant)
def test_every_way_to_get_it_wrong_is_noticed(mutant: Mutant) -> None:
    caught = 0
    for seed in range(60):
        try:
            walk(seed, STEPS, mutant)
        except Violation:
            caught += 1
    assert caught, f"{mutant} was not noticed in 60 walks of {STEPS} steps"
    if mutant is Mutant.ACK_BEFORE_COMMIT:
        assert caught > 30
