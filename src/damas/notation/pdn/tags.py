"""The tags of a game: which are written, how their values are escaped, and which rulebook they name."""

import re
from collections.abc import Mapping
from functools import cache

from damas.board import Color
from damas.errors import NotationError, Problem, UnknownRulebook
from damas.rules import Rulebook, rulebook, rulebook_ids, rulebooks
from damas.rules.library import builtin_id

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
"""The tags every game writes before all others, with the value for "unknown"; Result is the seventh."""

DERIVED = frozenset(("Result", "GameType", "Rulebook", "Notation", "FEN", "SetUp", "Setup"))
"""Tags whose values follow from the game."""

FIRST_NUMBER = "FirstMoveNumber"
"""The tag with the number of the first move, where a game goes on from a position that was set up in mid-game."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_ESCAPED = re.compile(r'\\(["\\])')
_NEWLINE = re.compile(r"[\r\n]+")
_GAMETYPE = re.compile(r"\s*([0-9]{1,3})\s*(?:,.*)?", re.DOTALL)


def own_tags(tags: Mapping[str, str]) -> dict[str, str]:
    """The tags without derived and unknown ones; raises `NotationError` for a bad name."""
    own = {}
    for name, value in tags.items():
        if name in DERIVED or (name in ROSTER and value in ("", ROSTER[name])):
            continue
        if not _NAME.fullmatch(name):
            raise NotationError(name, (Problem("PDN_TAG", name, 0),))
        own[name] = _NEWLINE.sub(" ", value)
    return own


def first_number(tags: Mapping[str, str]) -> int:
    """The number of the first move: 1, unless the game goes on from a position that was set up in mid-game."""
    text = tags.get(FIRST_NUMBER, "")
    return int(text) if re.fullmatch("[1-9][0-9]{0,3}", text) else 1


def tag_line(name: str, value: str) -> str:
    """A tag as PDN writes it, with its value escaped."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def unescaped(value: str) -> str:
    """The value of a tag without its escapes."""
    return _ESCAPED.sub(r"\1", value) if "\\" in value else value


def gametype(book: Rulebook, scheme: str) -> str:
    """The GameType of a rulebook in full, for moves in a scheme; empty where PDN has no number for it.

    >>> gametype(rulebook("brasileira"), "algebraic"), gametype(rulebook("brasileira"), "numbers")
    ('26,W,8,8,A0,0', '26,W,8,8,N2,0')
    """
    if not book.gametype or scheme == "rows-columns":
        return book.gametype
    number, size = book.gametype.partition(",")[0], book.size.value
    starter = book.first_to_move
    # Where the first square lies as the starter sees it: 0 bottom left, 1 bottom right, 2 top left, 3 top right.
    corner = 0 if scheme == "algebraic" else 2 if book.first_number == "top-left" else 1
    seen = corner if starter is Color.WHITE else 3 - corner
    letter = "A" if scheme == "algebraic" else "N"
    return f"{number},{starter.letter},{size},{size},{letter}{seen},{int(book.corner.value == 'right')}"


def book_of(book: Rulebook | str | None) -> Rulebook | None:
    """The rulebook of a name; a rulebook or None unchanged."""
    return rulebook(book) if isinstance(book, str) else book


def named_rulebook(tags: Mapping[str, str], given: Rulebook | None) -> Rulebook:
    """The rulebook of a game: by its Rulebook tag, else by its GameType, else the caller's (`given`).

    Where several rulebooks share a GameType, the caller's if it is one of them, otherwise the first.
    A tag never names a file.
    """
    name = tags.get("Rulebook", "").strip()
    if name:
        if given is not None and name == given.id:
            return given
        if builtin_id(name):
            return rulebook(name)
        raise UnknownRulebook(name, rulebook_ids())
    value = tags.get("GameType", "")
    if value:
        number = _GAMETYPE.fullmatch(value)
        family = families_by_gametype().get(int(number[1]), ()) if number else ()
        if given is not None and number and _number(given) == int(number[1]):
            return given
        if family:
            return family[0]
        raise UnknownRulebook(f"GameType {value}", rulebook_ids())
    if given is None:
        raise NotationError("PDN", (Problem("PDN_RULEBOOK", "", 0),))
    return given


def _number(book: Rulebook) -> int | None:
    number = _GAMETYPE.fullmatch(book.gametype)
    return int(number[1]) if number else None


@cache
def families_by_gametype() -> dict[int, list[Rulebook]]:
    """The rulebooks of each number of GameType."""
    families: dict[int, list[Rulebook]] = {}
    for book in rulebooks():
        number = _number(book)
        if number is not None:
            families.setdefault(number, []).append(book)
    return families
