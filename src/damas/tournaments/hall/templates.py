"""Templates: the conditions of known events as TOML, each with its source."""

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from damas.errors import TournamentRefused
from damas.tournaments.hall.conditions import Conditions

_FOLDER = Path(__file__).parent / "templates"


@cache
def template_names() -> tuple[str, ...]:
    """The templates that damas brings."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


def template(name: str) -> Mapping[str, Any]:
    """A template by its name, or of a TOML file; raises `TournamentRefused`."""
    path = _FOLDER / f"{name}.toml" if name in template_names() else Path(name)
    if name not in template_names() and not path.is_file():
        raise TournamentRefused("no_template", {"name": name, "known": ", ".join(template_names())})
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TournamentRefused("bad_template", {"name": name, "why": str(error)}) from None
    known = {each.name for each in fields(Conditions)}
    if wrong := sorted(set(data) - known):
        raise TournamentRefused("bad_template", {"name": name, "why": ", ".join(wrong)})
    return data


def conditions_of(name: str, **changes: Any) -> Conditions:
    """The conditions of a template, with changes; raises `TournamentRefused`."""
    data = {"template": name, **template(name), **changes}
    try:
        return Conditions.from_json({**usual_byes(data), **data})
    except TypeError as error:
        raise TournamentRefused("bad_template", {"name": name, "why": str(error)}) from None


def usual_byes(given: Mapping[str, Any]) -> dict[str, float]:
    """The points of byes where nothing is said: the pairing bye is worth a won encounter, a requested one a draw.

    >>> usual_byes({"win": 2.0, "draw": 1.0, "games": 2})
    {'bye': 2.0, 'requested_bye': 1.0}
    """
    by_game = given.get("scored_by") == "game" and not given.get("boards")
    games = given.get("games", 1) if by_game else 1
    return {"bye": games * given.get("win", 1.0), "requested_bye": games * given.get("draw", 0.5)}
