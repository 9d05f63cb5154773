"""Mine puzzles from self-play: `mine_puzzles.py -r ID [--count 350] [--seed 1] [--from ID]`.

Run it when a rulebook has too few puzzles, or after a change that makes old ones wrong. Weak levels play each other from
random openings. A position becomes a puzzle where the best move gives pieces away, every reply is the only legal one,
more pieces come back, and a deep search finds no second solution at any step. New puzzles are added to
src/damas/server/learning/puzzles/ID.json, which also stores how many games have been played: a second run with the same
seed continues from there. `--from` solves the positions of another rulebook's puzzles instead of playing games.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from damas import Game, Position, rulebook
from damas.board import Color
from damas.cli.progress import ProgressBar
from damas.engine import Engine, Limits
from damas.engine.analysis import chance
from damas.engine.engine import Line
from damas.engine.levels import LevelPlayer
from damas.game import Move
from damas.game.core import rules_of
from damas.rules import Rulebook
from damas.server.learning.puzzle import Puzzle, Sheet, load, motif_of, save

GLANCE = Limits(nodes=3_000, lines=2)
QUICK = Limits(nodes=12_000, lines=4)
DEEP = Limits(nodes=300_000, lines=4)
MIN_MARGIN, MIN_CHANCE_MARGIN = 100, 0.2
"""Hundredths of a man, and chance to win, by which every other move must be worse."""
MIN_GAIN = 100
"""Hundredths of a man that the solution wins."""
MAX_OWN_MOVES = 8
MIN_CHOICES, MIN_PIECES = 3, 7
MAX_GAME_PLIES = 110
MISTAKES = 4
"""Moves of each position that were not played and are examined as well."""
MAX_SAME_PUZZLE = 5
"""Positions that differ in no more pieces than this are the same puzzle."""
MAX_SAME_SHAPE = 4
"""Puzzles that may have the same shape elsewhere on the board."""
MAX_GRADE_SHARE = 0.6
"""Share of the puzzles that may have one grade."""
SEEDS_PER_LEVEL = 3


@dataclass(frozen=True)
class Solution:
    """A line that wins pieces by force, and other last moves that win as much."""

    moves: tuple[Move, ...]
    also: tuple[Move, ...]
    given: int
    taken: int


def games(book: Rulebook, seed: int, first: int) -> Iterator[tuple[int, list[Position]]]:
    """Yield the number of each game and its positions, with some that a mistake would have led to.

    A game depends on the seed and its number alone.
    """
    number = first
    while True:
        chance_of_game = Random(f"{book.id}/{seed}/{number}")
        levels = [chance_of_game.choice((3, 4, 5, 6, 7)) for _ in range(2)]
        players = [LevelPlayer(book, level, seed=chance_of_game.getrandbits(30)) for level in levels]
        game = Game.start(book)
        opening = chance_of_game.choice((3, 4, 5, 6, 7, 8))
        positions = []
        while not game.outcome and game.record.length < MAX_GAME_PLIES:
            if sum(game.position.counts) < MIN_PIECES:
                break
            legal = game.legal_moves
            if game.record.length < opening:
                move = chance_of_game.choice(legal)
            else:
                positions.append(game.position)
                player = players[game.record.length % 2]
                move = legal[0] if len(legal) == 1 else player.choose(game) or legal[0]
                others = [game.position.play(other) for other in legal if other != move]
                positions += chance_of_game.sample(others, min(MISTAKES, len(others)))
            game = game.play(move)
        for player in players:
            player.close()
        yield number, positions
        number += 1


def clearly_worse(best: Line, other: Line) -> bool:
    """Whether a move is no solution beside the best one."""
    return (
        best.score - other.score >= MIN_MARGIN
        and chance(best.score) - chance(other.score) >= MIN_CHANCE_MARGIN
    )


def promising(engine: Engine, position: Position) -> bool:
    """Whether a short search finds one move far above all others that gives something away."""
    if position.count_moves() < MIN_CHOICES:
        return False
    best, second = engine.search(position, GLANCE).lines[:2]
    if best.score < MIN_GAIN or not clearly_worse(best, second):
        return False
    following = position.play(best.moves[0])
    return following.must_capture() and following.count_moves() == 1


def solve(engine: Engine, position: Position, limits: Limits) -> Solution | None:
    """Return the whole line if each own move is the only good one and each reply the only legal one."""
    moves: list[Move] = []
    given = taken = 0
    for _ in range(MAX_OWN_MOVES):
        chosen = _only_good(engine, position, limits, first=not moves)
        if chosen is None:
            return None
        move, also = chosen
        taken += len(move.captured)
        moves.append(move)
        following = position.play(move)
        over = following.count_moves() == 0
        if over or (given and taken > given and not following.must_capture()):
            if not given or not _holds(engine, following):
                return None
            if not all(_as_good(engine, position, other, len(move.captured)) for other in also):
                return None
            return Solution(tuple(moves), also, given, taken)
        if also or following.count_moves() != 1:
            return None
        reply = following.legal_moves[0]
        given += len(reply.captured)
        moves.append(reply)
        position = following.play(reply)
        if not position.count_moves():
            return None
    return None


def _only_good(
    engine: Engine, position: Position, limits: Limits, *, first: bool
) -> tuple[Move, tuple[Move, ...]] | None:
    """Return the best move and those hardly worse, or None if there is no clear gain or too many are as good."""
    legal = list(position.legal_moves)
    if len(legal) == 1:
        return None if first else (legal[0], ())
    engine.forget()
    lines = engine.search(position, limits).lines
    best = lines[0]
    if best.score < MIN_GAIN:
        return None
    near = [line for line in lines[1:] if not clearly_worse(best, line)]
    if (first and near) or (len(near) == len(lines) - 1 and len(legal) > len(lines)):
        return None
    return best.moves[0], tuple(line.moves[0] for line in near)


def _holds(engine: Engine, following: Position) -> bool:
    """Whether the opponent, to move now, cannot win the pieces back."""
    return not following.count_moves() or -engine.search(following, Limits(nodes=30_000)).score >= 80


def _as_good(engine: Engine, position: Position, move: Move, takes: int) -> bool:
    following = position.play(move)
    return len(move.captured) == takes and not following.must_capture() and _holds(engine, following)


# --- telling puzzles apart ---------------------------------------------------------------------


def turned(position: Position) -> frozenset[tuple[int, str]]:
    """Return the pieces on the board turned so that White is to move."""
    last = len(position.diagram) - 1
    pieces = ((square, letter) for square, letter in enumerate(position.diagram) if letter != ".")
    if position.turn is Color.WHITE:
        return frozenset(pieces)
    swap = {"w": "b", "b": "w", "W": "B", "B": "W"}
    return frozenset((last - square, swap[letter]) for square, letter in pieces)


def shape(position: Position, moves: tuple[Move, ...], *, anywhere: bool) -> str:
    """Describe the routes from the mover's side; with `anywhere` the same routes elsewhere on the board are equal."""
    places = position.rulebook.geometry.places
    last = len(position.diagram) - 1
    black = position.turn is Color.BLACK
    routes = [[places[last - s if black else s] for s in (*m.route, *sorted(m.captured))] for m in moves]
    left = min(column for route in routes for _, column in route) if anywhere else 0
    low = min(row for route in routes for row, _ in route) if anywhere else 0
    return " ".join("".join(f"{row - low}{column - left}" for row, column in route) for route in routes)


