"""Proves that a position is a puzzle: at every move of the solver one move wins, or saves, and no other does.

`by_search` proves shots, breakthroughs and trapped pieces with the engine, `by_tables` endings with the endgame tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2, log10, prod
from typing import Literal

from damas.board import Color
from damas.engine import Engine, Limits, Result
from damas.engine.analysis import chance
from damas.game import Move, Position, Record
from damas.server.learning.puzzle import MAX_RATING
from damas.tablebase import MoveVerdict, Store, probe

MIN_SCORE = 120
"""Hundredths of a man that the solution is worth at least."""
MIN_MARGIN, MIN_CHANCE_MARGIN = 100, 0.2
"""Hundredths of a man, and chance to win, by which every other move must be worse."""
MAX_OTHER_CHANCE = 0.72
"""Chance to win of the best other move at most: what wins anyway needs no solution."""
MAX_OWN_MOVES = 7
MIN_CHOICES = 4
"""Product of the numbers of legal moves at the solver's moves."""
MIN_FIRST_CHOICES = 2
MIN_TABLE_CHOICES = 3
MAX_TABLE_MOVES = 5
"""Own moves of a solution by the tables."""


Failure = Literal["no_gain", "second_way", "no_end", "too_easy"]
"""Why a position is no puzzle: nothing is won for certain, another move wins as well, the line does not come to rest in
`MAX_OWN_MOVES`, or there is too little to find."""


@dataclass(frozen=True)
class Proof:
    """A puzzle with what its proof has shown."""

    position: Position
    moves: tuple[Move, ...]
    """The solver's moves and the best defence, in turn. It may end with a reply that is the only legal one."""
    also: tuple[Move, ...]
    """Other last moves that take the same pieces and win as much."""
    goal: str
    """win or draw"""
    source: str
    """search or tables"""
    effort: int
    """Nodes after which the search keeps the first move; with tables the plies to the end."""
    choices: tuple[int, ...]
    """Legal moves at each move of the solver."""


def clearly_worse(best: int, other: int) -> bool:
    """Whether a score is no solution beside the best one."""
    return (
        best - other >= MIN_MARGIN
        and chance(best) - chance(other) >= MIN_CHANCE_MARGIN
        and chance(other) <= MAX_OTHER_CHANCE
    )


def promising(engine: Engine, position: Position, nodes: int) -> bool:
    """Whether a short search finds one move far above all others; the cheapest test comes first."""
    if position.count_moves() < MIN_FIRST_CHOICES:
        return False
    if engine.search(position, Limits(nodes=nodes)).score < MIN_SCORE - 20:
        return False
    lines = engine.search(position, Limits(nodes=4 * nodes, lines=2)).lines
    if len(lines) < 2 or lines[0].score < MIN_SCORE or not clearly_worse(lines[0].score, lines[1].score):
        return False
    # A capture that wins and leaves nothing to do is no puzzle.
    move = lines[0].moves[0]
    return not move.is_capture or position.play(move).must_capture()


def material(position: Position, side: Color) -> tuple[int, int]:
    """Pieces and kings that a side has more than the other."""
    white_men, white_kings, black_men, black_kings = position.counts
    lead = (white_men + white_kings - black_men - black_kings, white_kings - black_kings)
    return lead if side is Color.WHITE else (-lead[0], -lead[1])


def has_gained(before: Position, now: Position) -> bool:
    """Whether the solver has more than at the start: a piece, or a king for nothing."""
    pieces, kings = (
        after - earlier
        for after, earlier in zip(material(now, before.turn), material(before, before.turn), strict=True)
    )
    return pieces > 0 or (pieces == 0 and kings > 0)


