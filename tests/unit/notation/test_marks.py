"""Squares and arrows that comments point out."""

from typing import Any

import pytest

from damas import rulebook
from damas.notation import Clock, Mark, read_game
from damas.notation.pdn.marks import marks_text, take_marks

BOARD = rulebook("brasileira").geometry


def marked(text: str) -> tuple[str, list[tuple[str, ...]]]:
    rest, marks = take_marks(text, BOARD)
    names = BOARD.algebraic
    return rest.strip(), [
        (mark.color, names[mark.square]) + (() if mark.to is None else (names[mark.to],)) for mark in marks
    ]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("[%csl Gc3]", [("green", "c3")]),
        ("[%csl Rc3,Yd4, Be5]", [("red", "c3"), ("yellow", "d4"), ("blue", "e5")]),
        ("[%csl G22,R4,R04]", [("green", "c3"), ("red", "h8"), ("red", "h8")]),
        ("[%cal Gc3d4]", [("green", "c3", "d4")]),
        ("[%cal G2218]", [("green", "c3", "d4")]),
        ("[%csl Gc3][%cal Rc3d4]", [("green", "c3"), ("red", "c3", "d4")]),
    ],
)
def test_marks_are_read_in_letters_and_numbers(text: str, marks: list[tuple[str, ...]]) -> None:
    assert marked(text) == ("", marks)


@pytest.mark.parametrize(
    "text",
    [
        "[%csl Gz9]",
        "[%csl Gb1]",
        "[%csl Pc3]",
        "[%csl c3]",
        "[%csl Gc3d4]",
        "[%cal Gc3]",
        "[%cal G228]",
        "[%csl G99]",
        "[%csl G00]",
        "[%csl ]",
        "[%csl Gc3",
    ],
)
def test_what_is_no_mark_of_this_board_stays_text(text: str) -> None:
    assert marked(text) == (text, [])


def test_numbers_are_written_with_two_digits() -> None:
    c3, h8 = BOARD.square("c3"), BOARD.square("h8")
    marks = (Mark(h8), Mark(h8, c3, "red"), Mark(c3, color="blue"))
    assert marks_text(marks, BOARD.numbers) == "[%csl G04] [%cal R0422] [%csl B22]"


def test_many_marks_are_read_back() -> None:
    marks = tuple(Mark(square, to) for square in range(32) for to in range(32))
    assert take_marks(marks_text(marks, BOARD.algebraic), BOARD)[1] == marks


def test_marks_clocks_and_words_of_one_comment() -> None:
    game = read_game(
        "1. c3-d4 {look [%csl Gd4] here [%clk 0:00:09] [%cal Gd4e5] [%eval 0.2]} *", "brasileira"
    )
    node = game.moves[0]
    d4, e5 = BOARD.square("d4"), BOARD.square("e5")
    assert (node.marks, node.clock) == ((Mark(d4), Mark(d4, e5)), Clock(left=9_000))
    assert node.comments == ("look here [%eval 0.2]",)
    assert "{[%clk 0:00:09] [%csl G18] [%cal G1815]}" in game.pdn("numbers").replace("\n", " ")
    assert read_game(game.pdn("numbers")) == game


@pytest.mark.parametrize(
    ("square", "to", "color"), [(-1, None, "red"), ("c3", None, "red"), (1, -2, "red"), (1, None, "purple")]
)
def test_a_mark_that_could_not_be_written_is_refused(square: Any, to: Any, color: Any) -> None:
    with pytest.raises(ValueError, match="a mark"):
        Mark(square, to, color)


def test_a_mark_beside_the_board_is_refused() -> None:
    cursor = read_game("1. c3-d4 *", "brasileira").end
    assert cursor.annotate(marks=[Mark(31)]).node.marks == (Mark(31),)
    with pytest.raises(ValueError, match="32 squares"):
        cursor.annotate(marks=[Mark(0, 32)])


@pytest.mark.parametrize("time", [-5, 12.5, "0:01"])
def test_a_clock_has_whole_milliseconds(time: Any) -> None:
    with pytest.raises(ValueError, match="milliseconds"):
        Clock(left=time)
