"""Mine puzzles from self-play: `mine_puzzles.py -r brasileira,oficial --out mined.jsonl [--jobs 16] [--seconds 500]`.

Levels of the computer play each other from random openings. Every position of a game, and some that another move would
have led to, is looked at; `puzzle_proof` proves those that are puzzles. They are written as lines of JSON when their game
is over. A second run with the same file and seed goes on with the next game. `--verify FILE` plays no games: it searches
the solutions of a file longer and writes those that stand. `choose_puzzles.py` makes the sheets out of the lines. With
`--cluster` the machines of a Ray cluster work; what a game or a line gives is the same everywhere.
"""

import argparse
import json
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, takewhile
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from puzzle_likeness import Placement

from damas import Game, Position, rulebook
from damas.engine import Engine
from damas.engine.levels import LevelPlayer
from damas.errors import NoTablesForRules
from damas.jobs import run_pieces
from damas.jobs.work import Send
from damas.server.learning.puzzle_proof import Proof, by_search, by_tables, confirm, promising
from damas.tablebase import Store, build, store_of

LEVELS = (4, 5, 6, 7, 8)
GLANCE_NODES, DEVIATION_NODES = 1_500, 450
"""Nodes of the first look at a position of the game, and at one that another move leads to."""
QUICK_NODES, DEEP_NODES = 15_000, 250_000
"""Nodes for each move of a solution: first, and to prove it."""
DEVIATIONS = 6
"""Moves of each position that were not played and are looked at as well."""
MAX_GAME_PLIES = 160
MAX_ENDINGS = 3
"""Endings by the tables out of one game."""
SHORT_SHARE = {"search": 0.4, "tables": 0.3}
"""Share of the shortest solutions, of two moves or of one by the tables, that are kept: there are far more of them."""

Found = tuple[list[dict[str, Any]], dict[str, int]]
"""Rows of puzzles, and how many positions of each kind were looked at."""


@dataclass
class Miner:
    """Everything one process needs for one rulebook."""

    book_id: str
    seed: int
    table_pieces: int
    engine: Engine = field(init=False)
    players: dict[int, LevelPlayer] = field(init=False)
    seen: list[Placement] = field(default_factory=list)
    """The puzzles of this game."""
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        book = rulebook(self.book_id)
        self.engine = Engine(book, hash_mb=8)
        self.players = {number: LevelPlayer(book, number, hash_mb=2) for number in LEVELS}

    @property
    def store(self) -> Store:
        return store_of(rulebook(self.book_id))

    def is_new(self, position: Position) -> bool:
        """Whether no puzzle of this game has nearly the same position."""
        placement = Placement.of(position)
        return not any(placement.is_like(other) for other in self.seen)

    def game(self, number: int) -> Iterator[Proof]:
        """The puzzles of one game, which depends on the seed and its number alone."""
        self.seen.clear()
        self.engine.forget()
        random = Random(f"{self.book_id}/{self.seed}/{number}")
        players = [self.players[random.choice(LEVELS)] for _ in range(2)]
        seeds = [random.getrandbits(30) for _ in range(2)]
        game = Game.start(rulebook(self.book_id))
        opening = random.randint(3, 8)
        endings = 0
        while not game.outcome and game.record.length < MAX_GAME_PLIES:
            legal = game.legal_moves
            if game.record.length < opening:
                game = game.play(random.choice(legal))
                continue
            player = players[game.record.length % 2]
            player.seed = seeds[game.record.length % 2]
            move = legal[0] if len(legal) == 1 else player.choose(game) or legal[0]
            others = [game.position.play(other) for other in legal if other != move]
            for nodes, position in (
                (GLANCE_NODES, game.position),
                *((DEVIATION_NODES, each) for each in random.sample(others, min(DEVIATIONS, len(others)))),
            ):
                self.counts["positions"] += 1
                proof = self.puzzle(position, nodes, endings)
                if proof:
                    endings += proof.source == "tables"
                    self.seen.append(Placement.of(position))
                    yield proof
            game = game.play(move)
        self.counts["games"] += 1

    def puzzle(self, position: Position, nodes: int, endings: int) -> Proof | None:
        """The puzzle that a position is, if it is a new one."""
        if sum(position.counts) <= self.table_pieces:
            if endings >= MAX_ENDINGS or not self.is_new(position):
                return None
            return kept(by_tables(self.store, position))
        if not promising(self.engine, position, nodes):
            return None
        self.counts["promising"] += 1
        if not self.is_new(position) or not kept(by_search(self.engine, position, QUICK_NODES)):
            return None
        self.counts["quick"] += 1
        return by_search(self.engine, position, DEEP_NODES)


def kept(proof: Proof | None) -> Proof | None:
    """The puzzle, unless it is one of the short ones of which there are too many."""
    if proof is None or len(proof.choices) > (2 if proof.source == "search" else 1):
        return proof
    return proof if Random(proof.position.fen).random() < SHORT_SHARE[proof.source] else None


def as_row(book_id: str, number: int, proof: Proof) -> dict[str, Any]:
    """A puzzle as it is written."""
    return {
        "rulebook": book_id,
        "game": number,
        "fen": proof.position.fen,
        "line": [move.text for move in proof.moves],
        "also": [move.text for move in proof.also],
        "goal": proof.goal,
        "source": proof.source,
        "effort": proof.effort,
        "choices": proof.choices,
    }