class Solution:
    """A solution that is being searched: the moves so far, and the choices the solver had."""

    def __init__(self, engine: Engine, position: Position, nodes: int) -> None:
        self.engine, self.start, self.nodes = engine, position, nodes
        self.moves: list[Move] = []
        self.also: tuple[Move, ...] = ()
        self.choices: list[int] = []
        self.score = 0
        self.effort = 0
        self.failure: Failure = "no_gain"
        """Why the position is no puzzle, where `run` has found none."""

    def search(self, position: Position, *, only: list[Move] | None = None) -> Result:
        """Search from a clean hash table, so that the answer does not depend on what came before.

        Moves that are to be refuted are searched twice as long.
        """
        self.engine.forget()
        return self.engine.search(position, Limits(nodes=self.nodes * (2 if only else 1)), only=only)

    def holds(self, position: Position) -> bool:
        """Whether the opponent, to move, cannot get back what was won."""
        return not position.count_moves() or -self.search(position).score >= MIN_SCORE

    def run(self) -> Proof | None:
        """Follow the only winning moves until the gain is quiet."""
        position = self.start
        for _ in range(MAX_OWN_MOVES):
            legal = list(position.legal_moves)
            if not legal:
                return None
            best = legal[0] if len(legal) == 1 else self.best(position)
            if best is None:
                return None
            after = position.play(best)
            ended = self.ending(after)
            rest, self.also = self.rivals(position, legal, best, ended=ended is not None)
            if rest and not self.is_only(position, rest):
                self.failure = "second_way"
                return None
            self.moves.append(best)
            self.choices.append(len(legal))
            if ended is not None:
                self.moves += ended
                return self.proof()
            reply = after.legal_moves[0] if after.count_moves() == 1 else self.search(after).best
            if reply is None:
                return None
            self.moves.append(reply)
            position = after.play(reply)
        self.failure = "no_end"
        return None

    def best(self, position: Position) -> Move | None:
        """The best move, if it wins."""
        first = not self.moves
        changes: list[tuple[int, Move]] = []

        def note(result: Result) -> None:
            if result.best and (not changes or changes[-1][1] != result.best):
                changes.append((result.nodes, result.best))

        self.engine.forget()
        result = self.engine.search(position, Limits(nodes=self.nodes), watcher=note if first else None)
        if result.score < MIN_SCORE:
            return None
        self.score = result.score
        if first:
            self.effort = next(
                (nodes for nodes, move in reversed(changes) if move == result.best), result.nodes
            )
        return result.best

    def ending(self, after: Position) -> list[Move] | None:
        """What ends the line after an own move: nothing more, or the one capture left to the opponent."""
        if not after.count_moves():
            return []
        if not after.must_capture():
            return [] if has_gained(self.start, after) and self.holds(after) else None
        if after.count_moves() > 1:
            return None
        reply = after.legal_moves[0]
        quiet = after.play(reply)
        if not quiet.count_moves() or quiet.must_capture() or not has_gained(self.start, quiet):
            return None
        return [reply] if self.search(quiet).score >= MIN_SCORE else None

    def rivals(
        self, position: Position, legal: list[Move], best: Move, *, ended: bool
    ) -> tuple[list[Move], tuple[Move, ...]]:
        """The moves that must be worse, and those that end the line as well: the same capture, landing elsewhere."""
        others = [move for move in legal if move != best]
        if not ended or not best.is_capture:
            return others, ()
        same = [m for m in others if m.origin == best.origin and set(m.captured) == set(best.captured)]
        also = tuple(move for move in same if self.ending(position.play(move)) == [])
        return [move for move in others if move not in also], also

    def is_only(self, position: Position, rest: list[Move]) -> bool:
        """Whether the best of the other moves is clearly worse."""
        return clearly_worse(self.score, self.search(position, only=rest).score)

    def proof(self) -> Proof | None:
        """The puzzle, unless there is too little to find."""
        if prod(self.choices) < MIN_CHOICES or self.choices[0] < MIN_FIRST_CHOICES or len(self.choices) < 2:
            self.failure = "too_easy"
            return None
        moves, choices = tuple(self.moves), tuple(self.choices)
        return Proof(self.start, moves, self.also, "win", "search", self.effort, choices)


def by_search(engine: Engine, position: Position, nodes: int) -> Proof | None:
    """The puzzle that a position is, if a search of so many nodes for every move proves it."""
    return Solution(engine, position, nodes).run()


def by_tables(store: Store, position: Position) -> Proof | None:
    """The ending that a position is, if exactly one move wins, or exactly one does not lose."""
    record = Record(position)
    if position.count_moves() < MIN_TABLE_CHOICES:
        return None
    probed = probe(position, record, store=store)
    goal = probed.verdict.value
    if goal == "loss" or probed.verdict.beside or (goal == "win" and probed.verdict.unlimited != "win"):
        return None
    moves: list[Move] = []
    choices: list[int] = []
    for _ in range(MAX_TABLE_MOVES):
        keeps = [verdict for verdict in probed.moves if verdict.value == goal]
        if len(keeps) != 1 or not _is_exact(keeps[0]):
            break
        moves.append(keeps[0].move)
        choices.append(len(probed.moves))
        record = record.play(keeps[0].move)
        if keeps[0].after is None or not record.position.count_moves():
            break
        replies = probe(record.position, record, store=store).moves
        if not replies or replies[0].after is None:
            break
        moves.append(replies[0].move)
        record = record.play(replies[0].move)
        if not record.position.count_moves():
            break
        probed = probe(record.position, record, store=store)
    if len(moves) % 2 == 0:
        moves = moves[:-1]
    free = sum(number > 1 for number in choices)
    if not moves or free == 0 or (free == 1 and (moves[0].is_capture or choices[0] < 5)):
        return None
    plies = probe(position, Record(position), store=store).verdict.plies
    return Proof(position, tuple(moves), (), goal, "tables", plies or 0, tuple(choices))


def _is_exact(verdict: MoveVerdict) -> bool:
    return verdict.after is None or not verdict.after.beside


def confirm(engine: Engine, position: Position, line: list[str], also: list[str], nodes: int) -> bool:
    """Whether a known solution stands a longer search: no other move wins at any step, and the gain stays."""
    solution = Solution(engine, position, nodes // 2)  # moves to be refuted are searched twice as long
    steps = [position]
    for text in line:
        steps.append(steps[-1].play(text))
    own = range(0, len(line), 2)
    end = solution.search(steps[-1])
    score = end.score if len(line) % 2 == 0 else -end.score
    if steps[-1].count_moves() and score < MIN_SCORE:
        return False
    for number in own:
        is_last = number == own[-1]
        accepted = {line[number], *(also if is_last else ())}
        rest = [move for move in steps[number].legal_moves if move.text not in accepted]
        if rest and not clearly_worse(score, solution.search(steps[number], only=rest).score):
            return False
    return True


def first_rating(
    position: Position, line: Sequence[str], choices: Sequence[int], effort: int, *, by_tables: bool
) -> int:
    """The rating that a puzzle starts with, by the solver's choices, the engine's effort, the replies and the first move.

    The effort is in nodes, for an ending in plies.
    """
    quiet = not position.parse(line[0]).is_capture
    open_replies = 0
    for number, text in enumerate(line):
        open_replies += number % 2 and position.count_moves() > 1
        position = position.play(text)
    free = sum(number > 1 for number in choices)
    choice_bits = sum(log2(number) for number in choices)
    nodes = 12 * (effort or 20) if by_tables else effort
    rating = 420 + 60 * choice_bits + 90 * (free - 1) + 130 * log10(max(nodes, 10)) + 30 * open_replies
    return min(MAX_RATING, round(rating + (50 if quiet else 0)))
