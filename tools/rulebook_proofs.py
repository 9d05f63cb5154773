"""Find the positions and games that prove a rulebook, and write them where the tests look: `rulebook_proofs.py ID`.

Run it once for a new rulebook, or after one of its laws has changed; what it finds for ID replaces what was there:

    tests/perft/ID.perft              perft numbers on which the core and the oracle agree
    tests/differential/competing.txt  positions in which captures compete
    tests/differential/games.txt      games in which every change of a draw law would show
    tests/playthroughs/ID.txt         games that end in every way, printed (and their moves, games.json)

It takes a minute or two and exits 1, writing nothing more, where the core and the oracle disagree.
"""

import argparse
import sys
from collections.abc import Iterable
from itertools import count
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1] / "tests"
sys.path.insert(0, str(TESTS))

from damas import Position, rulebook
from damas.rules import rulebook_ids
from differential import competing, draw_mutants, games
from oracle import hostile
from oracle.board import read_fen, start
from oracle.books import BOOKS
from oracle.perft import perft
from playthroughs import find, regenerate

MAX_LEAVES = 100_000
"""Leaves that the oracle, which is slow, may count in one position."""
MIN_KINGS = 5
COMPETING_POSITIONS = 40
MAX_GAMES = 20_000


class Disagreement(Exception):
    """The core and the oracle differ."""


def perft_counts(book_id: str, fen: str, *, by_route: bool) -> list[int]:
    """The counts from depth 1 on, as deep as the oracle can count."""
    book = BOOKS[book_id]
    position = Position.start(book_id) if fen == "start" else Position.from_fen(fen, book_id)
    oracle_position = start(book) if fen == "start" else read_fen(book, fen)
    counts: list[int] = []
    for depth in count(1):
        counted = position.perft(depth, routes=by_route)
        if counted > MAX_LEAVES or counted == 0:
            return counts
        if counted != perft(book, oracle_position, depth, by_route):
            raise Disagreement(f"perft of {fen} at depth {depth}")
        counts.append(counted)
    raise AssertionError


def write_perft(book_id: str) -> None:
    fens = hostile.positions(BOOKS[book_id], 1, 100_000)
    with_kings = (fen for fen in fens if sum(Position.from_fen(fen, book_id).counts[1::2]) >= MIN_KINGS)
    lines = []
    for fen in ("start", next(with_kings), next(with_kings)):
        for word, by_route in (("merged", False), ("kept", True)):
            counts = " ".join(map(str, perft_counts(book_id, fen, by_route=by_route)))
            lines.append(f"{fen} | {word} | {counts} | core and oracle\n")
    path = TESTS / "perft" / f"{book_id}.perft"
    path.write_text("".join(lines), encoding="utf-8")


def replace_lines(path: Path, book_id: str, lines: Iterable[str]) -> None:
    """Put lines of one rulebook in the place of those that a file has, or at its end."""
    others = [
        line for line in path.read_text(encoding="utf-8").splitlines() if line.split(" ", 1)[0] != book_id
    ]
    path.write_text("\n".join([*others, *lines]) + "\n", encoding="utf-8")


def telling_games(book_id: str) -> list[games.TextGame]:
    """Games in which every change of one answer of a draw law shows, in the core or in the oracle."""
    book, alive = BOOKS[book_id], {mutant for mutant in draw_mutants.ALL if mutant.book == book_id}
    alive = {mutant for mutant in alive if not draw_mutants.harmless(mutant)}
    unseen = set(book.draws)
    chosen: list[games.TextGame] = []
    for seed in range(MAX_GAMES):
        if not alive and not unseen:
            return chosen
        laws = list(book.draws)
        line = (
            games.to_the_limit(book, laws[seed % len(laws)], seed)
            if seed % 2
            else games.lines(book_id, seed, 1)[0]
        )
        if difference := games.difference(line, rulebook(book_id)):
            raise Disagreement(difference)
        shown = {mutant for mutant in alive if draw_mutants.shows(mutant, line)}
        if shown or unseen & line.complete[-1]:
            chosen.append(line)
            alive -= shown
            unseen -= line.complete[-1]
    raise SystemExit(f"no game shows {', '.join(sorted(map(str, alive)))} {', '.join(sorted(unseen))}")


def written(line: games.TextGame) -> str:
    recorded = "recorded" if line.recorded else "unrecorded"
    return f"{line.book} | {recorded} | {line.fen} | {' '.join(line.moves)}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("id", choices=rulebook_ids(), metavar="ID", help="id of a built-in rulebook")
    book_id = parser.parse_args().id
    if book_id not in BOOKS:
        print(f"{book_id} has no entry in tests/oracle/books.py", file=sys.stderr)
        return 1
    try:
        write_perft(book_id)
        fens = competing.search(BOOKS[book_id], seed=1, count=COMPETING_POSITIONS)
        replace_lines(TESTS / "differential/competing.txt", book_id, [f"{book_id} {fen}" for fen in fens])
        replace_lines(TESTS / "differential/games.txt", book_id, map(written, telling_games(book_id)))
    except Disagreement as difference:
        print(f"the core and the oracle disagree: {difference}", file=sys.stderr)
        return 1
    find.find_games([book_id])
    regenerate.print_games([book_id])
    return 0


if __name__ == "__main__":
    sys.exit(main())
