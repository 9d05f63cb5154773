"""Whether a graph has a perfect matching (the blossom algorithm): can all players be paired?"""

from collections import deque
from collections.abc import Sequence

Graph = Sequence[set[int]]
"""For each player, the allowed opponents."""


def can_all_be_paired(players: Sequence[int], graph: Graph) -> bool:
    """Whether these players can all be paired with allowed opponents.

    >>> can_all_be_paired([0, 1, 2, 3], [{1, 2, 3}, {0}, {0}, {0}])
    False
    >>> can_all_be_paired([0, 1, 2, 3], [{1, 2}, {0}, {0, 3}, {2}])
    True
    """
    if len(players) % 2:
        return False
    among = set(players)
    allowed = {player: graph[player] & among for player in players}
    if all(2 * len(opponents) >= len(players) for opponents in allowed.values()):
        return True  # Dirac's theorem: such a graph has a Hamiltonian cycle
    return _Matching(players, allowed).complete()


class _Matching:
    """A matching that grows by augmenting paths; odd cycles (blossoms) are contracted to their base."""

    def __init__(self, players: Sequence[int], allowed: dict[int, set[int]]) -> None:
        self.players = players
        self.allowed = {player: sorted(opponents) for player, opponents in allowed.items()}
        self.mate: dict[int, int | None] = dict.fromkeys(players)

    def complete(self) -> bool:
        return all(self.mate[player] is not None or self._augment(player) for player in self.players)

    def _augment(self, root: int) -> bool:
        parent: dict[int, int | None] = dict.fromkeys(self.players)
        base = {player: player for player in self.players}
        seen = {root}
        queue = deque([root])
        while queue:
            here = queue.popleft()
            for there in self.allowed[here]:
                mate = self.mate[there]
                if base[here] == base[there] or self.mate[here] == there:
                    continue
                if there == root or (mate is not None and parent[mate] is not None):
                    self._shrink(here, there, parent, base, seen, queue)
                elif parent[there] is None:
                    parent[there] = here
                    if mate is None:
                        self._flip(there, parent)
                        return True
                    seen.add(mate)
                    queue.append(mate)
        return False

    def _shrink(
        self,
        here: int,
        there: int,
        parent: dict[int, int | None],
        base: dict[int, int],
        seen: set[int],
        queue: deque[int],
    ) -> None:
        top = self._common(here, there, parent, base)
        blossom: set[int] = set()
        for start, child in ((here, there), (there, here)):
            at = start
            while base[at] != top:
                mate = self.mate[at]
                assert mate is not None
                blossom |= {base[at], base[mate]}
                parent[at] = child
                child = mate
                following = parent[mate]
                assert following is not None
                at = following
        for player in self.players:
            if base[player] in blossom:
                base[player] = top
                if player not in seen:
                    seen.add(player)
                    queue.append(player)

    def _common(self, one: int, other: int, parent: dict[int, int | None], base: dict[int, int]) -> int:
        above = set()
        at = one
        while True:
            at = base[at]
            above.add(at)
            mate = self.mate[at]
            if mate is None:
                break
            following = parent[mate]
            assert following is not None
            at = following
        at = base[other]
        while at not in above:
            mate = self.mate[at]
            assert mate is not None
            following = parent[mate]
            assert following is not None
            at = base[following]
        return at

    def _flip(self, end: int, parent: dict[int, int | None]) -> None:
        at: int | None = end
        while at is not None:
            before = parent[at]
            assert before is not None
            following = self.mate[before]
            self.mate[at], self.mate[before] = before, at
            at = following
