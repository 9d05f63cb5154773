"""The report on a whole game: a graph, its mistakes in words, the worst moves, and the shots step by step."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from damas.engine import Engine, Limits
from damas.engine.analysis import Judged, Shot, analyse, chance, shot_in
from damas.game import Record
from damas.language import LANGUAGES, Saying
from damas.server.analysing.scores import SHOWN, score_view

FORM = 1
"""Of the report; another form is another report."""
WORST = 3
"""Moves of a side that are told even where none of them is called a mistake."""
LEAST = 0.01
"""Chance to win given away below which a move is as good as any."""

Progress = Callable[[int, int], None]


def key_of(record: Record, nodes: int) -> str:
    """The same game looked at in the same way has the same report.

    >>> from damas.game import Position
    >>> len(key_of(Record(Position.start("faraes")), 1000))
    32
    """
    moves = " ".join(move.text for move in record.moves)
    parts = (FORM, nodes, record.rulebook.hash, record.start.fen, moves, record.recorded, record.claims)
    return sha256(repr(parts).encode()).hexdigest()[:32]


def report(record: Record, engine: Engine, nodes: int, progress: Progress) -> dict[str, Any]:
    """Every move judged. Sentences are there in every language, so that one report serves all readers."""
    judged = analyse(record, engine, Limits(nodes=nodes), progress)
    told = _worth_telling(record, judged)
    return {
        "rulebook": record.rulebook.id,
        "start": record.start.fen,
        "plies": record.length,
        "graph": [_point(record, each) for each in judged],
        "mistakes": [_mistake(record, judged, each) for each in judged if each.ply in told],
        "tally": {side: _tally(record, judged, side) for side in ("white", "black")},
    }


def _worth_telling(record: Record, judged: list[Judged]) -> set[int]:
    """Plies of mistakes, and the worst of each side whatever they are called."""
    plies = {each.ply for each in judged if each.kind}
    for side in ("white", "black"):
        own = [each for each in judged if record.mover(each.ply).value == side and each.lost >= LEAST]
        plies |= {each.ply for each in sorted(own, key=lambda each: -each.lost)[:WORST]}
    return plies


def _point(record: Record, each: Judged) -> dict[str, Any]:
    side = record.mover(each.ply)
    return {
        "ply": each.ply,
        "number": record.move_number(each.ply),
        "by": side.value,
        "move": each.move.text,
        **score_view(each.score, side),
        "lost": round(each.lost, 4),
        "kind": each.kind or None,
        "forced": each.forced,
    }


def _mistake(record: Record, judged: list[Judged], each: Judged) -> dict[str, Any]:
    saying = each.saying or Saying(
        "analysis.better", {"move": each.move.text, "best": each.best.moves[0].text}
    )
    side = record.mover(each.ply)
    allowed = _allowed(record, judged, each)
    return {
        "ply": each.ply,
        "number": record.move_number(each.ply),
        "by": side.value,
        "move": each.move.text,
        "kind": each.kind or None,
        "lost": round(each.lost, 4),
        "before": record.position_after(each.ply - 1).fen,
        "best": each.best.moves[0].text,
        "best_score": score_view(each.best.score, side),
        "chance_before": round(chance(each.best.score), 4),
        "chance_after": round(chance(each.score), 4),
        "line": [move.text for move in each.best.moves[:SHOWN]],
        "sentence": {language: _sentence(each, saying, language) for language in LANGUAGES},
        "missed": _shot(each.shot),
        "allowed": _shot(allowed),
    }


def _sentence(each: Judged, saying: Saying, language: str) -> str:
    return each.sentence(language) if each.saying else saying.sentence(language)


def _allowed(record: Record, judged: list[Judged], each: Judged) -> Shot | None:
    """The shot that the move lets the opponent play: the best line found after it begins with one."""
    if each.shot or each.ply >= len(judged):
        return None
    return shot_in(record.until(each.ply), judged[each.ply].best)


def _shot(shot: Shot | None) -> dict[str, Any] | None:
    if shot is None:
        return None
    return {"moves": [move.text for move in shot.moves], "given": shot.given, "taken": shot.taken}


def _tally(record: Record, judged: list[Judged], side: str) -> dict[str, Any]:
    own = [each for each in judged if record.mover(each.ply).value == side]
    free = [each for each in own if not each.forced]
    kept = 1 - sum(each.lost for each in free) / len(free) if free else 1.0
    counts = {kind: sum(each.kind == kind for each in own) for kind in ("blunder", "mistake", "inaccuracy")}
    return {**counts, "moves": len(own), "kept": round(kept, 4)}
