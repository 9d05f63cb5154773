"""Mine puzzles from self-play: `mine_puzzles.py -r brasileira,oficial --out mined.jsonl [--jobs 16] [--seconds 500]`.

Levels of the computer play each other from random openings. Every position of a game, and some that another move would
have led to, is looked at; `puzzle_proof` proves those that are puzzles. Each is written at once as a line of JSON. A
second run with the same file and seed goes on with the next game. `--verify FILE` plays no games: it searches the
solutions of a file longer and writes those that stand. `choose_puzzles.py` makes the sheets out of the lines.
"""

import argparse
import json
import multiprocessing
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.queues import Queue
from pathlib import Path
from queue import Empty
from random import Random
from typing import Any

from puzzle_likeness import Placement
from puzzle_proof import Proof, by_search, by_tables, confirm, promising

from damas import Game, Position, rulebook
from damas.engine import Engine
from damas.engine.levels import LevelPlayer
from damas.errors import NoTablesForRules
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
MAX_REMEMBERED = 1000
"""Puzzles of one process with which new ones are compared."""


@dataclass
class Miner:
    """Everything one process needs for one rulebook."""

    book_id: str
    seed: int
    table_pieces: int
    engine: Engine = field(init=False)
    players: dict[int, LevelPlayer] = field(init=False)
    seen: deque[Placement] = field(default_factory=lambda: deque(maxlen=MAX_REMEMBERED))
    """The latest puzzles."""
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        book = rulebook(self.book_id)
        self.engine = Engine(book, hash_mb=8)
        self.players = {number: LevelPlayer(book, number, hash_mb=2) for number in LEVELS}

    @property
    def store(self) -> Store:
        return store_of(rulebook(self.book_id))

    def is_new(self, position: Position) -> bool:
        """Whether none of the latest puzzles of this process has nearly the same position."""
        placement = Placement.of(position)
        return not any(placement.is_like(other) for other in self.seen)

    def game(self, number: int, deadline: float) -> Iterator[Proof]:
        """The puzzles of one game, which depends on the seed and its number alone."""
        random = Random(f"{self.book_id}/{self.seed}/{number}")
        players = [self.players[random.choice(LEVELS)] for _ in range(2)]
        seeds = [random.getrandbits(30) for _ in range(2)]
        game = Game.start(rulebook(self.book_id))
        opening = random.randint(3, 8)
        endings = 0
        while not game.outcome and game.record.length < MAX_GAME_PLIES and time.time() < deadline:
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


# --- processes -----------------------------------------------------------------------------------


def work(task: dict[str, Any], numbers: Any, results: "Queue[Any]") -> None:
    """Play games until the time is over; the rulebooks in turn, so that each has the same share."""
    miners = {book_id: Miner(book_id, task["seed"], task["pieces"][book_id]) for book_id in task["books"]}
    while time.time() < task["deadline"]:
        with numbers.get_lock():
            turn = numbers.value
            numbers.value += 1
        book_id = task["books"][turn % len(task["books"])]
        number = task["first"][book_id] + turn // len(task["books"])
        miner = miners[book_id]
        for proof in miner.game(number, task["deadline"]):
            results.put(as_row(book_id, number, proof))
        results.put({"counts": dict(miner.counts), "rulebook": book_id})
        miner.counts.clear()
    results.put(None)


def verify(task: dict[str, Any], numbers: Any, results: "Queue[Any]") -> None:
    """Search known solutions longer, each process the next one, until the time is over."""
    rows = [json.loads(line) for line in Path(task["file"]).read_text(encoding="utf-8").splitlines()]
    engines: dict[str, Engine] = {}
    while time.time() < task["deadline"]:
        with numbers.get_lock():
            turn = numbers.value
            numbers.value += 1
        if turn >= len(rows):
            break
        row = rows[turn]
        name = row["rulebook"]
        position = Position.from_fen(row["fen"], name)
        if row["source"] == "tables":
            proof = by_tables(store_of(rulebook(name)), position)
            stands = proof is not None and [move.text for move in proof.moves] == row["line"]
        else:
            engine = engines.get(name) or engines.setdefault(name, Engine(name, hash_mb=16))
            stands = confirm(engine, position, row["line"], row["also"], task["nodes"])
        results.put({"counts": {"stands" if stands else "fails": 1}, "rulebook": name})
        if stands:
            results.put(row)
    results.put(None)


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


def collect(out: Path, processes: list[Any], results: "Queue[Any]", deadline: float) -> None:
    """Write what the processes find, until all have ended."""
    kinds: dict[str, Counter[str]] = {}
    running, shown = len(processes), time.time()
    with out.open("a", encoding="utf-8") as file:
        while running and time.time() < deadline + 20:
            try:
                row = results.get(timeout=1)
            except Empty:
                continue
            if row is None:
                running -= 1
            elif "counts" in row:
                kinds.setdefault(row["rulebook"], Counter()).update(row["counts"])
            else:
                kinds.setdefault(row["rulebook"], Counter())[f"{row['source']}-{row['goal']}"] += 1
                file.write(json.dumps(row, separators=(",", ":")) + "\n")
            if time.time() - shown > 30 or not running:
                shown = time.time()
                file.flush()
                for name, counts in kinds.items():
                    print(name, dict(sorted(counts.items())), file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-r", "--rulebooks", required=True, help="ids, with commas")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--seconds", type=float, default=500)
    parser.add_argument(
        "--pieces", type=int, default=5, help="of the endgame tables; one less on a larger board"
    )
    parser.add_argument("--verify", type=Path, help="lines to search longer instead of playing games")
    parser.add_argument("--nodes", type=int, default=500_000, help="for every move that --verify refutes")
    options = parser.parse_args()
    deadline = time.time() + options.seconds
    books = options.rulebooks.split(",")
    context = multiprocessing.get_context("spawn")
    results: Queue[Any] = context.Queue()
    numbers = context.Value("q", 0)
    task = {
        "books": books,
        "seed": options.seed,
        "first": first_games(options.out, books),
        "pieces": build_tables(books, options.pieces, options.jobs),
        "deadline": deadline,
        "file": str(options.verify),
        "nodes": options.nodes,
    }
    target = verify if options.verify else work
    processes = [
        context.Process(target=target, args=(task, numbers, results), daemon=True)
        for _ in range(options.jobs)
    ]
    for process in processes:
        process.start()
    collect(options.out, processes, results, deadline)


if __name__ == "__main__":
    main()
