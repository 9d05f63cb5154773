"""How positions, moves, records and games are pickled: as the moves that were played, with the version of the format.

The rulebook is pickled with its values, so a process that has never read these house rules can play by them.
"""

import copyreg
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from damas import _core
from damas.game.core import rulebook_of, rules_of
from damas.rules import Rulebook

if TYPE_CHECKING:
    from damas.game.game import Customs, Game
    from damas.game.outcome import Outcome
    from damas.game.position import Position
    from damas.game.record import Claims, Record

VERSION = 1
"""Version of the format. damas reads every earlier version, and refuses a later one with a message that says so."""


def check_version(version: int) -> None:
    """Raises `ValueError` for a pickle of a later format."""
    if version > VERSION:
        raise ValueError(
            f"this pickle has format {version}, and this damas reads {VERSION}: update damas to read it"
        )


def position(version: int, kind: "type[Position]", fen: str, book: Rulebook) -> "Position":
    """A position that was pickled."""
    check_version(version)
    return kind.from_fen(fen, book)


def move(
    version: int,
    book: Rulebook,
    route: tuple[int, ...],
    captured: tuple[int, ...],
    promotes: bool,
    by_king: bool,
) -> _core.Move:
    """A move that was pickled."""
    check_version(version)
    return _core.move(rules_of(book), route, captured, promotes, by_king)


def legal_moves(version: int, book: Rulebook, moves: list[_core.Move]) -> _core.LegalMoves:
    """A list of legal moves that was pickled."""
    check_version(version)
    return _core.moves(rules_of(book), moves)


def record(
    version: int,
    kind: "type[Record]",
    start: "Position",
    recorded: bool,
    moves: Iterable[_core.Move | str],
    claims: "Claims",
) -> "Record":
    """A record that was pickled, played again; raises `IllegalMove` where it does not obey the rules."""
    check_version(version)
    made = kind(start, recorded=recorded)
    waiting = list(claims)

    def claim() -> None:
        nonlocal made
        while waiting and waiting[0][0] == made.length:
            made = made.claim(waiting.pop(0)[1])

    claim()
    for each in moves:
        made = made.play(each)
        claim()
    return made


def game(
    version: int, kind: "type[Game]", record: "Record", customs: "Customs", outcome: "Outcome | None"
) -> "Game":
    """A game that was pickled."""
    check_version(version)
    return kind(record, customs, outcome)


def _reduce_move(value: _core.Move) -> tuple[Any, ...]:
    book = rulebook_of(value.rules)
    return move, (VERSION, book, value.route, value.captured, value.promotes, value.by_king)


def _reduce_legal_moves(value: _core.LegalMoves) -> tuple[Any, ...]:
    return legal_moves, (VERSION, rulebook_of(value.rules), list(value))


copyreg.pickle(_core.Move, _reduce_move)
copyreg.pickle(_core.LegalMoves, _reduce_legal_moves)
