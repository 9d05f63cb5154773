import re
import unicodedata
from collections.abc import Callable

import pytest

from damas.board import Color
from damas.drawing import Drawing, unicode_board

Place = Callable[..., Drawing]
Start = Callable[[str], Drawing]


def without_colours(text: str) -> str:
    return re.sub(r"\033\[[0-9;]*m", "", text)


def test_files_and_ranks_stand_along_the_edges(place: Place) -> None:
    drawing = place("brasileira", w="a1 c3", W="h2 e5", b="h8 b6", B="a7 d6")
    assert unicode_board(drawing).split("\n") == [
        "  ┌─────────────────┐",
        "8 │   ·   ·   ·   ● │",
        "7 │(●)  ·   ·   ·   │",
        "6 │   ●  (●)  ·   · │",
        "5 │ ·   ·  (○)  ·   │",
        "4 │   ·   ·   ·   · │",
        "3 │ ·   ○   ·   ·   │",
        "2 │   ·   ·   ·  (○)│",
        "1 │ ○   ·   ·   ·   │",
        "  └─────────────────┘",
        "    a b c d e f g h",
    ]


def test_numbers_stand_at_both_ends_of_each_row(place: Place) -> None:
    drawing = place("portuguesa", w="1", W="5", b="31", B="32")
    assert unicode_board(drawing, orientation=Color.BLACK, ascii=True).split("\n") == [
        " 1  w   .   .   .     4",
        " 5    W   .   .   .   8",
        " 9  .   .   .   .    12",
        "13    .   .   .   .  16",
        "17  .   .   .   .    20",
        "21    .   .   .   .  24",
        "25  .   .   .   .    28",
        "29    .   .   b   B  32",
    ]


def test_plain_letters_have_no_frame(start: Start) -> None:
    assert unicode_board(start("brasileira"), ascii=True).split("\n") == [
        "8    b   b   b   b",
        "7  b   b   b   b",
        "6    b   b   b   b",
        "5  .   .   .   .",
        "4    .   .   .   .",
        "3  w   w   w   w",
        "2    w   w   w   w",
        "1  w   w   w   w",
        "   a b c d e f g h",
    ]


def test_kings_side_by_side_keep_their_own_brackets(place: Place) -> None:
    lines = unicode_board(place("turca", W="a1 b1", b="c1", B="d1")).split("\n")
    assert lines[8] == "1 │(○)(○) ● (●) ·  ·  ·  · │"
    assert lines[-1] == "    a  b  c  d  e  f  g  h"


def test_rows_and_columns_of_twelve_have_room_for_two_digits(place: Place) -> None:
    lines = unicode_board(place("canadense", w="67"), numbering="rows-columns", ascii=True).split("\n")
    assert lines[0].startswith("11 ")
    assert lines[-2] == " 0  w     .     .     .     .     ."
    assert lines[-1] == "    0  1  2  3  4  5  6  7  8  9  10 11"


def test_none_leaves_only_the_board(place: Place) -> None:
    lines = unicode_board(place("portuguesa", w="1"), numbering="none").split("\n")
    assert len(lines) == 10
    assert lines[8] == "│   ·   ·   ·   ○ │"
    assert unicode_board(place("portuguesa"), numbering="none", ascii=True).split("\n")[0] == " .   .   .   ."


def test_a_board_with_the_corner_at_the_right_is_the_same_board_in_a_mirror(start: Start) -> None:
    left, right = (unicode_board(start(name), numbering="none") for name in ("brasileira", "portuguesa"))
    assert left != right
    assert [line[1:-1] for line in left.split("\n")] == [line[-2:0:-1] for line in right.split("\n")]


@pytest.mark.parametrize("numbering", ["rulebook", "algebraic", "numbers", "rows-columns", "none"])
@pytest.mark.parametrize("orientation", ["white", "black"])
@pytest.mark.parametrize("ascii", [False, True])
def test_every_board_fits_a_terminal_and_no_sign_is_wide(
    start: Start, any_board: str, orientation: str, numbering: str, ascii: bool
) -> None:
    for color in (False, True):
        drawn = unicode_board(
            start(any_board), orientation=orientation, numbering=numbering, ascii=ascii, color=color
        )
        lines = without_colours(drawn).split("\n")
        assert len(lines) <= 20
        assert max(map(len, lines)) <= 60
        assert not [sign for sign in without_colours(drawn) if unicodedata.east_asian_width(sign) in "WF"]
        assert not [sign for sign in without_colours(drawn) if unicodedata.combining(sign)]
        assert not [line for line in lines if line != line.rstrip()] or color
        if ascii:
            assert without_colours(drawn).isascii()
        letters = "wb" if ascii else "○●"
        board = [line for line in lines if set(line) & set(letters)]
        men = len(start(any_board).pieces) // 2
        # the file b of a board with letters is no man
        assert sum(line.count(letters[0]) for line in board) == men
        files = ascii and "a" in lines[-1]
        assert sum(line.count(letters[1]) for line in board) == men + files


def test_colours_change_nothing_but_the_colours(place: Place) -> None:
    drawing = place("portuguesa", w="1", W="5", b="31", B="32")
    coloured = unicode_board(drawing, color=True)
    squeeze = str.maketrans("", "", " │┌┐└┘─\n")
    assert without_colours(coloured).translate(squeeze) == unicode_board(drawing).translate(squeeze)
    for line in (coloured + "\n" + unicode_board(place("brasileira"), color=True)).split("\n"):
        assert line.endswith("\033[0m"), "the colour must not run on into the next line"
    assert "\033" not in unicode_board(drawing)
