"""The draw laws of a rulebook, as the core counts them, and what it answers with the articles that say so."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from damas import _core
from damas.board import Color
from damas.game.core import rulebook_of
from damas.rules import DrawRule, Rulebook, schema

Counts = tuple[int, int, int, int]
"""White men, White kings, Black men, Black kings."""
Range = tuple[int, int]

ANY_NUMBER: Range = (0, 1000)
"""A range that every number of pieces is in."""


@dataclass(frozen=True)
class Progress:
    """How far a law has run: "7 of 13, since move 41, Art. 12"."""

    rule: DrawRule
    have: int
    """Plies, or moves of the stronger side, or times."""
    need: int
    since: int
    """The ply after which counting began."""
    first: int
    """The first ply counted, played or still to come: of one side's moves the other's in between are none."""
    plies: tuple[int, ...] = ()
    """The plies after which a repeated position stood, or where each run of a cycle began."""
    ending: int = 0
    """Index of the rule's ending that is on the board."""

    @property
    def article(self) -> str:
        """The article for the ending on the board."""
        return self.rule.article_of(self.ending)

    @property
    def counted(self) -> int:
        """How far it has run in the unit of the article: of a limit for each side, moves that both have made."""
        return self.have // 2 if self.rule.counts == "each" else self.have

    @property
    def complete(self) -> bool:
        """Whether the law has run to its end."""
        return self.have >= self.need


def progress_of(record: _core.Record, rules: Iterable[DrawRule]) -> list[Progress]:
    """How far each of these rules of the game's rulebook has run; those with nothing to count are left out."""
    numbers = _numbers(rulebook_of(record.rules))
    return [Progress(rule, *count) for rule in rules if (count := record.count(numbers[rule.id])) is not None]


def in_endings(book: Rulebook, rule: DrawRule, counts: Counts) -> bool:
    """Whether a draw rule of the rulebook applies to this material."""
    return laws_of(book).applies(_numbers(book)[rule.id], counts)


def strong_side(counts: Counts) -> Color:
    """The side with more pieces; with equal numbers the one with more kings, and White if all is equal."""
    return Color.BLACK if _core.strong_side_is_black(counts) else Color.WHITE


@cache
def _numbers(book: Rulebook) -> dict[str, int]:
    """The core's number of each draw rule."""
    return {rule.id: number for number, rule in enumerate(book.draws)}


@cache
def laws_of(book: Rulebook) -> _core.Laws:
    """The core's laws for a rulebook: its draw rules in the order of its file, the platform's after them."""
    laws = _core.Laws(max(len(book.start_squares(color)) for color in Color))
    for number, rule in enumerate(book.draws):
        (laws.add if rule.rule != "limit" else laws.add_limit)(**law_settings(book, number))
    for rest in book.rests:
        laws.add_rest(rest.limit)
    return laws


def law_settings(book: Rulebook, number: int) -> dict[str, Any]:
    """The settings of a draw rule for the core. `off_during` names one before it; any other name means none."""
    rule = book.draws[number]
    before = {earlier.id: index for index, earlier in enumerate(book.draws[:number])}
    settings = {
        "id": rule.id,
        "need": rule.limit * (2 if rule.counts == "each" else 1),
        "by_pieces": rule.decides == "pieces",
        "claim": schema.CLAIMS.index(rule.claim),
        "platform": rule.platform,
        "off_during": before.get(rule.off_during, -1),
    }
    if rule.rule != "limit":
        return {**settings, "kind": schema.RULES.index(rule.rule), "need": rule.limit}
    return {
        **settings,
        "strong_only": rule.counts == "strong",
        "starts": schema.STARTS.index(rule.starts),
        "while_weak": rule.lasts == "weak_king_on_diagonal",
        "capture": "capture" in rule.resets,
        "man_move": "man_move" in rule.resets,
        "promotion": "promotion" in rule.resets,
        "unless": rule.unless_capture + rule.unavoidable,
        "endings": [_ending(pattern) for pattern in rule.endings],
        "pieces": rule.pieces or ANY_NUMBER,
        "a_side": ANY_NUMBER[1] if rule.pieces_a_side is None else rule.pieces_a_side,
        "kings_on_both_sides": rule.kings_on_both_sides,
    }


def _ending(pattern: str) -> list[Range]:
    """The fewest and most kings and men of one side, then of the other.

    >>> _ending("K{3,}-KM")
    [(3, 1000), (0, 0), (1, 1), (1, 1)]
    """
    return [_range(letter, side) for side in pattern.split("-") for letter in "KM"]


def _range(letter: str, side: str) -> Range:
    if counted := re.search(letter + r"\{(\d+)(,(\d*))?\}", side):
        least, several, most = counted.groups()
        return int(least), int(least) if not several else int(most) if most else ANY_NUMBER[1]
    return side.count(letter), side.count(letter)
