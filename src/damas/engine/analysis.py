"""Analysis of a whole game: the score of each move, what was better, and a sentence for the player.

A mistake is measured in the chance to win that it gives away, not in hundredths of a man: a man less matters little
where the game is won or lost anyway.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from math import exp

from damas.engine.engine import DECIDED, WIN, Engine, Line, Result
from damas.engine.limits import Limits
from damas.game import Move, Record
from damas.game.game import ending
from damas.language import Saying
from damas.notation import Node, PdnGame, Variation, clean_comment
from damas.notation.pdn.glyphs import SIGNS
from damas.rules import cite

SCALE = 120.0
"""Hundredths of a man that turn an even game into one won three times out of four, more or less."""
KINDS = (("blunder", 0.30, 4), ("mistake", 0.15, 2), ("inaccuracy", 0.07, 6))
"""Name, chance to win given away, and the sign a PDN has for it: ??, ?, ?!"""
SHOWN = 8
"""The most moves shown of a better line."""
MAX_LINE_MOVES = 12
"""Moves of a line that pages are sent."""
WORST_MOVES = 3
"""Moves of a side that are reported even where none of them is called a mistake."""
MIN_LOSS = 0.01
"""Chance to win given away below which a move is as good as any."""


def chance(score: int) -> float:
    """The chance to win for a score, a draw counting half.

    >>> chance(0), chance(29_990), chance(-29_990)
    (0.5, 1.0, 0.0)
    """
    if abs(score) > DECIDED:
        return 1.0 if score > 0 else 0.0
    return 1 / (1 + exp(-score / SCALE))


@dataclass(frozen=True)
class Shot:
    """Pieces given so that more can be taken, every reply in between being forced."""

    moves: tuple[Move, ...]
    given: int
    taken: int


@dataclass(frozen=True)
class Judged:
    """One move of the game. Scores are for the side that made it."""

    ply: int
    played: Line
    """The move that was made, and what is expected after it."""
    best: Line
    lost: float
    """Chance to win given away."""
    forced: bool
    kind: str = ""
    """blunder, mistake, inaccuracy, or nothing."""
    saying: Saying | None = None
    """The explanation of a mistake."""
    shot: Shot | None = None
    """The shot that was missed."""

    @property
    def move(self) -> Move:
        """The move that was made."""
        return self.played.moves[0]

    @property
    def score(self) -> int:
        """The score of the move that was made."""
        return self.played.score

    def sentence(self, language: str) -> str:
        """The explanation of a mistake in a language, or an empty text."""
        return self.saying.sentence(language) if self.saying else ""

    @property
    def nag(self) -> int | None:
        """The PDN sign of the mistake; None if it is none."""
        return next((nag for kind, _, nag in KINDS if kind == self.kind), None)


Report = Callable[[int, int], None]
"""Is called with the positions searched so far and how many there are."""


def analyse(record: Record, engine: Engine, limits: Limits, report: Report | None = None) -> list[Judged]:
    """Judges every move of a game, from the last to the first: the hash table then holds what comes later."""
    length = record.length
    results: dict[int, Result] = {}
    for ply in range(length, -1, -1):
        part = record.until(ply)
        if part.legal_moves and (ply < length or not ending(part, engine.customs)):
            results[ply] = engine.search(part, limits)
        if report:
            report(length - ply + 1, length + 1)
    return judge(record, results, engine)


def judge(record: Record, results: Mapping[int, Result], engine: Engine) -> list[Judged]:
    """Judges every move of a game by what was found at each ply; at the last, nothing need have been."""
    return [_judged(record, ply, results, engine) for ply in range(1, record.length + 1)]


def _judged(record: Record, ply: int, results: Mapping[int, Result], engine: Engine) -> Judged:
    before, move = record.until(ply - 1), record.move(ply)
    best = results[ply - 1].lines[0]
    forced = len(before.legal_moves) == 1
    same = best.moves[0] == move
    reply = results[ply].lines[0] if ply in results and results[ply].lines else None
    played = best if same else _line(move, reply) if reply else _last(record.until(ply), engine)
    if played.score > best.score:
        best = played  # seen from a ply further on, it was better than all that was seen here
    lost = 0.0 if same or forced else chance(best.score) - chance(played.score)
    judged = Judged(ply, played, best, lost, forced)
    kind = next((name for name, least, _ in KINDS if lost >= least), "")
    if not kind:
        return judged
    judged = replace(judged, kind=kind, shot=shot_in(before, best))
    return replace(judged, saying=_explanation(record.until(ply), judged, reply, engine))


def _line(move: Move, reply: Line) -> Line:
    """A move and the best reply to it, for the side that makes the move: everything is one ply further away."""
    nearer = 0 if reply.decided is None else reply.decided
    plies = None if reply.table_plies is None else reply.table_plies + 1
    return Line(nearer - reply.score, (move, *reply.moves), reply.depth + 1, reply.from_tables, plies)


def _last(record: Record, engine: Engine) -> Line:
    """The line of a move that ended the game, scored for the side that made it."""
    outcome = ending(record, engine.customs)
    won = outcome and outcome.winner
    score = 0 if not won else WIN - 1 if won is record.position.turn.other else 1 - WIN
    return Line(score, (record.move(record.length),), 0)


def shot_in(record: Record, line: Line) -> Shot | None:
    """The shot that a line begins with, if it does."""
    position, given, taken = record.position, 0, 0
    played: list[Move] = []
    for number, move in enumerate(line.moves):
        own = number % 2 == 0
        if own and move.is_capture:
            taken += len(move.captured)
            played.append(move)
            break
        if own and number and not position.play(move).must_capture():
            break  # a quiet move: whatever comes, it is not forced
        if not own:
            if not move.is_capture or position.count_moves() != 1:
                return None
            given += len(move.captured)
        played.append(move)
        position = position.play(move)
    return Shot(tuple(played), given, taken) if given and taken > given else None


def _explanation(after: Record, judged: Judged, reply: Line | None, engine: Engine) -> Saying:
    """The explanation of a mistake: the first reason that applies, the most instructive first."""
    facts: dict[str, object] = {"move": judged.move.text, "best": judged.best.moves[0].text}
    outcome = ending(after, engine.customs)
    if outcome and outcome.winner is None and outcome.reason == "LIMIT":
        return Saying("analysis.ran_out", {**facts, "law": outcome.citation})
    if judged.best.decided == 1 and judged.score == 0 and (late := _too_late(after, engine)):
        return Saying("analysis.too_slow", {**facts, **late})
    if judged.shot:
        return Saying("analysis.missed_shot", {**facts, "count": judged.shot.taken})
    if judged.best.decided == 1:
        return Saying("analysis.missed_win", facts)
    threat = shot_in(after, reply) if reply else None
    if threat and reply:
        return Saying("analysis.allows_shot", {**facts, "reply": reply.moves[0].text, "count": threat.taken})
    if judged.score < -DECIDED:
        return Saying("analysis.loses", facts)
    if reply and reply.moves[0].is_capture and (lost := _balance(reply)) > 0:
        return Saying("analysis.gives", {**facts, "count": lost})
    if _left_diagonal(after):
        return Saying("analysis.left_diagonal", facts)
    return Saying("analysis.better", facts)


def _too_late(after: Record, engine: Engine) -> dict[str, object] | None:
    """The count that draws what is still won without it, if the tables know of one."""
    probed = engine.probe_tables(after)
    count = probed.verdict.count if probed and probed.verdict.name == "blessed-loss" else None
    if count is None:
        return None
    return {"law": cite(after.rulebook, count.article), "have": count.counted, "need": count.rule.limit}


def _balance(line: Line) -> int:
    """Pieces that the side to move gains by the captures a line begins with."""
    gained = 0
    for number, move in enumerate(line.moves):
        if not move.is_capture:
            break
        gained += len(move.captured) if number % 2 == 0 else -len(move.captured)
    return gained


def _left_diagonal(after: Record) -> bool:
    """Whether the last move took the only king off the main diagonal."""
    move = after.move(after.length)
    diagonal = after.rulebook.geometry.main_diagonal
    if not move.by_king or move.origin not in diagonal or move.destination in diagonal:
        return False
    position = after.position
    kings = position.white_kings if position.black_to_move else position.black_kings
    return diagonal.isdisjoint(kings)


# --- as PDN and as a picture -----------------------------------------------------------------


def annotated(game: PdnGame, judged: list[Judged], language: str) -> PdnGame:
    """The PDN game with signs, explanations and better lines added; its own comments stay, and so does a sign of its own."""
    nodes = []
    for node, judgement in zip(game.moves, judged, strict=True):
        if judgement.nag is None:
            nodes.append(node)
            continue
        better = Variation(tuple(Node(move) for move in judgement.best.moves[:SHOWN]))
        signed = any(nag in SIGNS for nag in node.nags)
        nags = node.nags if signed else (judgement.nag, *node.nags)
        comment = clean_comment(judgement.sentence(language))
        comments, variations = (*node.comments, comment), (*node.variations, better)
        nodes.append(replace(node, nags=nags, comments=comments, variations=variations))
    return replace(game, moves=tuple(nodes))


WIDTH, HEIGHT, EDGE = 640, 200, 20


def graph(record: Record, judged: list[Judged], title: str) -> str:
    """White's chance to win after each move, as an SVG."""
    shares = [0.5]
    for judgement in judged:
        white = record.mover(judgement.ply).value == "white"
        shares.append(chance(judgement.score) if white else 1 - chance(judgement.score))
    step = (WIDTH - 2 * EDGE) / max(1, len(shares) - 1)

    def place(number: int) -> tuple[float, float]:
        return EDGE + number * step, EDGE + (HEIGHT - 2 * EDGE) * (1 - shares[number])

    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, range(len(shares))))
    marks = "".join(
        f'<circle cx="{place(judgement.ply)[0]:.1f}" cy="{place(judgement.ply)[1]:.1f}" r="4" class="{judgement.kind}">'
        f"<title>{judgement.ply}. {escape(judgement.move.text)}</title></circle>"
        for judgement in judged
        if judgement.kind
    )
    middle = HEIGHT / 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f"<title>{escape(title)}</title>"
        "<style>.blunder{fill:#c0392b}.mistake{fill:#e67e22}.inaccuracy{fill:#f1c40f}</style>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
        f'<path d="M{EDGE} {middle}H{WIDTH - EDGE}" stroke="#999" stroke-dasharray="4"/>'
        f'<polyline points="{points}" fill="none" stroke="#333" stroke-width="2"/>{marks}</svg>'
    )


def mistakes(judged: list[Judged]) -> Iterator[Judged]:
    """The judgements that are mistakes."""
    return (judgement for judgement in judged if judgement.kind)


def record_of(game: PdnGame) -> Record:
    """A PDN game as the engine looks at it."""
    record = Record(game.start)
    for node in game.moves:
        record = record.play(node.move)
    return record