# --- pieces of work ------------------------------------------------------------------------------


class GameNumber(NamedTuple):
    """A game to be played."""

    book_id: str
    number: int


@dataclass(frozen=True)
class Mining:
    """The work: a piece is a game, its result the rows of its puzzles and what was counted."""

    seed: int
    pieces: dict[str, int]
    """Most pieces of the endgame tables of each rulebook."""

    @contextmanager
    def open(self, send: Send | None) -> Iterator[Callable[[GameNumber], Found]]:  # noqa: ARG002 (games are short)
        """Yields the function that plays a game."""
        miners: dict[str, Miner] = {}

        def mine(game: GameNumber) -> Found:
            book_id, number = game
            if book_id not in miners:
                if self.pieces[book_id]:
                    build(store_of(rulebook(book_id)), self.pieces[book_id], threads=1)
                miners[book_id] = Miner(book_id, self.seed, self.pieces[book_id])
            miner = miners[book_id]
            miner.counts.clear()
            rows = [as_row(book_id, number, proof) for proof in miner.game(number)]
            return rows, dict(miner.counts)

        yield mine


class Line(NamedTuple):
    """A line of a file of puzzles."""

    number: int
    text: str


@dataclass(frozen=True)
class Verifying:
    """The work of `--verify`: a piece is a line, its result that line if its solution stands."""

    nodes: int

    @contextmanager
    def open(self, send: Send | None) -> Iterator[Callable[[Line], Found]]:  # noqa: ARG002 (lines are short)
        """Yields the function that searches the solution of a line longer."""
        engines: dict[str, Engine] = {}

        def verify(line: Line) -> Found:
            row = json.loads(line.text)
            name = row["rulebook"]
            position = Position.from_fen(row["fen"], name)
            if row["source"] == "tables":
                proof = by_tables(store_of(rulebook(name)), position)
                stands = proof is not None and [move.text for move in proof.moves] == row["line"]
            else:
                engine = engines.get(name) or engines.setdefault(name, Engine(name, hash_mb=16))
                engine.forget()
                stands = confirm(engine, position, row["line"], row["also"], self.nodes)
            return ([row], {"stands": 1}) if stands else ([], {"fails": 1})

        yield verify


def first_games(path: Path, books: list[str]) -> dict[str, int]:
    """The number of the next game of each rulebook, by what was written before."""
    first = dict.fromkeys(books, 0)
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["rulebook"] in first:
                first[row["rulebook"]] = max(first[row["rulebook"]], row["game"] + 1)
    return first


def build_tables(books: list[str], pieces: int, jobs: int) -> dict[str, int]:
    """Build the endgame tables that are missing; return the most pieces of each rulebook's."""
    have = {}
    for name in books:
        book = rulebook(name)
        have[name] = pieces if book.size.value == 8 else pieces - 1
        started = time.time()
        try:
            build(store_of(book), have[name], threads=jobs)
        except NoTablesForRules:
            have[name] = 0
        print(f"{name}: tables of {have[name]} pieces, {time.time() - started:.0f} s", file=sys.stderr)
    return have


def write(out: Path, results: Iterable[tuple[Any, Found]], book_of: Callable[[Any], str]) -> None:
    """Write what is found as it comes, and show what was counted."""
    kinds: dict[str, Counter[str]] = {}
    shown = time.monotonic()

    def show() -> None:
        for name, counts in kinds.items():
            print(name, dict(sorted(counts.items())), file=sys.stderr, flush=True)

    with out.open("a", encoding="utf-8") as file:
        for piece, (rows, counted) in results:
            counts = kinds.setdefault(book_of(piece), Counter())
            counts.update(counted)
            for row in rows:
                counts[f"{row['source']}-{row['goal']}"] += 1
                file.write(json.dumps(row, separators=(",", ":")) + "\n")
            file.flush()
            if time.monotonic() - shown > 30:
                shown = time.monotonic()
                show()
    show()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-r", "--rulebooks", required=True, help="ids, with commas")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    place.add_argument("--cluster", metavar="ADDRESS", help="of a Ray cluster, as HOST:6379, or auto")
    parser.add_argument(
        "--seconds", type=float, default=500, help="begin no further game or line after this time"
    )
    parser.add_argument(
        "--pieces", type=int, default=5, help="of the endgame tables; one less on a larger board"
    )
    parser.add_argument("--verify", type=Path, help="lines to search longer instead of playing games")
    parser.add_argument("--nodes", type=int, default=500_000, help="for every move that --verify refutes")
    options = parser.parse_args()
    deadline = time.monotonic() + options.seconds
    books = options.rulebooks.split(",")
    tables = build_tables(books, options.pieces, options.jobs)
    if options.verify:
        work: Mining | Verifying = Verifying(options.nodes)
        pieces: Iterator[Any] = map(Line, count(), options.verify.read_text(encoding="utf-8").splitlines())
    else:
        work = Mining(options.seed, tables)
        first = first_games(options.out, books)
        pieces = (GameNumber(book, first[book] + turn) for turn in count() for book in books)
    in_time = takewhile(lambda _: time.monotonic() < deadline, pieces)
    results = run_pieces(work, in_time, jobs=options.jobs, cluster=options.cluster)
    write(options.out, results, lambda piece: getattr(piece, "book_id", "all"))


if __name__ == "__main__":
    main()
