"""A report on a whole game, made in a worker process."""

from collections.abc import Callable, Sequence
from typing import Any

from damas.engine import Engine, Line, Result
from damas.engine import Limits as SearchLimits
from damas.engine.analysis import MIN_LOSS, WORST_MOVES, Judged, analyse, judge
from damas.game import Record
from damas.server.analysing.engines import new_engine
from damas.server.encoding import encode
from damas.server.settings import Limits
from damas.server.work.child import report_progress
from damas.views import plain
from damas.views.analysis import ReportView, TallyView, graph_point, mistake_report

Progress = Callable[[int, int], None]
"""Called with the plies that are done, and all of them."""
FoundLine = tuple[int, Sequence[str]]
"""The score of the best line at a ply, for the side to move, and its moves; none where the game is over."""


def make_report(record: Record, limits: Limits) -> dict[str, Any]:
    """The report on a game as JSON values, made in a worker process."""
    with new_engine(record.rulebook, limits) as engine:
        view: dict[str, Any] = plain(
            report(record, engine, limits.report_nodes, lambda done, _: report_progress(done))
        )
        return view


def judge_lines(record: Record, lines: Sequence[FoundLine], limits: Limits) -> bytes:
    """The report by what a browser found at each ply, as JSON. Raises `DamasError` for a move that cannot be played."""
    results = {ply: Result((_line(record, ply, *line),)) for ply, line in enumerate(lines) if line[1]}
    with new_engine(record.rulebook, limits) as engine:
        return encode(report_of(record, judge(record, results, engine)))


def _line(record: Record, ply: int, score: int, texts: Sequence[str]) -> Line:
    position, moves = record.position_after(ply), []
    for text in texts:
        moves.append(position.parse(text))
        position = position.play(moves[-1])
    return Line(score, tuple(moves), len(moves))


def report(record: Record, engine: Engine, nodes: int, progress: Progress) -> ReportView:
    """Every move judged. Sentences are there in every language, so that one report serves all readers."""
    return report_of(record, analyse(record, engine, SearchLimits(nodes=nodes), progress))


def report_of(record: Record, judged: list[Judged]) -> ReportView:
    """The report on judged moves."""
    shown = _reported_plies(record, judged)
    return ReportView(
        record.rulebook.id,
        record.start.fen,
        record.length,
        tuple(graph_point(record, each) for each in judged),
        tuple(mistake_report(record, each) for each in judged if each.ply in shown),
        {side: _tally(record, judged, side) for side in ("white", "black")},
    )


def _reported_plies(record: Record, judged: list[Judged]) -> set[int]:
    """Plies of mistakes, and the worst of each side whatever they are called."""
    plies = {each.ply for each in judged if each.kind}
    for side in ("white", "black"):
        own = [each for each in judged if record.mover(each.ply).value == side and each.lost >= MIN_LOSS]
        plies |= {each.ply for each in sorted(own, key=lambda each: -each.lost)[:WORST_MOVES]}
    return plies


def _tally(record: Record, judged: list[Judged], side: str) -> TallyView:
    own = [each for each in judged if record.mover(each.ply).value == side]
    free = [each for each in own if not each.forced]
    kept = 1 - sum(each.lost for each in free) / len(free) if free else 1.0
    counts = {kind: sum(each.kind == kind for each in own) for kind in ("blunder", "mistake", "inaccuracy")}
    return TallyView(**counts, moves=len(own), kept=round(kept, 4))
