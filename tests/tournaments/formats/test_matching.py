from itertools import combinations
from random import Random

from damas.tournaments.formats.matching import can_all_be_paired


def by_trying(players, graph):
    if not players:
        return True
    first, *rest = players
    return any(
        by_trying([player for player in rest if player != other], graph)
        for other in rest
        if other in graph[first]
    )


def test_the_matching_agrees_with_exhaustive_search():
    chance = Random(5)
    answers = set()
    for _ in range(600):
        count = chance.choice((2, 4, 6, 8))
        graph = [set() for _ in range(count)]
        for one, other in combinations(range(count), 2):
            if chance.random() < chance.choice((0.2, 0.35, 0.5)):
                graph[one].add(other)
                graph[other].add(one)
        players = list(range(count))
        answers.add(can_all_be_paired(players, graph))
        assert can_all_be_paired(players, graph) == by_trying(players, graph), graph
    assert answers == {True, False}


def test_two_rings_of_five_and_a_bridge():
    """Odd rings have to be drawn together before the way out is seen."""
    graph = [set() for _ in range(10)]
    for ring in (range(5), range(5, 10)):
        for one, other in zip(ring, (*ring[1:], ring[0]), strict=True):
            graph[one].add(other)
            graph[other].add(one)
    assert not can_all_be_paired(range(10), graph)
    graph[2].add(7)
    graph[7].add(2)
    assert can_all_be_paired(range(10), graph)
