"""Whether a graph has a perfect matching: can all players be paired?

A graph has one exactly if its Tutte matrix, a skew-symmetric matrix with a variable for each edge, is not singular
(Tutte 1947). With random numbers for the variables (Lovász 1979) a matrix that is not singular is found singular with a
probability below one in 10**15, and a singular one never otherwise.
"""

from collections.abc import Sequence
from random import Random

PRIME = 2**61 - 1
"""The modulus of all numbers."""

Graph = Sequence[set[int]]
"""For each player, the allowed opponents."""


def can_all_be_paired(players: Sequence[int], graph: Graph) -> bool:
    """Whether these players can all be paired with allowed opponents.

    >>> can_all_be_paired([0, 1, 2, 3], [{1, 2, 3}, {0}, {0}, {0}])
    False
    >>> can_all_be_paired([0, 1, 2, 3], [{1, 2}, {0}, {0, 3}, {2}])
    True
    """
    count = len(players)
    if count % 2:
        return False
    among = set(players)
    allowed = [graph[player] & among for player in players]
    if all(2 * len(opponents) >= count for opponents in allowed):
        return True  # Dirac's theorem: such a graph has a Hamiltonian cycle
    random = Random(count)  # the same field always has the same answer
    matrix = [[0] * count for _ in players]
    for row in range(count):
        for column in range(row):
            if players[column] in allowed[row]:
                matrix[row][column] = random.randrange(1, PRIME)
                matrix[column][row] = PRIME - matrix[row][column]
    return _is_invertible(matrix)


def _is_invertible(matrix: list[list[int]]) -> bool:
    """Gaussian elimination modulo `PRIME`, one column at a time."""
    while matrix:
        pivot = next((row for row in matrix if row[0]), None)
        if pivot is None:
            return False
        matrix.remove(pivot)
        inverse = pow(pivot[0], -1, PRIME)
        matrix = [_eliminated(row, pivot, row[0] * inverse) for row in matrix]
    return True


def _eliminated(row: list[int], pivot: list[int], factor: int) -> list[int]:
    """A row without its first column, less a multiple of the pivot row."""
    return [(value - factor * other) % PRIME for value, other in zip(row[1:], pivot[1:], strict=True)]
