"""Mine puzzles from self-play: `mine_puzzles.py -r ID [--count 350] [--seed 1] [--from ID]`.

Run it when a rulebook has too few, or after a change that makes old ones wrong. Weak levels play each other from random
openings; wherever the best move gives pieces away, every reply is the only legal one and more comes back, the line is
kept if a deep search finds no second way at any step. What is found is added to
src/damas/server/learning/puzzles/ID.json, which also says how many games have been played: run again with the same seed
and it goes on from there. `--from` looks at the puzzles of another rulebook instead of playing: what holds under this
one, solved anew, is kept.
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
MARGIN, SHARE = 100, 0.2
"""By so many hundredths of a man, and by so much of the chance to win, every other move must be worse."""
LEAST_GAIN = 100
MOST_STEPS = 8
FEWEST_CHOICES, FEWEST_PIECES = 3, 7
LONGEST_GAME = 110
MISTAKES = 4
"""Moves that were not played, after each of which the reply is looked at as well."""
NEAR = 5
"""Positions that differ in no more pieces than this are the same puzzle."""
ALIKE = 4
"""So many puzzles may have the same shape somewhere else on the board."""
MOST_OF_A_GRADE = 0.6
SEEDS_OF_A_LEVEL = 3


@dataclass(frozen=True)
class Found:
    """A line that wins pieces by force, and other last moves that do as well."""

    moves: tuple[Move, ...]
    also: tuple[Move, ...]
    given: int
    taken: int
    ends_game: bool
    takes_king: bool


def games(book: Rulebook, seed: int, first: int) -> Iterator[tuple[int, list[Position]]]:
    """Positions of game after game, and some that a mistake would have led to; the same for the number of a game
    whenever it is played.
    """
    number = first
    while True:
        chance_of_game = Random(f"{book.id}/{seed}/{number}")
        levels = [chance_of_game.choice((3, 4, 5, 6, 7)) for _ in range(2)]
        players = [LevelPlayer(book, level, seed=chance_of_game.getrandbits(30)) for level in levels]
        game = Game.start(book)
        opening = chance_of_game.choice((3, 4, 5, 6, 7, 8))
        positions = []
        while not game.outcome and game.record.length < LONGEST_GAME:
            if sum(game.position.counts) < FEWEST_PIECES:
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
    return best.score - other.score >= MARGIN and chance(best.score) - chance(other.score) >= SHARE


def promising(engine: Engine, position: Position) -> bool:
    """Whether a glance sees one move far above all others that is no plain gain."""
    if position.count_moves() < FEWEST_CHOICES:
        return False
    found = engine.search(position, GLANCE)
    best, second = found.lines[0], found.lines[1]
    if best.score < LEAST_GAIN or not clearly_worse(best, second):
        return False
    following = position.play(best.moves[0])
    return following.must_capture() and following.count_moves() == 1


def solve(engine: Engine, position: Position, limits: Limits) -> Found | None:
    """The whole line, each own move the only good one and each reply the only legal one; None if it is not so."""
    moves: list[Move] = []
    given = taken = 0
    takes_king = False
    for _ in range(MOST_STEPS):
        chosen = _only_good(engine, position, limits, first=not moves)
        if chosen is None:
            return None
        move, also = chosen
        takes_king |= any(position.diagram[square].isupper() for square in move.captured)
        taken += len(move.captured)
        moves.append(move)
        following = position.play(move)
        over = following.count_moves() == 0
        if over or (given and taken > given and not following.must_capture()):
            if not given or not _holds(engine, following):
                return None
            if not all(_as_good(engine, position, other, len(move.captured)) for other in also):
                return None
            return Found(tuple(moves), also, given, taken, over, takes_king)
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
    """The best move and those hardly worse; None if there is no clear gain or too many are as good."""
    legal = list(position.legal_moves)
    if len(legal) == 1:
        return None if first else (legal[0], ())
    engine.forget()
    found = engine.search(position, limits)
    best = found.lines[0]
    if best.score < LEAST_GAIN:
        return None
    near = [line for line in found.lines[1:] if not clearly_worse(best, line)]
    if (first and near) or (len(near) == len(found.lines) - 1 and len(legal) > len(found.lines)):
        return None
    return best.moves[0], tuple(line.moves[0] for line in near)


def _holds(engine: Engine, following: Position) -> bool:
    """Whether what was won stays won, seen by the opponent."""
    return not following.count_moves() or -engine.search(following, Limits(nodes=30_000)).score >= 80


def _as_good(engine: Engine, position: Position, move: Move, takes: int) -> bool:
    following = position.play(move)
    return len(move.captured) == takes and not following.must_capture() and _holds(engine, following)


# --- telling puzzles apart ---------------------------------------------------------------------


def turned(position: Position) -> frozenset[tuple[int, str]]:
    """The pieces, the board turned so that White is to move."""
    last = len(position.diagram) - 1
    pieces = ((square, letter) for square, letter in enumerate(position.diagram) if letter != ".")
    if position.turn is Color.WHITE:
        return frozenset(pieces)
    swap = {"w": "b", "b": "w", "W": "B", "B": "W"}
    return frozenset((last - square, swap[letter]) for square, letter in pieces)


def shape(position: Position, moves: tuple[Move, ...], *, anywhere: bool) -> str:
    """What happens on which squares, from the mover's side; `anywhere`: the same shape in another place is equal."""
    places = position.rulebook.geometry.places
    last = len(position.diagram) - 1
    black = position.turn is Color.BLACK
    routes = [[places[last - s if black else s] for s in (*m.route, *sorted(m.captured))] for m in moves]
    left = min(column for route in routes for _, column in route) if anywhere else 0
    low = min(row for route in routes for row, _ in route) if anywhere else 0
    return " ".join("".join(f"{row - low}{column - left}" for row, column in route) for route in routes)