class Catalogue:
    """The puzzles so far, so that none comes twice."""

    def __init__(self, book: Rulebook, puzzles: list[Puzzle], count: int) -> None:
        self.max_of_a_grade = int(count * MAX_GRADE_SHARE)
        self.positions: list[frozenset[tuple[int, str]]] = []
        self.exact: set[str] = set()
        self.shapes: Counter[str] = Counter()
        self.grades: Counter[int] = Counter()
        for puzzle in puzzles:
            position = Position.from_fen(puzzle.fen, book)
            moves, here = [], position
            for text in puzzle.line:
                moves.append(here.parse(text))
                here = here.play(moves[-1])
            self.add(position, tuple(moves), puzzle.grade)

    def has(self, position: Position, moves: tuple[Move, ...]) -> bool:
        """Whether the puzzle, or one too much like it, is there already."""
        mine = turned(position)
        return (
            shape(position, moves, anywhere=False) in self.exact
            or self.shapes[shape(position, moves, anywhere=True)] >= MAX_SAME_SHAPE
            or any(len(mine ^ other) <= MAX_SAME_PUZZLE for other in self.positions)
        )

    def full(self, grade: int) -> bool:
        """Whether there are enough puzzles of a grade."""
        return self.grades[grade] >= self.max_of_a_grade

    def add(self, position: Position, moves: tuple[Move, ...], grade: int) -> None:
        """Remember a puzzle."""
        self.positions.append(turned(position))
        self.exact.add(shape(position, moves, anywhere=False))
        self.shapes[shape(position, moves, anywhere=True)] += 1
        self.grades[grade] += 1


