"""Play a game by Monte Carlo tree search on cloned environments against random moves: `tree_search.py [PLAYOUTS]`.

Needs `pip install "damas[learn]"`. The search knows nothing of draughts but what the environment tells.
"""

import math
import random
import sys
from dataclasses import dataclass, field

from damas.environments import DamasEnv

EXPLORATION = 1.4


@dataclass
class Node:
    """What the playouts through a position have brought."""

    visits: int = 0
    value: float = 0.0
    """Sum of the rewards of the side that moved into this position."""
    children: dict[int, "Node"] = field(default_factory=dict)

    def pick(self) -> int:
        """The action to try next, by the upper confidence bound."""
        return max(self.children, key=lambda action: self.bound(self.children[action]))

    def bound(self, child: "Node") -> float:
        """How good a child may be."""
        if not child.visits:
            return math.inf
        return child.value / child.visits + EXPLORATION * math.sqrt(math.log(self.visits) / child.visits)


def best_action(env: DamasEnv, playouts: int, luck: random.Random) -> int:
    """The action that most playouts went through."""
    root = Node()
    for _ in range(playouts):
        copy, node = env.clone(), root
        path: list[tuple[Node, str]] = []
        while node.visits and not over(copy):
            node.children = node.children or {action: Node() for action in copy.legal}
            mover, action = copy.agent_selection, node.pick()
            copy.step(action)
            node = node.children[action]
            path.append((node, mover))
        while not over(copy):
            copy.step(luck.choice(list(copy.legal)))
        root.visits += 1
        for node, mover in path:
            node.visits += 1
            node.value += copy.rewards[mover]
    return max(root.children, key=lambda action: root.children[action].visits)


def over(env: DamasEnv) -> bool:
    """Whether the game has ended, by a law or by its length."""
    return any(env.terminations.values()) or any(env.truncations.values())


def main(playouts: int) -> None:
    """Print who won, and by how many plies."""
    luck = random.Random(1)
    env = DamasEnv("concurso", max_plies=120)
    env.reset()
    while not over(env):
        searching = env.agent_selection == "white"
        env.step(best_action(env, playouts, luck) if searching else luck.choice(list(env.legal)))
    print(f"white {env.rewards['white']:+.0f} after {env.game.record.length} plies")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
