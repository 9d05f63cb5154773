"""A position written in any notation is read back as itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas import Position
from damas.notation import convert, fen_in, hub
from damas.rules import rulebook_ids
from properties.strategies import positions, positions_of


@given(positions)
def test_own_squares(position: Position) -> None:
    assert Position.from_fen(position.fen, position.rulebook) == position


@given(positions, st.sampled_from(("algebraic", "numbers")))
def test_letters_and_numbers(position: Position, numbering: str) -> None:
    assert Position.from_fen(fen_in(position, numbering), position.rulebook) == position


@given(positions, st.randoms(use_true_random=False))
def test_sides_and_pieces_in_any_order_with_blanks_and_a_full_stop(position: Position, dice) -> None:
    turn, white, black = position.fen.split(":")
    sides = []
    for side in (white, black):
        pieces = side[1:].split(",")
        dice.shuffle(pieces)
        sides.append(side[0] + " , ".join(pieces))
    dice.shuffle(sides)
    assert Position.from_fen(f" {turn} : {' : '.join(sides)} . ", position.rulebook) == position


@given(positions)
def test_hub(position: Position) -> None:
    assert hub.read_position(hub.write_position(position), position.rulebook) == position


@given(positions, st.sampled_from(("hub", "pdn")))
def test_converted_and_back(position: Position, via: str) -> None:
    book = position.rulebook
    there = "".join(map(str, convert(position.fen, "fen", via, book)))
    (back,) = convert(there, via, "fen", book)
    assert back == position.fen + "\n"


@given(positions)
def test_setup(position: Position) -> None:
    assert Position.of(position.setup, position.rulebook) == position


@pytest.mark.parametrize("book_id", rulebook_ids())
@given(data=st.data())
def test_runs_of_numbers_are_ranges(book_id: str, data: st.DataObject) -> None:
    """1-12 means 1,2,…,12."""
    position = data.draw(positions_of(book_id))
    turn, *sides = fen_in(position, "numbers").split(":")
    written = []
    for side in sides:
        kings = [int(item[1:]) for item in side[1:].split(",") if item.startswith("K")]
        men = [int(item) for item in side[1:].split(",") if item.isdigit()]
        written.append(side[0] + ",".join(["K" + run for run in runs(kings)] + runs(men)))
    assert Position.from_fen(":".join([turn, *written]), book_id) == position


def runs(numbers: list[int]) -> list[str]:
    """3, 4, 5 and 9 are 3-5 and 9."""
    groups: list[list[int]] = []
    for number in sorted(numbers):
        if groups and groups[-1][-1] == number - 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    return [f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in groups]
