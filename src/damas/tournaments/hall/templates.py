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
        return Conditions.from_json(data)
    except TypeError as error:
        raise TournamentRefused("bad_template", {"name": name, "why": str(error)}) from None
