"""What the engine says, as pages read it: scores from White's side, moves as texts and as routes."""

from damas.board import Color
from damas.engine import Line, Result
from damas.engine.analysis import chance
from damas.game import Move

SHOWN = 12
"""Moves of a line that are told."""


def score_view(score: int, turn: Color) -> dict[str, object]:
    """A score for the side to move, from White's side: hundredths of a man and the chance to win."""
    white = score if turn is Color.WHITE else -score
    line = Line(white, (), 0)
    decided = {1: "white", -1: "black", None: None}[line.decided]
    return {
        "score": white,
        "chance": round(chance(white), 4),
        "winner": decided,
        "plies": line.plies_to_end if decided else None,
    }


def move_view(move: Move) -> dict[str, object]:
    return {
        "text": move.text,
        "route": list(move.route),
        "captured": list(move.captured),
        "promotes": move.promotes,
    }


def line_view(line: Line, turn: Color) -> dict[str, object]:
    return {**score_view(line.score, turn), "moves": [move_view(move) for move in line.moves[:SHOWN]]}


def result_view(found: Result, turn: Color) -> dict[str, object]:
    """All that is known after a depth."""
    best = score_view(found.score, turn) if found.lines else {}
    return {
        "depth": found.depth,
        "nodes": found.nodes,
        "nodes_per_second": found.nodes_per_second,
        **best,
        "lines": [line_view(line, turn) for line in found.lines],
    }
