"""Converts a rulebook's answers to the core's rules, once for each rulebook."""

from functools import cache
from typing import Any

from damas import _core
from damas.board import Color
from damas.rules import Rulebook
from damas.rules.schema import MOVE_SWITCHES, PRIORITIES

_books: dict[str, Rulebook] = {}


def settings_of(book: Rulebook, **changes: Any) -> dict[str, Any]:
    """The settings of a rulebook for the core, with some answers changed if asked."""
    geometry = book.geometry
    answers: dict[str, Any] = {key: getattr(book, key).value for key in MOVE_SWITCHES} | changes
    priorities = [1 + PRIORITIES.index(word) for word in answers.pop("capture_priority")]
    switches: dict[str, Any] = {
        key: value if isinstance(value, bool) else MOVE_SWITCHES[key].index(value)
        for key, value in answers.items()
    }
    return {
        "size": geometry.size,
        "all_squares": geometry.all_squares,
        "capture_priority": priorities,
        **switches,
        "algebraic": list(geometry.algebraic),
        "numbers": list(geometry.numbers),
        "rows_columns": list(geometry.rows_columns),
        "fen": book.fen_squares,
        "moves": book.move_text,
        "white_start": book.start_squares(Color.WHITE),
        "black_start": book.start_squares(Color.BLACK),
        "black_starts": book.first_to_move is Color.BLACK,
    }


def core_rules(book: Rulebook, *, interpreted: bool = False, **changes: Any) -> _core.Rules:
    """The core's rules for a rulebook, with some answers changed if asked.

    `interpreted` asks for the generator that reads the switches at run time, as it does for house rules
    whose answers equal no built-in rulebook's.
    """
    name = f"{book.id}/{book.hash}"
    registered = _books.setdefault(name, book)
    if registered is not book and registered.source != book.source:
        # The same answers under other articles: keep them apart, so that each cites its own.
        name += f"/{id(book)}"
        _books[name] = book
    return _core.rules(id=name, interpreted=interpreted, **settings_of(book, **changes))


@cache
def rules_of(book: Rulebook) -> _core.Rules:
    """The core's rules for a rulebook, the same object every time."""
    return core_rules(book)


def rulebook_of(rules: _core.Rules) -> Rulebook:
    """The rulebook from which `core_rules` made these rules."""
    return _books[rules.id]
