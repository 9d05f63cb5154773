"""Why a move was a mistake: the first reason that a line of moves proves, the most instructive first.

A combination is forced: each reply is a compulsory capture. A sequence is only what the search expects, and its sentence
says so. Both are counted where nothing more must be taken.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from damas import _core
from damas.board import Color
from damas.engine.continuations import Continuations
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
from damas.engine.levels import king_endings
from damas.engine.plans import Run, Squeeze, run_to_crown, squeeze
from damas.errors import Citation, NoTable, SquareName
from damas.game import Move, Position, Record
from damas.game.core import core_rules
from damas.game.game import ending
from damas.language import Saying
from damas.rules import Rulebook, cite
from damas.tablebase import Verdict, probe

MAX_SHOWN = 8
"""Moves of a sequence that a sentence names."""
LENGTHS = (0, 20, 40, 60, 80)
"""Plies up to which the expected lines are played on, as long as they show no difference."""


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
    marks: tuple[int, ...] = ()
    """Squares to mark on the board: of a king that is trapped or new."""

    @property
    def motif(self) -> str:
        """What happened, whoever did it: `shot`, `breakthrough`, `opposition`, `limit` and others."""
        if self.kind in ("ran_out", "too_slow"):
            return "limit"
        prefix, _, motif = self.kind.partition("_")
        return motif if prefix in ("missed", "allows", "line", "later", "first") else self.kind

    @property
    def is_limit(self) -> bool:
        """Whether a limit, or an ending that the tables know, is the reason, and no line proves it."""
        return self.motif in ("limit", "forcada", "three_kings")

    def saying(self, mistake: Mistake) -> Saying:
        """The sentence for the player."""
        own = {"move": mistake.move.text, "best": mistake.best.moves[0].text}
        line = " ".join(move.text for move in self.moves[:MAX_SHOWN])
        line += " (…)" if len(self.moves) > MAX_SHOWN else ""
        facts = {name: _in_game(fact) for name, fact in self.facts.items()}
        return Saying(f"analysis.{self.kind}", {**own, "line": line, **facts})


def _in_game(fact: object) -> object:
    """A fact as the player reads it: an article of the game's own rulebook without the rulebook's name."""
    if not isinstance(fact, Citation) or fact.id.startswith("regulation."):
        return fact
    return fact.article or (Saying("citation.own_reading") if fact.id else fact)


def reason_of(mistake: Mistake, engine: Engine, continuations: Continuations | None = None) -> Reason | None:
    """The first reason that applies; None where only the evaluation is against the move."""
    return next(_reasons(mistake, engine, continuations or Continuations(engine)), None)


def _reasons(mistake: Mistake, engine: Engine, continuations: Continuations) -> Iterator[Reason]:
    yield from _limits(mistake, engine)
    yield from _king_endings(mistake)
    yield from _combinations(mistake)
    yield from _plans(mistake)
    yield from _results(mistake)
    for plies in LENGTHS:
        yield from _sequences(_played_on(mistake, continuations, plies))
    for plies in LENGTHS:
        yield from _races(_played_on(mistake, continuations, plies))
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


def _played_on(mistake: Mistake, continuations: Continuations, plies: int) -> Mistake:
    """The mistake with both its lines played on up to so many plies."""
    best, reply = mistake.best, mistake.reply
    best = replace(best, moves=continuations.longer(mistake.before, best.moves, plies))
    if reply:
        reply = replace(reply, moves=continuations.longer(mistake.after, reply.moves, plies - 1))
    return replace(mistake, best=best, reply=reply)


def _king_endings(mistake: Mistake) -> Iterator[Reason]:
    """A few kings, three against one above all: a win that the tables know, and that is let go."""
    kings = [probe_kings(record) for record in (mistake.before, mistake.after)]
    if kings[0] is None or kings[1] is None or kings[0].value != "win" or kings[1].value != "draw":
        return
    count, verdict = kings[1].count, kings[0]
    if kings[1].unlimited != "draw" and count:
        law = cite(mistake.after.rulebook, count.article)
        yield Reason("too_slow", facts={"law": law, "have": count.counted, "need": count.rule.limit})
    white, black = mistake.before.position.counts[1], mistake.before.position.counts[3]
    if verdict.moves and (max(white, black), min(white, black)) == (3, 1):
        rule = verdict.count.rule if verdict.count else None
        if rule and rule.id == "forcada":
            law = cite(mistake.before.rulebook, rule.article)
            yield Reason("missed_forcada", facts={"moves": verdict.moves, "law": law})
        else:
            yield Reason("missed_three_kings", facts={"moves": verdict.moves})
    elif verdict.moves:
        yield Reason("missed_win_in", facts={"moves": verdict.moves})


def probe_kings(record: Record) -> Verdict | None:
    """What the tables of a few kings say of a position; None where it has men, or more pieces than they have."""
    counts = record.position.counts
    store = king_endings(record.rulebook) if not counts[0] and not counts[2] and sum(counts) <= 4 else None
    try:
        return probe(record.position, record, store=store).verdict if store else None
    except NoTable:
        return None


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


# --- plans --------------------------------------------------------------------------------------------


def _plans(mistake: Mistake) -> Iterator[Reason]:
    """A quiet move that wins whatever is replied: missed, or allowed as the expected reply."""
    before, after, chosen = mistake.before.position, mistake.after.position, mistake.best.moves[0]
    better = before.play(chosen)
    if (found := squeeze(before, chosen)) and not _is_as_good(before, mistake.move, found):
        yield _squeezed("missed", found)
    if mistake.reply and (found := squeeze(after, mistake.reply.moves[0])):
        if not any(_is_as_good(better, move, found) for move in better.legal_moves):
            yield _squeezed("allows", found)
    if (run := run_to_crown(before, chosen)) and not run_to_crown(before, mistake.move):
        yield _run("missed", run)
    if (run := run_to_crown(after)) and not run_to_crown(better):
        yield _run("allows", run)


def _is_as_good(position: Position, move: Move, found: Squeeze) -> bool:
    """Whether a move wins as much by force as a quiet move elsewhere."""
    other = squeeze(position, move)
    return bool(other and other.gain >= found.gain) or best_combination(position, move).gain >= found.gain


def _squeezed(prefix: str, found: Squeeze) -> Reason:
    kind = "threat" if found.is_threat else "opposition"
    facts: dict[str, object] = {"first": found.move.text}
    marks: tuple[int, ...] = ()
    if found.king is not None:
        kind, marks = "trapped", (found.king,)
        facts["square"] = _name(found.start.rulebook, found.king)
    return Reason(f"{prefix}_{kind}", found.moves, prefix == "allows", facts, marks=marks)


def _run(prefix: str, run: Run) -> Reason:
    square = run.moves[-1].destination
    facts: dict[str, object] = {
        "first": run.moves[0].text,
        "moves": run.own_moves,
        "square": _name(run.start.rulebook, square),
    }
    kind = "breakthrough" if run.gives else "run" if run.own_moves > 1 else "crown"
    return Reason(f"{prefix}_{kind}", run.moves, prefix == "allows", facts, marks=(square,))


def _name(book: Rulebook, square: int) -> SquareName:
    return SquareName(book.square_names[square], book.move_names[square])


# --- what the search expects --------------------------------------------------------------------------


def _sequences(mistake: Mistake) -> Iterator[Reason]:
    """Pieces lost or won, or a man crowned, in one expected line and not in the other."""
    side = mistake.before.position.turn
    played, best = _both(mistake)
    for kind, line, other, sign in (("line_loses", played, best, -1), ("line_wins", best, played, 1)):
        start = line.turning_point(side, sign)
        counts = {ply: sign * line.pieces_won(side, ply) for ply in line.quiet if 0 < start <= ply}
        length = 0
        for ply in reversed(counts):
            if counts[ply] <= max(0, sign * other.pieces_won(side, ply)):
                break
            length = ply
        if length:
            count = counts[length]
            after = sign < 0
            yield _shown_to(kind, line.moves[after:length], after, {"count": count})
    yield from _crownings(mistake, played, best, lasting=True)


def _both(mistake: Mistake) -> tuple["_Sequence", "_Sequence"]:
    """The line that was played, and the better one."""
    start, reply = mistake.before.position, mistake.reply.moves if mistake.reply else ()
    return _Sequence(start, (mistake.move, *reply)), _Sequence(start, mistake.best.moves)


def _races(mistake: Mistake) -> Iterator[Reason]:
    """A man crowned first in one expected line and not in the other, even if what is won by it does not last."""
    played, best = _both(mistake)
    yield from _crownings(mistake, played, best, lasting=False)


def _crownings(
    mistake: Mistake, played: "_Sequence", best: "_Sequence", *, lasting: bool
) -> Iterator[Reason]:
    side, book = mistake.before.position.turn, mistake.before.rulebook
    for kind, line, other, sign in (("crowned", played, best, -1), ("crowns", best, played, 1)):
        who = side.other if sign < 0 else side
        length = line.first_crowning(who)
        if lasting:
            differs = line.is_ahead_from(side, sign, length) and not 0 < other.first_crowning(who) <= length
        else:
            differs = line.crowns_first(who) and not other.crowns_first(who)
        if length and differs and line.is_worth_more(other, side, sign, length):
            after, square = sign < 0, line.moves[length - 1].destination
            prefix = "line" if lasting else "first"
            facts: dict[str, object] = {"square": _name(book, square)}
            yield _shown_to(f"{prefix}_{kind}", line.moves[after:length], after, facts, (square,))


def _shown_to(
    kind: str, moves: Sequence[Move], after: bool, facts: dict[str, object], marks: tuple[int, ...] = ()
) -> Reason:
    """The reason for a difference at the end of a sequence; a long one is called that, with the number of its moves."""
    facts = {**facts, "moves": (len(moves) + 1) // 2}
    if len(moves) > MAX_SHOWN:
        kind = kind.replace("line", "later")
    return Reason(kind, tuple(moves), after, facts, marks=marks)


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

    def is_worth_more(self, other: "_Sequence", side: Color, sign: int, length: int) -> bool:
        """Whether a side is ahead (1) or behind (-1) where it is first quiet after so many moves, and less so in another line."""
        own, others = self._quiet_from(length), other._quiet_from(length)
        return sign * self._won(side, own) > max(0, sign * other._won(side, others))

    def is_ahead_from(self, side: Color, sign: int, length: int) -> bool:
        """Whether a side is ahead (1) or behind (-1) from so many moves to the end of the line."""
        return 0 < self.turning_point(side, sign) <= self._quiet_from(length)

    def _quiet_from(self, length: int) -> int:
        return next((ply for ply in self.quiet if ply >= length), 0)

    def crowns_first(self, side: Color) -> bool:
        """Whether a side crowns a man before the other side does."""
        own, other = self.first_crowning(side), self.first_crowning(side.other)
        return own > 0 and not 0 < other < own

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