# --- grading ------------------------------------------------------------------------------------


def finding_level(book: Rulebook, position: Position, first: Move) -> int:
    """Return the lowest level from which on every level usually plays the first move; 10 if none below does."""
    lowest = 10
    for number in range(9, 0, -1):
        hits = 0
        for seed in range(SEEDS_PER_LEVEL):
            player = LevelPlayer(book, number, seed=seed)
            hits += player.choose(position) == first
            player.close()
        if 2 * hits <= SEEDS_PER_LEVEL:
            break
        lowest = number
    return lowest


def grade_of(own_moves: int, given: int, level: int) -> int:
    """Return the difficulty from 1 to 5: longer, with more given away, found only by stronger levels."""
    hardness = (own_moves - 2) + 0.5 * (given - 1) + 0.45 * (level - 1)
    return 1 + sum(hardness >= step for step in (1.0, 2.2, 3.5, 5.0))


def puzzle_in(engine: Engine, position: Position, catalogue: Catalogue) -> Puzzle | None:
    """Return the puzzle that a position is, if it is a new one, and add it; the cheapest checks come first."""
    if not promising(engine, position) or not (solution := solve(engine, position, QUICK)):
        return None
    if catalogue.has(position, solution.moves):
        return None
    level = finding_level(engine.book, position, solution.moves[0])
    line = [move.text for move in solution.moves]
    puzzle = Puzzle(
        fen=position.fen,
        line=line,
        also=[move.text for move in solution.also],
        given=solution.given,
        taken=solution.taken,
        grade=grade_of((len(line) + 1) // 2, solution.given, level),
        level=level,
        motif=motif_of(position, line),
    )
    if catalogue.full(puzzle.grade) or solve(engine, position, DEEP) != solution:
        return None
    catalogue.add(position, solution.moves, puzzle.grade)
    return puzzle


# --- the command --------------------------------------------------------------------------------


def other_positions(book: Rulebook, other: str) -> Iterator[tuple[int, list[Position]]]:
    """Yield the positions of another rulebook's puzzles under the rules of this one, with the games played so far."""
    played = load(book.id).games
    for puzzle in load(other).puzzles:
        yield played - 1, [Position.from_fen(puzzle.fen, other).under(rules_of(book))]


def mine(book: Rulebook, count: int, seed: int, source: Iterator[tuple[int, list[Position]]]) -> Sheet:
    """Add puzzles from a source of positions, each with the number of its game, until there are `count`."""
    sheet = load(book.id)
    puzzles = list(sheet.puzzles)
    catalogue = Catalogue(book, puzzles, count)
    bar = ProgressBar(book.id, count, log_every_s=30)
    with Engine(book, hash_mb=16, tables=False) as engine:
        for number, positions in source:
            if len(puzzles) >= count:
                break
            candidates = (puzzle_in(engine, position, catalogue) for position in positions)
            puzzles += [puzzle for puzzle in candidates if puzzle]
            sheet = Sheet(rulebook=book.id, seed=seed, games=number + 1, puzzles=puzzles)
            if number % 20 == 19:
                save(sheet)
            bar.show(len(puzzles), f"{number + 1} games")
    save(sheet)
    print(file=sys.stderr)
    return sheet


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-r", "--rulebook", required=True)
    parser.add_argument("--count", type=int, default=350)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--from", dest="other", help="a rulebook of the same board whose puzzles are looked at"
    )
    options = parser.parse_args()
    book = rulebook(options.rulebook)
    before = load(book.id)
    if options.other:
        source, seed = other_positions(book, options.other), before.seed
    else:
        source, seed = (
            games(book, options.seed, before.games if before.seed == options.seed else 0),
            options.seed,
        )
    sheet = mine(book, options.count, seed, source)
    grades = Counter(puzzle.grade for puzzle in sheet.puzzles)
    motifs = Counter(puzzle.motif for puzzle in sheet.puzzles)
    print(f"{sheet.rulebook}: {len(sheet.puzzles)} puzzles from {sheet.games} games")
    print("  grades", dict(sorted(grades.items())), "motifs", dict(motifs.most_common()))


if __name__ == "__main__":
    main()
