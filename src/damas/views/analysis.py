"""What the engine says: scores, lines, the best move, and the mistakes of a game."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from damas.board import Color
from damas.engine import Line, Result
from damas.engine.analysis import MAX_LINE_MOVES, Judged, chance
from damas.engine.forcing import Shot
from damas.game import Move, Position, Record
from damas.language import LANGUAGES, Saying
from damas.notation import PdnGame
from damas.views.boards import LastMoveView, last_move
from damas.views.moves import MoveView, move_view
from damas.views.plain import view_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreView:
    """A score from White's side."""

    score: int
    """Hundredths of a man."""
    chance: float
    """White's chance to win, from 0 to 1."""
    winner: str | None
    """The side that wins, where that is certain."""
    plies: int | None
    """To the end of the game, where somebody wins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineView(ScoreView):
    """A line of play and its score."""

    moves: tuple[LastMoveView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchView:
    """What a search knows after a depth: an event of `/api/analysis/stream`."""

    depth: int | None = None
    nodes: int | None = None
    nodes_per_second: int | None = None
    score: int | None = None
    chance: float | None = None
    winner: str | None = None
    plies: int | None = None
    lines: tuple[LineView, ...] | None = None
    waiting: bool | None = None
    """Whether it waits for its turn."""
    done: str | None = None
    """Why it ended: time, newer, others, closed or over."""


@dataclass(frozen=True, slots=True)
class BestLineView:
    """A line of `damas best`, its score for the side to move."""

    score: int
    decided: str | None
    """win, draw or loss, where that is certain."""
    plies_to_end: int | None
    from_tables: bool
    move: MoveView
    line: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BestView:
    """The answer of `damas best --json`."""

    rulebook: str
    fen: str
    best: str | None
    score: int | None
    """For the side to move, in hundredths of a man."""
    depth: int
    nodes: int
    seconds: float
    nodes_per_second: int
    table_hits: int
    lines: tuple[BestLineView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysedMoveView:
    """A move of `damas analyse`, its scores for the side that made it."""

    ply: int
    side: str
    move: str
    score: int
    best: str
    best_score: int
    line: tuple[str, ...]
    lost: float
    """Chance to win that the move gave away."""
    kind: str | None
    """blunder, mistake or inaccuracy."""
    shot: tuple[str, ...] | None
    """The shot that was missed."""
    message: str | None
    sentence: str | None
    """Deprecated: the same as `message`."""


@dataclass(frozen=True, slots=True)
class AnalysedGameView:
    """A game of `damas analyse --json`."""

    game: int
    rulebook: str
    white: str | None
    black: str | None
    moves: tuple[AnalysedMoveView, ...]


@dataclass(frozen=True, slots=True)
class ShotView:
    """A shot: pieces given for more pieces taken."""

    moves: tuple[str, ...]
    takes: tuple[int, ...]
    """Pieces that each of these moves takes: an own move that takes none is an offer, and every reply is compulsory."""
    given: int
    taken: int


@dataclass(frozen=True, slots=True)
class ProofView:
    """The moves that prove the reason for a mistake."""

    motif: str
    """What they show: `shot`, `majority`, `threat`, `opposition`, `trapped`, `breakthrough`, `run` and others."""
    ply: int
    """They are played after this ply: instead of the mistake, or after it."""
    moves: tuple[str, ...]
    takes: tuple[int, ...]
    """Pieces that each of these moves takes."""
    marks: tuple[int, ...]
    """Squares to mark: of a king that is trapped, or of a new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphPointView(ScoreView):
    """A move in the graph of a report."""

    ply: int
    number: int
    by: str
    move: str
    lost: float
    kind: str | None
    forced: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MistakeReportView:
    """A move of a report that gave something away, in words of every language."""

    ply: int
    number: int
    by: str
    move: str
    kind: str | None
    lost: float
    before: str
    """FEN before the move."""
    best: str
    best_score: ScoreView
    chance_before: float
    chance_after: float
    line: tuple[str, ...]
    message: dict[str, str]
    sentence: dict[str, str]
    """Deprecated: the same as `message`."""
    missed: ShotView | None
    allowed: ShotView | None
    """The shot that the move lets the opponent play."""
    proof: ProofView | None
    """What the sentence stands on; None where it needs no moves."""


@dataclass(frozen=True, slots=True)
class TallyView:
    """How many mistakes a side made, and the share of its chances that it kept."""

    blunder: int
    mistake: int
    inaccuracy: int
    moves: int
    kept: float


@dataclass(frozen=True, slots=True)
class ReportView:
    """The report on a whole game."""

    rulebook: str
    start: str
    plies: int
    graph: tuple[GraphPointView, ...]
    mistakes: tuple[MistakeReportView, ...]
    tally: dict[str, TallyView]