class Known:
    """What has been found so far, so that nothing comes twice."""

    def __init__(self, book: Rulebook, puzzles: list[Puzzle], count: int) -> None:
        self.most_of_a_grade = int(count * MOST_OF_A_GRADE)
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
        mine = turned(position)
        return (
            shape(position, moves, anywhere=False) in self.exact
            or self.shapes[shape(position, moves, anywhere=True)] >= ALIKE
            or any(len(mine ^ other) <= NEAR for other in self.positions)
        )

    def full(self, grade: int) -> bool:
        return self.grades[grade] >= self.most_of_a_grade

    def add(self, position: Position, moves: tuple[Move, ...], grade: int) -> None:
        self.positions.append(turned(position))
        self.exact.add(shape(position, moves, anywhere=False))
        self.shapes[shape(position, moves, anywhere=True)] += 1
        self.grades[grade] += 1


# --- grading ------------------------------------------------------------------------------------


def finding_level(book: Rulebook, position: Position, first: Move) -> int:
    """The lowest level from which on each plays the first move, most of the times it is asked; 10 for none below."""
    lowest = 10
    for number in range(9, 0, -1):
        hits = 0
        for seed in range(SEEDS_OF_A_LEVEL):
            player = LevelPlayer(book, number, seed=seed)
            hits += player.choose(position) == first
            player.close()
        if 2 * hits <= SEEDS_OF_A_LEVEL:
            break
        lowest = number
    return lowest


def grade_of(own_moves: int, given: int, level: int) -> int:
    """1 to 5: longer, dearer and seen only by stronger levels is harder."""
    hardness = (own_moves - 2) + 0.5 * (given - 1) + 0.45 * (level - 1)
    return 1 + sum(hardness >= step for step in (1.0, 2.2, 3.5, 5.0))


def puzzle_in(engine: Engine, position: Position, known: Known) -> Puzzle | None:
    """The puzzle that a position is, if it is a new one. What is cheap to ask is asked first."""
    if not promising(engine, position) or not (found := solve(engine, position, QUICK)):
        return None
    if known.has(position, found.moves):
        return None
    puzzle = puzzle_of(engine.book, position, found)
    if known.full(puzzle.grade) or solve(engine, position, DEEP) != found:
        return None
    known.add(position, found.moves, puzzle.grade)
    return puzzle


def puzzle_of(book: Rulebook, position: Position, found: Found) -> Puzzle:
    level = finding_level(book, position, found.moves[0])
    own = (len(found.moves) + 1) // 2
    return Puzzle(
        fen=position.fen,
        line=[move.text for move in found.moves],
        also=[move.text for move in found.also],
        given=found.given,
        taken=found.taken,
        grade=grade_of(own, found.given, level),
        level=level,
        motif=motif_of(position, [move.text for move in found.moves]),
    )


# --- the command --------------------------------------------------------------------------------


def borrow(book: Rulebook, other: str, count: int) -> Sheet:
    """Positions of another rulebook's puzzles, every one solved and graded again under this one."""
    sheet = load(book.id)
    puzzles = list(sheet.puzzles)
    known = Known(book, puzzles, count)
    theirs = load(other).puzzles
    bar = ProgressBar(book.id, len(theirs), log_every_s=30)
    with Engine(book, hash_mb=16, tables=False) as engine:
        for number, puzzle in enumerate(theirs, start=1):
            position = Position.from_fen(puzzle.fen, other).under(rules_of(book))
            if len(puzzles) < count and (found := puzzle_in(engine, position, known)):
                puzzles.append(found)
            bar.show(number, f"{len(puzzles)} puzzles")
    sheet = Sheet(rulebook=book.id, seed=sheet.seed, games=sheet.games, puzzles=puzzles)
    save(sheet)
    print(file=sys.stderr)
    return sheet


def mine(book: Rulebook, count: int, seed: int) -> Sheet:
    sheet = load(book.id)
    if sheet.seed != seed and sheet.puzzles:
        print(f"{book.id}: seed {sheet.seed} goes on with seed {seed} from game 0", file=sys.stderr)
    played = sheet.games if sheet.seed == seed else 0
    puzzles = list(sheet.puzzles)
    known = Known(book, puzzles, count)
    bar = ProgressBar(book.id, count, log_every_s=30)
    with Engine(book, hash_mb=16, tables=False) as engine:
        for number, positions in games(book, seed, played):
            if len(puzzles) >= count:
                break
            found = (puzzle_in(engine, position, known) for position in positions)
            puzzles += [puzzle for puzzle in found if puzzle]
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
    if options.other:
        sheet = borrow(book, options.other, options.count)
    else:
        sheet = mine(book, options.count, options.seed)
    grades = Counter(puzzle.grade for puzzle in sheet.puzzles)
    motifs = Counter(puzzle.motif for puzzle in sheet.puzzles)
    print(f"{sheet.rulebook}: {len(sheet.puzzles)} puzzles from {sheet.games} games")
    print("  grades", dict(sorted(grades.items())), "motifs", dict(motifs.most_common()))


if __name__ == "__main__":
    main()
