"""Puzzles made of one's own mistakes: taken only where one line wins and no other move does."""

from dataclasses import dataclass

import msgspec

from damas.engine import Engine
from damas.errors import DamasError
from damas.game import Position
from damas.server.learning.puzzle import Puzzle
from damas.server.learning.puzzle_motifs import motifs_of
from damas.server.learning.puzzle_proof import Proof, Solution, by_tables, first_rating
from damas.tablebase import store_of

MAX_TABLE_PIECES = 4
"""Tables of so many pieces are made when they are first needed."""
NODES = 100_000
"""For every move of a proof; moves that are to be refuted are searched twice as long."""


class Mistake(msgspec.Struct, frozen=True):
    """What is stored of a puzzle made of a mistake: the puzzle, the move that was played, and what was said of it."""

    puzzle: Puzzle
    played: str
    message: str = ""


@dataclass(frozen=True)
class Verdict:
    """A position in which somebody went wrong, as a puzzle; or why it is none."""

    puzzle: Puzzle | None
    why: str = ""
    """forced, no_gain, second_way, no_end, too_easy, or `solved` where the move played was the solution."""


def prove(engine: Engine, position: Position, played: str) -> Verdict:
    """Proves a position by the endgame tables where these are there, else by a search."""
    if position.count_moves() < 2:
        return Verdict(None, "forced")
    proof = _by_tables(position)
    if proof is None:
        solution = Solution(engine, position, NODES)
        proof = solution.run()
        if proof is None:
            return Verdict(None, solution.failure)
    if position.parse(played) in (proof.moves[0], *(proof.also if len(proof.moves) == 1 else ())):
        return Verdict(None, "solved")
    return Verdict(_puzzle(proof))


def _by_tables(position: Position) -> Proof | None:
    if sum(position.counts) > MAX_TABLE_PIECES:
        return None
    try:
        return by_tables(store_of(position.rulebook), position)
    except DamasError:  # rules that tables cannot follow
        return None


def _puzzle(proof: Proof) -> Puzzle:
    line = tuple(move.text for move in proof.moves)
    is_ending = proof.source == "tables"
    return Puzzle(
        first_rating(proof.position, line, proof.choices, proof.effort, by_tables=is_ending),
        tuple(motifs_of(proof.position, line, proof.goal if is_ending else "search")),
        proof.position.fen,
        line,
        tuple(move.text for move in proof.also),
    )