def score_view(score: int, turn: Color) -> ScoreView:
    """A score for the side to move, turned to White's side."""
    white = score if turn is Color.WHITE else -score
    line = Line(white, (), 0)
    winner = {1: "white", -1: "black", None: None}[line.decided]
    plies = line.plies_to_end if winner else None
    return ScoreView(score=white, chance=round(chance(white), 4), winner=winner, plies=plies)


def line_view(line: Line, turn: Color) -> LineView:
    """A line of the side to move."""
    moves = tuple(last_move(move) for move in line.moves[:MAX_LINE_MOVES])
    return view_of(LineView, score_view(line.score, turn), moves=moves)


def search_view(result: Result, turn: Color, done: str | None = None) -> SearchView:
    """What is known after a depth; `done` says why the search ended."""
    return view_of(
        SearchView,
        score_view(result.score, turn) if result.lines else SearchView(),
        result,
        lines=tuple(line_view(line, turn) for line in result.lines),
        done=done,
    )


def best_view(position: Position, result: Result) -> BestView:
    """What a search found in a position."""
    names = position.rulebook.square_names
    return view_of(
        BestView,
        result,
        rulebook=position.rulebook.id,
        fen=position.fen,
        best=result.best.text if result.best else None,
        score=result.score if result.lines else None,
        seconds=round(result.seconds, 6),
        lines=tuple(
            view_of(
                BestLineView,
                line,
                decided={1: "win", -1: "loss", None: "draw" if line.from_tables else None}[line.decided],
                move=move_view(line.moves[0], names),
                line=_texts(line.moves),
            )
            for line in result.lines
        ),
    )


def analysed_game_view(
    number: int, game: PdnGame, record: Record, judged: list[Judged], language: str
) -> AnalysedGameView:
    """Every move of a game, judged."""

    def move(each: Judged) -> AnalysedMoveView:
        message = each.sentence(language) or None
        return AnalysedMoveView(
            **_judged(each),
            side=record.mover(each.ply).value,
            score=each.score,
            best=each.best.moves[0].text,
            best_score=each.best.score,
            line=_texts(each.best.moves),
            shot=_texts(each.shot.moves) if each.shot else None,
            message=message,
            sentence=message,
        )

    moves = tuple(move(each) for each in judged)
    return AnalysedGameView(number, game.rulebook.id, game.tags.get("White"), game.tags.get("Black"), moves)


def _judged(each: Judged) -> dict[str, Any]:
    """What every view of a judged move has."""
    return {
        "ply": each.ply,
        "move": each.move.text,
        "kind": each.kind or None,
        "lost": round(each.lost, 4),
    }


def _texts(moves: Iterable[Move]) -> tuple[str, ...]:
    return tuple(move.text for move in moves)


# Parts of a report


def graph_point(record: Record, each: Judged) -> GraphPointView:
    """A judged move as a point of the graph."""
    side = record.mover(each.ply)
    return view_of(
        GraphPointView,
        score_view(each.score, side),
        **_judged(each),
        number=record.move_number(each.ply),
        by=side.value,
        forced=each.forced,
    )


def mistake_report(record: Record, each: Judged) -> MistakeReportView:
    """A judged move in words."""
    side, best = record.mover(each.ply), each.best.moves[0].text
    plain = Saying("analysis.better", {"move": each.move.text, "best": best})
    message = {
        language: each.sentence(language) if each.saying else plain.sentence(language)
        for language in LANGUAGES
    }
    return MistakeReportView(
        **_judged(each),
        number=record.move_number(each.ply),
        by=side.value,
        before=record.position_after(each.ply - 1).fen,
        best=best,
        best_score=score_view(each.best.score, side),
        chance_before=round(chance(each.best.score), 4),
        chance_after=round(chance(each.score), 4),
        line=_texts(each.best.moves[:MAX_LINE_MOVES]),
        message=message,
        sentence=message,
        missed=_shot_view(each.shot),
        allowed=_shot_view(each.allowed),
        proof=_proof_view(each),
    )


def _shot_view(shot: Shot | None) -> ShotView | None:
    if shot is None:
        return None
    return ShotView(_texts(shot.moves), _takes(shot.moves), shot.given, shot.taken)


def _proof_view(each: Judged) -> ProofView | None:
    reason = each.reason
    if reason is None or not (reason.moves or reason.is_limit):
        return None
    ply = each.ply if reason.after else each.ply - 1
    moves = reason.moves or each.best.moves[:MAX_LINE_MOVES]
    return ProofView(reason.motif, ply, _texts(moves), _takes(moves), reason.marks)


def _takes(moves: Iterable[Move]) -> tuple[int, ...]:
    return tuple(len(move.captured) for move in moves)
