"""Mistakes of a game, proved as puzzles in a worker process."""

from collections.abc import Sequence

from damas.game import Record
from damas.server.analysing.engines import new_engine
from damas.server.learning.own_puzzle import Verdict, prove
from damas.server.settings import Limits


def prove_mistakes(record: Record, plies: Sequence[int], limits: Limits) -> list[Verdict]:
    """For each ply whether the position before it is a puzzle."""
    with new_engine(record.rulebook, limits) as engine:
        return [prove(engine, record.position_after(ply - 1), record.moves[ply - 1].text) for ply in plies]
