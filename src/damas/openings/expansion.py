"""Builds an opening book by drop-out expansion: the engine judges every move of a position, and the position that is worth
looking at next is the one that both sides reach by giving up the least.

The cost of a line is its number of plies and what its moves lose against the best ones; the cheapest position without
judged moves comes next. Values go back from the ends of all lines to the start, also where lines meet. Every score that the
engine has computed is kept in a file beside the book, so that an interrupted build computes none again and comes to the
same book. With the same parameters a book is always the same.
"""

import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import TextIO

from damas.engine import Limits
from damas.engine.engine import WIN, Engine
from damas.engine.opening_book import BookHeader, fingerprint, write_book
from damas.game import Position
from damas.rules import Rulebook

PLY_COST = 15
"""What a ply of a line costs; a hundredth of a man that a move loses costs 1."""
JITTER = 10
"""By the seed, lines are up to this much cheaper: other seeds look first at other lines that are about as good."""
MAX_LOSS = 80
"""Moves that lose more are judged, but not kept in the book."""


@dataclass(frozen=True)
class Parameters:
    """What a book depends on, besides the engine."""

    nodes: int = 20_000
    seed: int = 1
    positions: int | None = None
    """Positions whose moves are judged; None: until the time is over."""
    seconds: float | None = None


@dataclass(eq=False)
class Node:
    """A position of the book."""

    position: Position
    score: int
    """For the side to move: of the engine, or of the best move once its moves are judged."""
    cost: float
    """Of the cheapest line to it that is known."""
    moves: dict[int, "Node"] = field(default_factory=dict)
    """The nodes after its moves, by key; empty until they are judged."""
    parents: list["Node"] = field(default_factory=list)


class Expansion:
    """A book that is being built beside `path`."""

    def __init__(self, book: Rulebook, path: Path, parameters: Parameters) -> None:
        self.book, self.path, self.parameters = book, path, parameters
        self.expanded = 0
        """Positions whose moves are judged."""
        self._scores_path = path.with_name(path.name + ".scores")
        self._engine = Engine(book, hash_mb=2, tables=False)
        network = self._engine.network
        self.header = BookHeader(
            rulebook=book.id,
            rules=fingerprint(book),
            version=version("damas"),
            network=f"{network.checksum:016x}" if network else "",
            nodes=parameters.nodes,
            seed=parameters.seed,
        )
        self._scores = self._read_scores()
        self._log: TextIO
        self._nodes: dict[int, Node] = {}
        self._queue: list[tuple[float, int]] = []
        self._node(Position.start(book), 0.0)

    def _read_scores(self) -> dict[int, int]:
        """Scores of an interrupted build with the same engine and nodes; the file of another one is begun anew."""
        h = self.header
        first = f"{h.rules} {h.version} {h.network} {h.nodes}"
        if self._scores_path.exists():
            lines = self._scores_path.read_text(encoding="ascii").splitlines()
            if lines and lines[0] == first:
                pairs = (line.split() for line in lines[1:])
                return {int(pair[0], 16): int(pair[1]) for pair in pairs if len(pair) == 3}
        self._scores_path.write_text(first + "\n", encoding="ascii")
        return {}

    def run(self, report: Callable[[int], None] = lambda _: None) -> None:
        """Judges positions until the parameters say that it is enough, or none is left; then the book is written."""
        began, limit, seconds = time.monotonic(), self.parameters.positions, self.parameters.seconds
        with self._scores_path.open("a", encoding="ascii", buffering=1) as self._log, self._engine:
            while self._queue and (limit is None or self.expanded < limit):
                if seconds is not None and time.monotonic() - began > seconds:
                    break
                cost, key = heapq.heappop(self._queue)
                node = self._nodes[key]
                if node.moves:
                    continue
                node.cost = min((self._cost(parent, node) for parent in node.parents), default=0.0)
                if node.cost + self._jitter(key) > cost:  # scores have changed since it was queued
                    heapq.heappush(self._queue, (node.cost + self._jitter(key), key))
                    continue
                self._expand(node)
                report(self.expanded)
        self._write()

    def _expand(self, node: Node) -> None:
        position = node.position
        for move in position.legal_moves:
            after = position.play(move)
            child = self._node(after, node.cost + 1e9)
            node.moves[after.key] = child
            child.parents.append(node)
        if not node.moves:
            return
        self.expanded += 1
        self._raise_scores(node)
        self._lower_costs(node)

    def _raise_scores(self, node: Node) -> None:
        """Scores from the moves of a node, back to the start."""
        best = max(-child.score for child in node.moves.values())
        if best == node.score:
            return
        node.score = best
        for parent in node.parents:
            self._raise_scores(parent)
            self._lower_costs(parent)

    def _lower_costs(self, node: Node) -> None:
        """Costs from a node to the ends of the lines through it."""
        for key, child in node.moves.items():
            cost = self._cost(node, child)
            if cost < child.cost:
                child.cost = cost
                if child.moves:
                    self._lower_costs(child)
                elif _is_opening(child.position):
                    heapq.heappush(self._queue, (cost + self._jitter(key), key))

    @staticmethod
    def _cost(parent: Node, child: Node) -> float:
        return parent.cost + PLY_COST + max(0, parent.score + child.score)

    def _jitter(self, key: int) -> float:
        return Random(key ^ self.parameters.seed).random() * JITTER

    def _node(self, position: Position, cost: float) -> Node:
        key = position.key
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Node(position, self._score(position) if cost else 0, cost)
            if not cost:
                heapq.heappush(self._queue, (self._jitter(key), key))
        return node

    def _score(self, position: Position) -> int:
        score = self._scores.get(position.key)
        if score is None:
            self._engine.forget()  # or the score would depend on what was searched before
            result = self._engine.search(position, Limits(nodes=self.parameters.nodes))
            score = result.score if result.lines else -WIN
            self._scores[position.key] = score
            self._log.write(f"{position.key:016x} {score} .\n")
        return score

    def _write(self) -> None:
        kept = {}
        for key, node in self._nodes.items():
            scores = {after: -child.score for after, child in node.moves.items()}
            if scores:
                kept[key] = {after: s for after, s in scores.items() if node.score - s <= MAX_LOSS}
        temporary = self.path.with_name(self.path.name + ".new")
        temporary.write_bytes(write_book(self.header, kept))
        temporary.replace(self.path)


def _is_opening(position: Position) -> bool:
    """Whether no king stands on the board: men cannot go back, so that lines never come round."""
    _, white_kings, _, black_kings = position.counts
    return not white_kings and not black_kings
