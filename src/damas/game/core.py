"""Converts a rulebook's answers to the core's rules, once for each rulebook."""

from collections.abc import Callable
from functools import cache
from typing import Any

from damas import _core
from damas.board import Color
from damas.rules import Rulebook
from damas.rules.schema import PRIORITIES

CAPTURE_LINES = ("diagonal", "orthogonal", "all")
KING_LANDING = ("any", "behind", "continuing")
PROMOTION = ("passes", "stops", "continues")
REMOVAL = ("after_capture", "at_once")

_books: dict[str, Rulebook] = {}


def core_rules(book: Rulebook, *, interpreted: bool = False, **changes: Any) -> _core.Rules:
    """The core's rules for a rulebook, with some answers changed if asked (to find out which one forbids a move).

    `interpreted` asks for the generator that reads the switches at run time, as it does for house rules
    whose answers equal no built-in rulebook's.
    """
    geometry = book.geometry
    answers: dict[str, Any] = {
        "capture_lines": book.capture_lines.value,
        "men_capture_backward": book.men_capture_backward.value,
        "men_capture_kings": book.men_capture_kings.value,
        "flying_king": book.flying_king.value,
        "king_landing": book.king_landing.value,
        "promotion": book.promotion.value,
        "removal": book.removal.value,
        "capture_priority": book.capture_priority.value,
    }
    answers.update(changes)
    name = f"{book.id}/{book.hash}"
    registered = _books.setdefault(name, book)
    if registered is not book and registered.source != book.source:
        # The same answers under other articles: keep them apart, so that each cites its own.
        name += f"/{id(book)}"
        _books[name] = book
    return _core.rules(
        id=name,
        size=geometry.size,
        all_squares=geometry.all_squares,
        capture_lines=CAPTURE_LINES.index(answers["capture_lines"]),
        men_capture_backward=answers["men_capture_backward"],
        men_capture_kings=answers["men_capture_kings"],
        flying_king=answers["flying_king"],
        king_landing=KING_LANDING.index(answers["king_landing"]),
        promotion=PROMOTION.index(answers["promotion"]),
        removal=REMOVAL.index(answers["removal"]),
        capture_priority=[1 + PRIORITIES.index(word) for word in answers["capture_priority"]],
        interpreted=interpreted,
        algebraic=list(geometry.algebraic),
        numbers=list(geometry.numbers),
        rows_columns=list(geometry.rows_columns),
        fen=book.fen_squares,
        moves=book.move_text,
        white_start=book.start_squares(Color.WHITE),
        black_start=book.start_squares(Color.BLACK),
        black_starts=book.first_to_move is Color.BLACK,
    )


_rules_of: Callable[[Rulebook], _core.Rules] = cache(core_rules)


def rules_of(book: Rulebook) -> _core.Rules:
    return _rules_of(book)


def rulebook_of(rules: _core.Rules) -> Rulebook:
    return _books[rules.id]
