"""Bounds of what a tournament takes: texts that a terminal and a page can show, dates that exist, numbers within reason."""

from datetime import date
from math import isfinite

from damas.errors import TournamentRefused
from damas.tournaments.hall.conditions import MAX_BOARDS, Conditions, Person
from damas.tournaments.hall.events import Entry

MAX_NAME = 80
"""Characters of a player's name."""
MAX_TEXT = 120
"""Characters of any other entry: title, club, place."""
MAX_REASON = 500
"""Characters of a reason, a source and an opening."""
MAX_ROUNDS = 99
MAX_POINTS = 100
MAX_RATING = 9999
MAX_AGE = 120
FIRST_YEAR = 1900
"""Nobody who plays was born earlier."""


def shown(text: str) -> str:
    r"""A text as a refusal quotes it: short, and without signs that a terminal obeys.

    >>> shown("Eva\x1b[31m")
    'Eva·[31m'
    """
    printable = "".join(sign if sign.isprintable() else "·" for sign in text)
    return printable if len(printable) <= 40 else f"{printable[:40]}…"


def check_text(key: str, text: str, longest: int = MAX_TEXT) -> None:
    """Raises `TournamentRefused` for a text that is too long or has signs that cannot be printed."""
    if len(text) > longest:
        raise TournamentRefused("too_long", {"key": key, "got": shown(text), "max": longest})
    if not text.isprintable():
        raise TournamentRefused("unprintable", {"key": key, "got": shown(text)})


def check_date(text: str) -> None:
    """Raises `TournamentRefused` for what is no date of the calendar."""
    try:
        # 2026-W47-4 is a date for Python too, but for no browser.
        if date.fromisoformat(text).isoformat() != text:
            raise ValueError(text)
    except ValueError:
        raise TournamentRefused("date", {"got": shown(text)}) from None


def check_person(person: Person) -> None:
    """Raises `TournamentRefused` for a player who cannot be entered like this."""
    name = person.name
    if not name.strip() or name != name.strip() or not name.isprintable():
        raise TournamentRefused("empty_name", {"name": shown(name)})
    check_text("name", name, MAX_NAME)
    for key in ("club", "federation", "series", "id"):
        check_text(key, getattr(person, key))
    if not 0 <= person.rating <= MAX_RATING:
        raise TournamentRefused(
            "condition", {"key": "rating", "got": person.rating, "known": f"0–{MAX_RATING}"}
        )
    if person.sex not in ("", "f", "m"):
        raise TournamentRefused("condition", {"key": "sex", "got": shown(person.sex), "known": "f, m"})
    if person.birth:
        _check_birth(person.birth)


def _check_birth(text: str) -> None:
    if not (len(text) == 4 and text.isdecimal()):
        check_date(text)
    if not FIRST_YEAR <= int(text[:4]) <= date.max.year // 2:
        raise TournamentRefused("date", {"got": text})


def check_conditions(conditions: Conditions) -> None:
    """Raises `TournamentRefused` for conditions that no tournament can have."""
    for key in ("title", "rulebook", "control", "ballot", "place", "arbiter", "template"):
        check_text(key, getattr(conditions, key))
    check_text("source", conditions.source, MAX_REASON)
    if conditions.date:
        check_date(conditions.date)
    limits = {
        **dict.fromkeys(("win", "draw", "loss", "bye", "requested_bye"), MAX_POINTS),
        **dict.fromkeys(("board_win", "board_draw", "board_loss", "bye_boards"), MAX_POINTS),
        **dict.fromkeys(("rounds", "no_show_limit", "groups", "advance", "squad", "team_best"), MAX_ROUNDS),
        "min_boards": len(conditions.boards) or 1,
        **dict.fromkeys(("provisional_rating", "rating_floor"), MAX_RATING),
        "elo_k": MAX_POINTS,
    }
    values = [(key, getattr(conditions, key), limit) for key, limit in limits.items()]
    values += [("ages", age, MAX_AGE) for age in conditions.ages]
    for key, value, limit in values:
        if not isfinite(value) or not 0 <= value <= limit:
            raise TournamentRefused("condition", {"key": key, "got": str(value), "known": f"0–{limit}"})
    count = len(conditions.boards)
    if count > min(MAX_BOARDS, conditions.squad or MAX_BOARDS):
        known = f"1–{min(MAX_BOARDS, conditions.squad or MAX_BOARDS)}"
        raise TournamentRefused("condition", {"key": "boards", "got": str(count), "known": known})
    if any(board[0].isdecimal() for board in conditions.boards) and not conditions.date:
        raise TournamentRefused("date", {"got": ""})


def check_entry(entry: Entry) -> None:
    """Raises `TournamentRefused` for a name or a reason in the log that cannot be shown."""
    check_text("by", entry.who)
    check_text("why", entry.why, MAX_REASON)
