"""Every legal move has one number and no two share it, in every rulebook."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damas
from damas.board import Color, Piece, Setup
from damas.environments import Actions
from damas.environments.actions import TIES
from damas.game import Game, Position
from environments.positions import endings

BOOKS = [book.id for book in damas.rulebooks()]
MANY_TIES = ("russa", "pool", "canadense", "frisia", "turca")


def check(position: Position) -> int:
    actions = Actions.of(position.rulebook)
    moves = list(position.legal_moves)
    legal = actions.legal(moves)
    assert len(legal) == len(moves), "two moves share a number"
    assert set(legal.values()) == set(moves), "a move has none"
    assert all(0 <= action < actions.count for action in legal)
    assert list(legal) == sorted(legal)
    assert actions.legal(reversed(moves)) == legal, "the order in which moves are found changes nothing"
    ties = 0
    for action, move in legal.items():
        if actions.ends(action) == (move.origin, move.destination):
            ties = max(ties, action % TIES)
        else:
            ties = TIES
    return ties


@pytest.mark.parametrize("book", BOOKS)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_moves_of_random_games_have_one_number_each(book: str, seed: int) -> None:
    chance = Random(seed)
    game = Game.start(book)
    if seed % 2:
        game = Game.start(book, fen=chance.choice(endings(book, seed % 7)))
    while not game.outcome and game.record.length < 120:
        check(game.position)
        game = game.play(chance.choice(game.legal_moves))


@pytest.mark.parametrize("book", BOOKS)
def test_kings_among_many_men(book: str) -> None:
    """Captures with the same ends are rare in games: here are positions full of them."""
    rules = damas.rulebook(book)
    chance = Random(book)
    ties = 0
    for _ in range(300):
        kings, men = chance.randint(1, 3), chance.randint(6, len(rules.start_squares(Color.BLACK)))
        squares = chance.sample(range(len(rules.geometry.places)), kings + men)
        pieces = [Piece.WHITE_KING] * kings + [Piece.BLACK_MAN] * men
        try:
            position = Position.of(Setup(dict(zip(squares, pieces, strict=True))), rules)
        except damas.IllegalSetup:
            continue
        ties = max(ties, check(position))
    if book in MANY_TIES:
        assert ties > 0


def test_a_surplus_of_captures_takes_the_highest_free_numbers() -> None:
    actions = Actions(32)
    same = [((0, 31), ((square,), True)) for square in range(6)]
    numbers = actions.number([*same, ((31, 31), ((1,), True)), ((31, 31), ((2,), True))])
    assert numbers[:4] == [124, 125, 126, 127]
    assert numbers[6:] == [4092, 4093]
    assert numbers[4:6] == [4095, 4094]
    full = actions.number([((31, 31), ((square,), True)) for square in range(6)])
    assert full == [4092, 4093, 4094, 4095, 4091, 4090]


def test_ties_are_numbered_by_what_is_taken() -> None:
    """P4: c1 to a3 by two ways with other pieces taken."""
    position = Position.from_fen("W:WKc1:Bb4,d2,d4,e5", "brasileira")
    legal = Actions.of("brasileira").legal(position.legal_moves)
    pair = [action for action, move in legal.items() if move.text.endswith("a3")]
    assert [action % TIES for action in pair] == [0, 1]
    assert [sorted(legal[action].captured) for action in pair] == sorted(
        sorted(legal[action].captured) for action in pair
    )
