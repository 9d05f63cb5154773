"""Compares rulebooks: one position under several of them, and the answers that make the difference.

Squares are compared by their internal index, so a board and its mirror image compare too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random

from damas import _core
from damas._core import Move
from damas.board import Color, Piece, Setup
from damas.game.core import core_rules, rules_of
from damas.game.position import Position
from damas.rules import Rulebook
from damas.rules.schema import MOVE_SWITCHES

Causes = tuple[tuple[str, ...], ...]
"""Sets of answers, each of which is by itself enough to explain a difference."""

SMALL_POSITIONS, GAMES = 8000, 40


@dataclass(frozen=True)
class View:
    """One position as one rulebook sees it."""

    rulebook: Rulebook
    position: Position
    moves: tuple[Move, ...]
    causes: Causes
    """By which of its answers its legal moves differ from those of the position's own rulebook."""


@dataclass(frozen=True)
class Witness:
    """A position in which two rulebooks allow different moves."""

    position: Position
    causes: Causes


def same_board(first: Rulebook, second: Rulebook) -> bool:
    """Whether a position of one is a position of the other: size and squares; orientation does not matter."""
    return (first.size.value, first.squares.value) == (second.size.value, second.squares.value)


def differing_switches(first: Rulebook, second: Rulebook) -> tuple[str, ...]:
    """The answers on which legal moves depend and which the second rulebook gives differently.

    Where a king that does not fly may land is no answer of its own: it goes with not flying.
    """
    return tuple(
        key
        for key in MOVE_SWITCHES
        if getattr(first, key).value != getattr(second, key).value
        and (key != "king_landing" or second.flying_king.value)
    )


@cache
def _mixed(book: Rulebook, other: Rulebook, switches: tuple[str, ...]) -> _core.Rules:
    return core_rules(book, **{key: getattr(other, key).value for key in switches})


def causes(position: Position, other: Rulebook) -> Causes:
    """The smallest sets of answers that, taken from `other`, give the same legal moves; none if they are the same."""
    book = position.rulebook
    wanted = set(position.under(rules_of(other)).legal_moves)
    if set(position.legal_moves) == wanted:
        return ()
    switches = differing_switches(book, other)
    for number in range(1, len(switches) + 1):
        enough = tuple(
            some
            for some in combinations(switches, number)
            if set(position.under(_mixed(book, other, some)).legal_moves) == wanted
        )
        if enough:
            return enough
    raise AssertionError(f"{book.id} with every answer of {other.id} is not {other.id} on {position.fen}")


def compare(position: Position, books: Sequence[Rulebook]) -> list[View]:
    """A position under each of the rulebooks, which must share its board.

    >>> from damas.rules import rulebook
    >>> position = Position.from_fen("W:WKa1:Bd4", "brasileira")
    >>> [(len(view.moves), view.causes) for view in compare(position, [rulebook("faraes"), rulebook("oficial")])]
    [(4, ()), (1, (('king_landing',),))]
    """
    views = []
    for book in books:
        there = position.under(rules_of(book))
        views.append(View(book, there, tuple(there.legal_moves), causes(position, book)))
    return views


def witnesses(first: Rulebook, second: Rulebook, seed: int = 0) -> dict[str, Witness]:
    """For each differing answer a position, written by the first rulebook, in which it changes the legal moves.

    Looks at small random positions, fewest pieces first, then at random games. An answer that never matters by
    itself is shown together with the fewest others; one for which no position is found is left out.
    """
    wanted = differing_switches(first, second)
    witnesses_by_switch: dict[str, Witness] = {}
    rank: dict[str, tuple[int, int]] = {}
    if not wanted or not same_board(first, second):
        return witnesses_by_switch
    rules = rules_of(second)
    for position in _random_positions(first, Random(seed)):
        if set(position.legal_moves) == set(position.under(rules).legal_moves):
            continue
        why = causes(position, second)
        # Best is a position with one cause, then one that several answers explain alike, then company.
        for key in {key for some in why for key in some}:
            mine = (len(why[0]), len(why))
            if key not in witnesses_by_switch or mine < rank[key]:
                witnesses_by_switch[key], rank[key] = Witness(position, why), mine
        if all(rank.get(key) == (1, 1) for key in wanted):
            break
    return {key: witnesses_by_switch[key] for key in wanted if key in witnesses_by_switch}


def _random_positions(book: Rulebook, random: Random) -> Iterator[Position]:
    for number in range(SMALL_POSITIONS):
        yield _random_setup(book, random, pieces=2 + number * 7 // SMALL_POSITIONS)
    for _ in range(GAMES):
        position = Position.start(book)
        for _ in range(80):
            if not (moves := position.legal_moves):
                break
            position = position.play(moves[random.randrange(len(moves))])
            yield position


def _random_setup(book: Rulebook, random: Random, pieces: int) -> Position:
    """One or two white pieces to move against the rest: most rules show in a capture by few."""
    last_row = {Color.WHITE: book.size.value - 1, Color.BLACK: 0}
    placed: dict[int, Piece] = {}
    for index, square in enumerate(random.sample(book.geometry.squares, pieces)):
        color = Color.WHITE if index < min(2, pieces - 1) else Color.BLACK
        king = random.random() < 0.5 or book.geometry.places[square][0] == last_row[color]
        placed[square] = Piece(color.letter if king else color.letter.lower())
    return Position.of(Setup(placed, Color.WHITE), book)
