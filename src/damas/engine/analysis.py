"""Analysis of a whole game: the score of each move, what was better, and a sentence for the player.

A mistake is measured in the chance to win that it gives away, not in hundredths of a man: a man less matters little
where the game is won or lost anyway.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from math import exp

from damas.engine.continuations import Continuations
from damas.engine.engine import DECIDED, WIN, Engine, Line, Result
from damas.engine.forcing import Shot, best_combination
from damas.engine.limits import MAX_VALUES, Limits
from damas.engine.reasons import Mistake, Reason, reason_of
from damas.game import Move, Record
from damas.game.game import ending
from damas.language import Saying
from damas.notation import Node, PdnGame, Variation, clean_comment
from damas.notation.pdn.glyphs import SIGNS

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
SECOND_LOOK = 5
"""Times as many nodes are searched again around a mistake for which no reason was found."""
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
    allowed: Shot | None = None
    """The shot that the move lets the opponent play."""
    reply: Line | None = None
    """The opponent's best line after the move; None where the game is over."""
    reason: Reason | None = None
    """Why the move was a mistake."""

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
    def has_reason(self) -> bool:
        """Whether a reason for the mistake was proved."""
        return self.reason is not None and self.reason.kind != "better"

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
    continuations = Continuations(engine)
    judged = _judge(record, results, continuations)
    if limits.nodes:
        deeper = replace(limits, nodes=min(SECOND_LOOK * limits.nodes, MAX_VALUES["nodes"]))
        judged = look_again(record, judged, results, continuations, deeper)
    return judged


def judge(record: Record, results: Mapping[int, Result], engine: Engine) -> list[Judged]:
    """Judges every move of a game by what was found at each ply; at the last, nothing need have been."""
    return _judge(record, results, Continuations(engine))


def _judge(record: Record, results: Mapping[int, Result], continuations: Continuations) -> list[Judged]:
    return [_judged(record, ply, results, continuations) for ply in range(1, record.length + 1)]


def look_again(
    record: Record,
    judged: list[Judged],
    results: dict[int, Result],
    continuations: Continuations,
    limits: Limits,
) -> list[Judged]:
    """Searches deeper around each mistake without a reason: the deeper search shows one, or no mistake any more."""
    plies = {each.ply - back for each in judged if each.kind and not each.has_reason for back in (0, 1)}
    for ply in sorted(plies & results.keys(), reverse=True):
        results[ply] = continuations.engine.search(record.until(ply), limits)
    again = plies | {ply + 1 for ply in plies}
    return [
        _judged(record, each.ply, results, continuations) if each.ply in again else each for each in judged
    ]


def _judged(record: Record, ply: int, results: Mapping[int, Result], continuations: Continuations) -> Judged:
    engine = continuations.engine
    before, move = record.until(ply - 1), record.move(ply)
    best = results[ply - 1].lines[0]
    forced = len(before.legal_moves) == 1
    same = best.moves[0] == move
    reply = results[ply].lines[0] if ply in results and results[ply].lines else None
    played = best if same else _line(move, reply) if reply else _last(record.until(ply), engine)
    if played.score > best.score:
        best = played  # seen from a ply further on, it was better than all that was seen here
    lost = 0.0 if same or forced else chance(best.score) - chance(played.score)
    judged = Judged(ply, played, best, lost, forced, reply=reply)
    kind = next((name for name, least, _ in KINDS if lost >= least), "")
    if not kind:
        return judged
    mistake = Mistake(before, move, best, reply, played.score)
    reason = reason_of(mistake, engine, continuations) or Reason("better")
    missed, allowed = (None, reason.shot) if reason.after else (reason.shot, None)
    saying = reason.saying(mistake)
    return replace(judged, kind=kind, saying=saying, shot=missed, allowed=allowed, reason=reason)


def _line(move: Move, reply: Line) -> Line:
    """A move and the best reply to it, for the side that makes the move: everything is one ply further away."""
    nearer = 0 if reply.decided is None else reply.decided
    plies = None if reply.table_plies is None else reply.table_plies + 1
    return Line(nearer - reply.score, (move, *reply.moves), reply.depth + 1, reply.from_tables, plies)


def shot_in(record: Record, line: Line) -> Shot | None:
    """The shot that the first move of a line begins: pieces given for more pieces, whatever the opponent replies."""
    shot = best_combination(record.position, line.moves[0]).shot
    return shot if shot and shot.taken > shot.given else None


def _last(record: Record, engine: Engine) -> Line:
    """The line of a move that ended the game, scored for the side that made it."""
    outcome = ending(record, engine.customs)
    won = outcome and outcome.winner
    score = 0 if not won else WIN - 1 if won is record.position.turn.other else 1 - WIN
    return Line(score, (record.move(record.length),), 0)


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
