"""Random games of the five documents: where the text decides first, the letter and the default give one outcome.

    python tests/differential/letter.py [--games 20000] [--jobs 2] [--seed N]

Each game is played to its end by the letter (`damas.game.LETTER`) and beside it by default, with the platform's rules.
After every ply both must say the same, unless a platform rule has ended a game that the text lets run on; that happens
in faraes and concurso only, and not while an ending or a cycle of the text is being counted. Its record is judged with and without
`--letter`: both give the text's outcome, whatever the platform would have done. Without a seed one is drawn and
printed. Exits 1 on any difference.
"""

import argparse
import secrets
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from damas import Game, Move, Position, Rulebook, rulebook
from damas.cli.arguments import add_cluster
from damas.cli.progress import ProgressBar
from damas.game import LETTER, Customs
from damas.game.laws import in_endings
from damas.jobs import call, run_pieces
from damas.judging.judge import judge
from damas.notation import PdnGame, result_of
from damas.rules import rulebook_ids
from damas.rules.about import about
from differential.law_games import start_of

DOCUMENTS = tuple(book_id for book_id in rulebook_ids() if about(book_id).document)
MAX_PLIES = 430
CHUNK = 50


@dataclass(frozen=True)
class Compared:
    """A game that was compared."""

    end: str
    """text: decided by it; platform: a platform rule came where the text lets the game run on; open: neither."""
    rule: str
    """Id of the draw rule or code of the outcome that ended the game by the letter; empty where nothing did."""
    difference: str
    """What differs; empty where nothing does."""


def chosen(game: Game, random: Random, back: float) -> Move:
    """A random move, mostly one that gives nothing away; with probability `back` the side's last one undone."""
    record, moves = game.record, game.legal_moves
    if record.length > 1 and random.random() < back:
        last = record.move(record.length - 1)
        undone = [
            move for move in moves if (move.origin, move.destination) == (last.destination, last.origin)
        ]
        if undone:
            return undone[0]
    kings = [move for move in moves if move.by_king and not move.is_capture]
    moves = kings if kings and random.random() < 0.6 else moves
    safe = [move for move in moves if not game.position.play(move).must_capture()]
    return random.choice(safe or moves)


def compare(book: Rulebook, seed: str) -> Compared:
    """Play one game by the letter and by default, and judge its record both ways."""
    random = Random(seed)
    start = start_of(book, random)
    recorded = random.random() < 0.8
    back = random.choice((0.0, 0.1, 0.5, 0.97))
    letter = Game.start(book, fen=start.fen, recorded=recorded, customs=LETTER)
    default = Game.start(book, fen=start.fen, recorded=recorded, customs=Customs(offers=True))
    differences = list(_different(letter, default))
    while letter.outcome is None and letter.record.length < MAX_PLIES:
        if not recorded and random.random() < 0.05:
            for rule in (rule for rule in book.draws if rule.claim == "unrecorded"):
                letter = letter.call_attention(rule.id)
                default = default.call_attention(rule.id)
        move = chosen(letter, random, back)
        letter = letter.play(move)
        if default.outcome is None:
            default = default.play(move)
            differences += _different(letter, default)
    if recorded:
        differences += _judged_otherwise(start, letter)
    ended = letter.outcome
    platform = default.outcome is not None and default.outcome.platform
    end = "platform" if platform else "text" if ended else "open"
    rule = (ended.rule or ended.reason) if ended else ""
    where = f"{book.id}, seed {seed}, {start.fen}: "
    return Compared(end, rule, where + "; ".join(differences) if differences else "")


def _different(letter: Game, default: Game) -> Iterator[str]:
    """How the default departs from the letter after the same moves."""
    ours, ply = default.outcome, letter.record.length
    if ours and ours.platform and letter.outcome is None:
        by_length = ours.reason == "LENGTH"  # ply 400 of a contest waits for nothing (B.004-5)
        running = (progress.rule for progress in letter.progress())
        counting = [rule.id for rule in running if rule.endings or (rule.rule == "cycle" and not by_length)]
        if counting:
            yield f"after ply {ply} the platform ends what {', '.join(counting)} is counting"
        if not any(rule.platform for rule in letter.record.rulebook.draws):
            yield f"after ply {ply} a platform rule where there is none"
    elif ours is None and letter.outcome is None:
        book, counts = letter.rulebook, letter.position.counts
        limits = [rule for rule in book.draws if rule.endings and not rule.platform]
        numbered = [rule.id for rule in limits if in_endings(book, rule, counts)]
        if offered := [
            progress.rule.id for progress in default.claimable() if progress.rule.platform and numbered
        ]:
            yield f"after ply {ply} {', '.join(offered)} is offered in an ending of {', '.join(numbered)}"
    elif ours != letter.outcome:
        yield f"after ply {ply} {letter.outcome} by the letter, {ours} by default"


def _judged_otherwise(start: Position, letter: Game) -> Iterator[str]:
    """How `judge` differs on the record of a game that the text has ended, or not, with and without the platform."""
    outcome, book = letter.outcome, letter.record.rulebook
    result = result_of(outcome.winner, book) if outcome else PdnGame.of(start).result
    record = PdnGame.of(start, letter.record.moves, result=result)
    expected = ("AS_RULED" if outcome else "OPEN", outcome)
    for how, judgement in (("--letter", judge(record, letter=True)), ("default", judge(record))):
        if (judgement.verdict, judgement.outcome) != expected:
            yield f"judge {how}: {judgement.verdict} {judgement.outcome}, not {expected}"


def compare_chunk(book_id: str, seed: int, first: int, count: int) -> list[Compared]:
    """Compare `count` games of a document, from number `first` of a seed."""
    return [compare(rulebook(book_id), f"{seed}/{number}") for number in range(first, first + count)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000, help="games of all documents together")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--jobs", type=int, default=1)
    add_cluster(place)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9), help="repeats a run")
    options = parser.parse_args()
    each = -(-options.games // len(DOCUMENTS))
    ends: dict[str, Counter[str]] = {book_id: Counter() for book_id in DOCUMENTS}
    rules: dict[str, Counter[str]] = {book_id: Counter() for book_id in DOCUMENTS}
    different = 0
    books_of = {
        partial(compare_chunk, book_id, options.seed, first, min(CHUNK, each - first)): book_id
        for book_id in DOCUMENTS
        for first in range(0, each, CHUNK)
    }
    bar = ProgressBar("games", len(books_of), log_every_s=60)
    results = run_pieces(
        call,
        books_of,
        jobs=options.jobs,
        cluster=options.cluster,
        report=lambda finished: bar.show(finished, last=finished == len(books_of)),
    )
    for piece, chunk in results:
        for compared in chunk:
            ends[books_of[piece]][compared.end] += 1
            rules[books_of[piece]][compared.rule or "–"] += 1
            if compared.difference:
                different += 1
                print(f"\n{compared.difference}", flush=True)
    for book_id in DOCUMENTS:
        counted = ", ".join(f"{end} {count}" for end, count in sorted(ends[book_id].items()))
        by_rule = ", ".join(f"{rule} {count}" for rule, count in rules[book_id].most_common())
        print(f"{book_id:12}{ends[book_id].total():>7} games: {counted}; by the letter: {by_rule}")
    total = sum(counter.total() for counter in ends.values())
    print(f"letter: {total} games, {different} differences, seed {options.seed}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
