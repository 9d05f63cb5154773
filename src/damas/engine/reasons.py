"""Why a move was a mistake: the first reason that a line of moves proves, the most instructive first.

A combination is forced: each reply is a compulsory capture. A sequence is only what the search expects, and its sentence
says so. Both are counted where nothing more must be taken.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from damas import _core
from damas.board import Color
from damas.engine.engine import Engine, Line
from damas.engine.forcing import (
    WHOLE_GAME,
    Combination,
    Shot,
    balance,
    best_combination,
    pieces,
    positions_of,
    worth_of_king,
)
from damas.errors import SquareName
from damas.game import Move, Position, Record
from damas.game.core import core_rules
from damas.game.game import ending
from damas.language import Saying
from damas.rules import Rulebook, cite

MAX_SHOWN = 8
"""Moves of a sequence that a sentence names."""


@dataclass(frozen=True)
class Mistake:
    """A move that gave something away."""

    before: Record
    """The game until it was played."""
    move: Move
    best: Line
    """The better move, and what is expected after it."""
    reply: Line | None
    """The opponent's best line after the move; None where the game is over."""
    score: int
    """Of the move, for the side that made it."""

    @property
    def after(self) -> Record:
        """The game with the move."""
        return self.before.play(self.move)


@dataclass(frozen=True)
class Reason:
    """A reason and the moves that prove it."""

    kind: str
    """The sentence of `analysis` that says it."""
    moves: tuple[Move, ...] = ()
    after: bool = False
    """Whether these moves follow the mistake; otherwise they are played in its place."""
    facts: dict[str, object] = field(default_factory=dict)
    shot: Shot | None = None

    def saying(self, mistake: Mistake) -> Saying:
        """The sentence for the player."""
        own = {"move": mistake.move.text, "best": mistake.best.moves[0].text}
        line = " ".join(move.text for move in self.moves[:MAX_SHOWN])
        line += " …" if len(self.moves) > MAX_SHOWN else ""
        return Saying(f"analysis.{self.kind}", {**own, "line": line, **self.facts})


def reason_of(mistake: Mistake, engine: Engine) -> Reason | None:
    """The first reason that applies; None where only the evaluation is against the move."""
    return next(_reasons(mistake, engine), None)


def _reasons(mistake: Mistake, engine: Engine) -> Iterator[Reason]:
    yield from _limits(mistake, engine)
    yield from _combinations(mistake)
    yield from _results(mistake)
    yield from _sequences(mistake)
    yield from _diagonal(mistake)


# --- limits and results -------------------------------------------------------------------------------


def _limits(mistake: Mistake, engine: Engine) -> Iterator[Reason]:
    """A limit that ran out, or that the win no longer fits into."""
    outcome = ending(mistake.after, engine.customs)
    if outcome and outcome.winner is None and outcome.reason == "LIMIT":
        yield Reason("ran_out", facts={"law": outcome.citation})
    if mistake.best.decided != 1 or mistake.score:
        return
    probed = engine.probe_tables(mistake.after)
    count = probed.verdict.count if probed and probed.verdict.name == "blessed-loss" else None
    if count:
        law = cite(mistake.after.rulebook, count.article)
        yield Reason("too_slow", facts={"law": law, "have": count.counted, "need": count.rule.limit})


