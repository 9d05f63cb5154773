"""Sessions of a check: parts of games that show whether a program knows a rule.

A session is always a possible game from some position, with the opponent's moves in between: a program that keeps its
own board must not be asked what no game would ask. Everything is drawn from a seed, so that two checks are the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from damas.board import Color
from damas.game import Game, Move, Position, Record
from damas.game.core import core_rules
from damas.rules import Rulebook

MAX_TURNS = 200
"""Turns of the program in a whole game."""
LAWS = ("LIMIT", "CYCLE", "LENGTH", "REPETITION")
"""Laws that end games; those whose count a program is told come first."""
PLIES_BEFORE_END = 12
"""How long before its end a long game is used, so that no law is about to end it."""
MAX_PLIES = 400
"""A longer game is drawn."""


@dataclass(frozen=True)
class Session:
    """A part of a game in which a program is asked for moves."""

    purpose: str
    """The check it is for; empty for a whole game."""
    color: Color
    turns: int
    """How often the program is asked."""
    fen: str | None = None
    moves: tuple[str, ...] = ()
    """Moves played before the first question."""


def law_binds(position: Position, moves: list[Move]) -> bool:
    """Whether a capture law of the rulebook forbids one of the possible captures."""
    book = position.rulebook
    if not (book.capture_priority.value and moves[0].is_capture):
        return False
    free = position.under(core_rules(book, capture_priority=()))
    return len(free.legal_moves) > len(moves)


KINDS: dict[str, Callable[[Position, list[Move]], bool]] = {
    "capture-laws": law_binds,
    "promotions": lambda _, moves: all(move.promotes and not move.is_capture for move in moves),
    "kings": lambda _, moves: all(move.by_king for move in moves),
    "chains": lambda _, moves: any(len(move.captured) > 1 for move in moves),
    "captures": lambda _, moves: moves[0].is_capture,
}
"""Kinds of positions that are asked about, the rarest first."""


def openings() -> list[Session]:
    """The first six turns of a game, for each colour."""
    return [Session("colours", color, 6) for color in Color]


def games(count: int) -> list[Session]:
    """So many whole games for each colour."""
    return [Session("", color, MAX_TURNS) for _ in range(count) for color in Color]


def positions(book: Rulebook, each: int) -> Iterator[Session]:
    """Positions from random games: `each` of every kind, for White and Black in turn."""
    random = Random(f"positions {book.id}")
    bound = bool(book.capture_priority.value)
    counts = {kind: 0 for kind in KINDS if bound or kind != "capture-laws"}
    for _ in range(400):
        game = Game.start(book)
        while not game.outcome:
            moves, turn = game.legal_moves, game.position.turn
            for kind, count in counts.items():
                wanted = count < each and turn is tuple(Color)[count % 2]
                if wanted and KINDS[kind](game.position, moves) and random.random() < 0.2:
                    counts[kind] = count + 1
                    yield Session(kind, turn, 3, game.position.fen)
                    break
            game = game.play(random.choice(moves))
        if min(counts.values()) >= each:
            return


def patient_games(book: Rulebook, count: int) -> list[Game]:
    """Long games of two players who avoid captures; most of them end by a law."""
    random = Random(f"patient {book.id}")
    games = []
    for _ in range(count):
        game = Game.start(book)
        while not game.outcome and game.record.length < MAX_PLIES:
            game = game.play(_patient(game, random))
        games.append(game)
    return games


def _patient(game: Game, random: Random) -> Move:
    moves = game.legal_moves
    random.shuffle(moves)
    for move in moves:
        if not game.position.play(move).must_capture():
            return move
    return moves[0]


def long_games(book: Rulebook) -> Iterator[Session]:
    """Sessions near the end of a game that a law ends, for each colour, and one with a long history."""
    played = patient_games(book, 24)
    by_law = [game for game in played if game.outcome and game.outcome.rule]
    by_law.sort(key=lambda game: (_rank(game), game.record.length))
    for color in Color if by_law else ():
        record = by_law[0].record
        left = 1 if record.mover(record.length) is color else 2
        yield Session("draws", color, 2, moves=_texts(record)[: record.length - left])
    record = max((game.record for game in played), key=lambda record: record.length)
    length = record.length - PLIES_BEFORE_END
    if length > 0:
        yield Session("long-history", record.mover(length + 1), 2, moves=_texts(record)[:length])


def _rank(game: Game) -> int:
    return LAWS.index(game.outcome.reason) if game.outcome else len(LAWS)


def _texts(record: Record) -> tuple[str, ...]:
    return tuple(move.text for move in record.moves)
