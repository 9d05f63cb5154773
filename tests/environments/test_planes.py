"""Tensors of games and positions, and the positions of tensors."""

import numpy as np
import pytest

from damas import Game, Position, rulebooks
from damas.environments import from_tensor, tensor


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_a_position_comes_back_from_its_tensor(book):
    game = Game.start(book)
    for _ in range(8):
        planes = tensor(game.position)
        assert planes.dtype == np.float32 and planes[6].max() == 0
        assert from_tensor(planes, book) == from_tensor(tensor(game), book) == game.position
        game = game.play(next(iter(game.legal_moves)))


def test_the_tensor_of_a_game_knows_the_nearest_limit():
    game = Game.start("concurso", fen="W:WKg1,a3:BKb8").play("0,6 1,7")
    assert tensor(game)[6].min() == np.float32(1 / 400)


@pytest.mark.parametrize(
    "change",
    [
        lambda planes: planes[:, :7],
        lambda planes: planes + np.float32(0.5),
        lambda planes: planes[[0, 0, 2, 3, 4, 5, 6]],  # a man and a king on one square
        lambda planes: np.roll(planes, 1, axis=2),  # pieces on squares that nobody plays on
    ],
)
def test_what_is_no_tensor_of_a_position_is_refused(change):
    with pytest.raises(ValueError, match=r"shape|piece"):
        from_tensor(change(tensor(Position.start("brasileira"))), "brasileira")
