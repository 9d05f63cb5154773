"""What the endgame tables say."""

from dataclasses import dataclass

from damas.language import sentence
from damas.tablebase import Probe, Verdict
from damas.views.boards import LastMoveView, last_move
from damas.views.moves import MoveView, move_view
from damas.views.plain import view_of


@dataclass(frozen=True, slots=True)
class LimitView:
    """The limit that is being counted."""

    rule: str
    article: str
    have: int
    need: int
    unit: str
    """plies, or strong-moves: moves of the stronger side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableVerdictView:
    """The verdict on a position, for the side to move."""

    verdict: str
    """win, cursed-win, draw, blessed-loss or loss."""
    value: str
    """win, draw or loss, the limits counted."""
    unlimited: str
    """win, draw or loss, without limits."""
    winner: str | None
    plies: int | None
    """To the end, without limits."""
    budget: int | None
    """What the side that wins needs of the count, in the unit of the count."""
    limit: LimitView | None
    left_out: tuple[str, ...]
    """Ids of rules that the tables leave out."""
    message: str
    sentence: str
    """Deprecated: the same as `message`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbedMoveView(MoveView):
    """A move with names of squares, and what it comes to."""

    verdict: str
    value: str
    plies: int | None
    ends: str | None
    after: TableVerdictView | None
    """The verdict on the position after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeView(TableVerdictView):
    """The verdict on a position and on each of its moves: `damas tb probe --json`."""

    rulebook: str
    fen: str
    moves: tuple[ProbedMoveView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardProbedMoveView(LastMoveView):
    """A move for boards, and what it comes to."""

    verdict: str
    value: str
    plies: int | None
    ends: str | None
    name: str
    """The verdict in a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardProbeView(TableVerdictView):
    """The same as `ProbeView` for boards: `POST /api/tablebase`."""

    there: bool
    moves: tuple[BoardProbedMoveView, ...]


@dataclass(frozen=True, slots=True)
class NoProbeView:
    """Why the tables have no verdict."""

    there: bool
    code: str
    message: str
    sentence: str
    """Deprecated: the same as `message`."""


def table_verdict_view(verdict: Verdict, language: str) -> TableVerdictView:
    """The verdict on one position."""
    count, turn = verdict.count, verdict.position.turn
    message = verdict.sentence(language)
    limit = None
    if count:
        unit = "plies" if count.rule.counts == "each" else "strong-moves"
        limit = view_of(LimitView, count, rule=count.rule.id, unit=unit)
    return view_of(
        TableVerdictView,
        verdict,
        verdict=verdict.name,
        winner={"win": turn.value, "loss": turn.other.value, "draw": None}[verdict.value],
        limit=limit,
        left_out=tuple(rule.id for rule in verdict.beside),
        message=message,
        sentence=message,
    )


def probe_view(probe: Probe, language: str) -> ProbeView:
    """What the tables say of a position, with the names of squares."""
    position = probe.verdict.position
    return view_of(
        ProbeView,
        table_verdict_view(probe.verdict, language),
        rulebook=position.rulebook.id,
        fen=position.fen,
        moves=tuple(
            view_of(
                ProbedMoveView,
                move_view(each.move, position.rulebook.square_names),
                each,
                verdict=each.name,
                ends=each.reason or None,
                after=table_verdict_view(each.after, language) if each.after else None,
            )
            for each in probe.moves
        ),
    )


def board_probe_view(probe: Probe, language: str) -> BoardProbeView:
    """What the tables say of a position, for boards."""
    return view_of(
        BoardProbeView,
        table_verdict_view(probe.verdict, language),
        there=True,
        moves=tuple(
            view_of(
                BoardProbedMoveView,
                last_move(each.move),
                each,
                verdict=each.name,
                ends=each.reason or None,
                name=sentence(f"tablebase.name.{each.name}", language),
            )
            for each in probe.moves
        ),
    )
