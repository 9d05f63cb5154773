"""What a program is asked: beginnings of games in which something is to be seen.

A session is always a game that could have been, from a position on, with the opponent's moves between: a program that
keeps its own board must not stumble over questions that no game would ask. All is drawn from a seed, so that two checks
ask the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from damas.board import Color
from damas.game import Game, Move, Position, Record
from damas.game.core import core_rules
from damas.rules import Rulebook

A_GAME = 200
"""Turns of a program in a whole game, at the most."""
BEST_SEEN = ("LIMIT", "CYCLE", "LENGTH", "REPETITION")
"""Laws that end games, those first whose count a program is told just before."""
LATE = 12
"""Plies before the end of a long game where its history is looked at, and no law is about to end it."""
LONG = 400
"""Plies of a game that lasts, at the most: the arena ends games there that no rule has ended."""


@dataclass(frozen=True)
class Session:
    purpose: str
    """The check it was made for; empty for a whole game."""
    color: Color
    turns: int
    """How often the program is asked."""
    fen: str | None = None
    moves: tuple[str, ...] = ()
    """Played before it is asked."""


def law_binds(position: Position, moves: list[Move]) -> bool:
    """Whether one of the rulebook's laws forbids a capture that there is."""
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
"""What makes a position worth asking about, the rarest first."""


def openings() -> list[Session]:
    return [Session("colours", color, 6) for color in Color]


def games(count: int) -> list[Session]:
    return [Session("", color, A_GAME) for _ in range(count) for color in Color]


def positions(book: Rulebook, each: int) -> Iterator[Session]:
    """So many positions of each kind, for White and Black in turn, found in random games."""
    chance = Random(f"positions {book.id}")
    bound = bool(book.capture_priority.value)
    found = {kind: 0 for kind in KINDS if bound or kind != "capture-laws"}
    for _ in range(400):
        game = Game.start(book)
        while not game.outcome:
            moves, turn = game.legal_moves, game.position.turn
            for kind, count in found.items():
                wanted = count < each and turn is tuple(Color)[count % 2]
                if wanted and KINDS[kind](game.position, moves) and chance.random() < 0.2:
                    found[kind] = count + 1
                    yield Session(kind, turn, 3, game.position.fen)
                    break
            game = game.play(chance.choice(moves))
        if min(found.values()) >= each:
            return


def patient_games(book: Rulebook, count: int) -> list[Game]:
    """Games of two who give nothing away, so that they last, and mostly end by a law."""
    chance = Random(f"patient {book.id}")
    found = []
    for _ in range(count):
        game = Game.start(book)
        while not game.outcome and game.record.length < LONG:
            game = game.play(_patient(game, chance))
        found.append(game)
    return found


def _patient(game: Game, chance: Random) -> Move:
    moves = game.legal_moves
    chance.shuffle(moves)
    for move in moves:
        if not game.position.play(move).must_capture():
            return move
    return moves[0]


def long_ones(book: Rulebook) -> Iterator[Session]:
    """Near the end of a game that a law ends, for each colour, and with as long a history as can be had."""
    played = patient_games(book, 24)
    by_law = [game for game in played if game.outcome and game.outcome.rule]
    by_law.sort(key=lambda game: (_rank(game), game.record.length))
    for color in Color if by_law else ():
        record = by_law[0].record
        left = 1 if record.mover(record.length) is color else 2
        yield Session("draws", color, 2, moves=_texts(record)[: record.length - left])
    record = max((game.record for game in played), key=lambda record: record.length)
    known = record.length - LATE
    if known > 0:
        yield Session("long-history", record.mover(known + 1), 2, moves=_texts(record)[:known])


def _rank(game: Game) -> int:
    return BEST_SEEN.index(game.outcome.reason) if game.outcome else len(BEST_SEEN)


def _texts(record: Record) -> tuple[str, ...]:
    return tuple(move.text for move in record.moves)