def _results(mistake: Mistake) -> Iterator[Reason]:
    """A win that is let go, or a game that is lost, as the search or the tables have proved."""
    for kind, line in (("missed_win", mistake.best), ("loses", mistake.reply)):
        if line and line.decided == 1:
            if line.plies_to_end is None:
                yield Reason(kind)
            else:
                yield Reason(f"{kind}_in", facts={"moves": (line.plies_to_end + 1) // 2})


# --- combinations -------------------------------------------------------------------------------------


def _combinations(mistake: Mistake) -> Iterator[Reason]:
    """What the better move wins by force, or what the opponent wins by force after the move that was played."""
    before, after, chosen = mistake.before.position, mistake.after.position, mistake.best.moves[0]
    missed = _beginning_with(before, chosen)
    if missed.gain > 0 and missed.gain > _beginning_with(before, mistake.move).gain:
        yield _combination("missed", missed)
    allowed = best_combination(after)
    if mistake.reply and allowed.gain > 0:  # by the expected reply, if it wins as much
        expected = _beginning_with(after, mistake.reply.moves[0])
        allowed = expected if expected.gain >= allowed.gain else allowed
    if allowed.gain > 0 and allowed.gain > best_combination(before.play(chosen)).gain:
        yield _combination("allows", allowed)


def _beginning_with(position: Position, first: Move) -> Combination:
    """What the side to move wins by force beginning with a move; to walk to the last row is no combination."""
    combination = best_combination(position, first)
    if first.promotes and not first.is_capture and combination.gain < WHOLE_GAME:
        return Combination(
            position, combination.gain - worth_of_king(position.rulebook) + 1, combination.moves
        )
    return combination


def _combination(prefix: str, combination: Combination) -> Reason:
    """The reason for a combination that was missed or allowed, by what it gives and takes."""
    given, taken, moves = combination.given, combination.taken, combination.moves
    book = combination.start.rulebook
    kind, law = _kind(combination), book.statements["must_capture"].article
    if kind == "shot" and any(map(_is_bound_by_priority, combination.positions[1::2], moves[1::2])):
        kind, law = "majority", book.capture_priority.article
    facts = {"given": given, "taken": taken, "count": taken - given, "first": moves[0].text}
    return Reason(
        f"{prefix}_{kind}", moves, prefix == "allows", {**facts, "law": cite(book, law)}, combination.shot
    )


def _kind(combination: Combination) -> str:
    if combination.gain >= WHOLE_GAME:
        return "end"
    if combination.taken > combination.given:
        return "shot" if combination.offers else "exchange" if combination.given else "piece"
    crowns = any(move.promotes for move in combination.moves[::2])
    return ("crowning" if crowns else "king") if combination.taken else "crown"


def _is_bound_by_priority(position: Position, move: Move) -> bool:
    """Whether the capture is the only one because of the law that ranks captures: something else could be taken without it."""
    free = _without_priority(position.rulebook)
    if free is None or position.count_moves() != 1:
        return False
    return any(other.captured != move.captured for other in position.under(free).legal_moves)


@cache
def _without_priority(book: Rulebook) -> _core.Rules | None:
    return core_rules(book, capture_priority=()) if book.capture_priority.value else None


# --- what the search expects --------------------------------------------------------------------------


def _sequences(mistake: Mistake) -> Iterator[Reason]:
    """Pieces lost or won, or a man crowned, in one expected line and not in the other."""
    side = mistake.before.position.turn
    played = _Sequence(
        mistake.before.position, (mistake.move, *(mistake.reply.moves if mistake.reply else ()))
    )
    best = _Sequence(mistake.before.position, mistake.best.moves)
    for kind, line, other, sign in (("line_loses", played, best, -1), ("line_wins", best, played, 1)):
        length = line.turning_point(side, sign)
        count = sign * line.pieces_won(side, length)
        if length and count > max(0, sign * other.pieces_won(side, length)):
            after = sign < 0
            yield Reason(kind, line.moves[after:length], after, {"count": count})
    for kind, line, other, who in (
        ("line_crowned", played, best, side.other),
        ("line_crowns", best, played, side),
    ):
        length = line.first_crowning(who)
        if length and not 0 < other.first_crowning(who) <= length:
            after, book = who is not side, mistake.before.rulebook
            square = line.moves[length - 1].destination
            name = SquareName(book.square_names[square], book.move_names[square])
            yield Reason(kind, line.moves[after:length], after, {"square": name})


class _Sequence:
    """A line of moves and its positions."""

    def __init__(self, start: Position, moves: Sequence[Move]) -> None:
        self.moves = tuple(moves)
        self.positions = positions_of(start, self.moves)
        self.quiet = [ply for ply, each in enumerate(self.positions) if ply and not each.must_capture()]
        """The numbers of moves after which nothing must be taken."""

    def turning_point(self, side: Color, sign: int) -> int:
        """After how many moves a side is ahead (1) or behind (-1) until the line ends; 0 where it is not."""
        turned = 0
        for ply in reversed(self.quiet):
            if sign * self._won(side, ply) <= 0:
                break
            turned = ply
        return turned

    def _won(self, side: Color, ply: int) -> int:
        return balance(self.positions[ply], side) - balance(self.positions[0], side)

    def pieces_won(self, side: Color, length: int) -> int:
        """Pieces that a side has won where it is first quiet after so many moves, or at the last quiet place before."""
        ply = next((ply for ply in self.quiet if ply >= length), self.quiet[-1] if self.quiet else 0)
        start, end = self.positions[0], self.positions[ply]
        lost = pieces(start, side) - pieces(end, side)
        return pieces(start, side.other) - pieces(end, side.other) - lost

    def first_crowning(self, side: Color) -> int:
        """After how many moves a side first crowns a man; 0 where it does not."""
        turns = enumerate(zip(self.moves, self.positions, strict=False), start=1)
        return next((ply for ply, (move, before) in turns if move.promotes and before.turn is side), 0)


def _diagonal(mistake: Mistake) -> Iterator[Reason]:
    """The move took the only king off the main diagonal."""
    move, position = mistake.move, mistake.after.position
    diagonal = position.rulebook.geometry.main_diagonal
    kings = position.white_kings if position.black_to_move else position.black_kings
    leaves = move.origin in diagonal and move.destination not in diagonal
    if move.by_king and leaves and diagonal.isdisjoint(kings):
        yield Reason("left_diagonal")
