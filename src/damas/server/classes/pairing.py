"""Who plays whom in a class."""

import random
from collections import Counter
from collections.abc import Collection, Sequence

TRIES = 40
"""Random pairings of which the one with the fewest repetitions is taken."""

Pair = tuple[str, str]
"""White and Black."""


def shuffled(pupils: Sequence[str], met: Collection[frozenset[str]]) -> tuple[list[Pair], str | None]:
    """Random pairs that repeat as few as possible of those that have `met`, and the one who is left over.

    >>> pairs, left = shuffled(["a", "b", "c"], [frozenset("ab"), frozenset("bc")])
    >>> sorted(pairs[0]), left
    (['a', 'c'], 'b')
    """
    before = Counter(met)
    best: tuple[int, list[str]] | None = None
    for _ in range(TRIES):
        order = random.sample(pupils, len(pupils))
        repeated = sum(before[frozenset(order[at : at + 2])] for at in range(0, len(order) - 1, 2))
        if best is None or repeated < best[0]:
            best = repeated, order
        if not repeated:
            break
    order = best[1] if best else []
    pairs = [(order[at], order[at + 1]) for at in range(0, len(order) - 1, 2)]
    return pairs, order[-1] if len(order) % 2 else None
