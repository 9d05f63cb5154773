"""A report on a whole game, made in a worker process."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Self

import msgspec

from damas.engine import Engine, Line, Result
from damas.engine import Limits as SearchLimits
from damas.engine.analysis import MIN_LOSS, WORST_MOVES, Judged, analyse, judge
from damas.game import Position, Record, pickling
from damas.game.record import Claims
from damas.server.analysing.engines import new_engine
from damas.server.analysing.places import book_named
from damas.server.encoding import encode
from damas.server.settings import Limits
from damas.server.work.child import report_progress
from damas.views import plain
from damas.views.analysis import ReportView, TallyView, graph_point, mistake_report

FORMAT = 2
"""Version of the report's format; part of its key."""
Progress = Callable[[int, int], None]
"""Called with the plies that are done, and all of them."""
FoundLine = tuple[int, Sequence[str]]
"""The score of the best line at a ply, for the side to move, and its moves; none where the game is over."""


class CannotMake(Exception):
    """This program cannot make a report that another one has requested: its rulebook differs."""


class ReportTask(msgspec.Struct, frozen=True):
    """What a report needs: the game, and how much is searched."""

    rulebook: str
    fen: str
    recorded: bool
    moves: tuple[str, ...]
    claims: Claims
    nodes: int

    @classmethod
    def of(cls, record: Record, nodes: int) -> Self:
        """The task of a report on this game."""
        moves = tuple(move.text for move in record.moves)
        return cls(record.rulebook.id, record.start.fen, record.recorded, moves, record.claims, nodes)

    def key(self) -> str:
        """The same game looked at in the same way has the same report.

        >>> len(ReportTask.of(Record(Position.start("faraes")), 1000).key())
        32
        """
        laws = book_named(self.rulebook).hash
        parts = (FORMAT, self.nodes, laws, self.fen, " ".join(self.moves), self.recorded, self.claims)
        return sha256(repr(parts).encode()).hexdigest()[:32]

    def record(self) -> Record:
        """The game, played again."""
        start = Position.from_fen(self.fen, book_named(self.rulebook))
        return pickling.record(pickling.VERSION, Record, start, self.recorded, self.moves, self.claims)


def make_report(key: str, task: str, limits: Limits) -> str:
    """The report of a task as JSON, made in a worker process. Raises `CannotMake`."""
    wanted = msgspec.json.decode(task, type=ReportTask)
    if wanted.key() != key:
        raise CannotMake(key)
    record = wanted.record()
    with new_engine(record.rulebook, limits) as engine:
        view = report(record, engine, wanted.nodes, lambda done, _: report_progress(done))
        return msgspec.json.encode(plain(view)).decode()


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
