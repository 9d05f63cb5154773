from collections.abc import Callable

import pytest

from damas.drawing import Drawing

Place = Callable[..., Drawing]


@pytest.mark.parametrize("name", ["1", "h1", "0,7", "H1", "0, 7", 0])
def test_a_square_is_found_by_any_of_its_names(place: Place, name: str | int) -> None:
    assert place("portuguesa").square(name) == 0


def test_a_text_of_digits_is_a_number_and_a_whole_number_an_index(place: Place) -> None:
    drawing = place("brasileira")
    assert drawing.geometry.algebraic[drawing.square("9")] == "b6"
    assert drawing.geometry.algebraic[drawing.square(9)] == "c3"


@pytest.mark.parametrize("name", ["b1", "33", 32, -1])
def test_an_unknown_square_is_named(place: Place, name: str | int) -> None:
    with pytest.raises(ValueError, match=f"No square {name!r} on this board"):
        place("brasileira").square(name)
