"""A roster: a file with the name, team and command of each player of a contest, as CSV or TOML."""

import csv
import tomllib
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from damas.cli.arguments import BadInput
from damas.errors import file_trouble
from damas.language import Saying

_MAX_NAME = 60
_COLUMNS = {"name", "team", "command"}


@dataclass(frozen=True)
class RosterLine:
    """One player of a roster."""

    name: str
    """Empty: the player is named after the command."""
    command: str
    """As `damas arena` takes players."""
    team: str = ""


def read_roster(path: Path) -> tuple[RosterLine, ...]:
    """The players of a file; raises `BadInput`, which says which line is wrong."""

    def refuse(key: str, **facts: object) -> BadInput:
        return BadInput("cli.arena.bad.roster", file=path.name, why=Saying(f"cli.arena.bad.{key}", facts))

    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInput("cli.arena.bad.roster", file=path.name, why=file_trouble(error)) from None
    except UnicodeDecodeError:
        raise refuse("roster_columns") from None
    if path.suffix.lower() == ".toml":
        try:
            rows: Any = tomllib.loads(text).get("player", [])
        except tomllib.TOMLDecodeError:
            raise refuse("roster_toml") from None
        good = isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows)
        if not good or any(set(row) - _COLUMNS for row in rows):
            raise refuse("roster_toml")
    else:
        first = text.partition("\n")[0]
        reader = csv.DictReader(StringIO(text, newline=""), delimiter=";" if ";" in first else ",")
        reader.fieldnames = [name.strip().lower() for name in reader.fieldnames or ()]
        columns = set(reader.fieldnames)
        if not {"name", "command"} <= columns or columns - _COLUMNS:
            raise refuse("roster_columns")
        rows = [row for row in reader if any(row.values())]
    lines: dict[str, RosterLine] = {}
    for number, row in enumerate(rows, start=1):
        name, team, command = (str(row.get(key) or "").strip() for key in ("name", "team", "command"))
        if not name or not command:
            raise refuse("roster_player", number=number)
        if not all(word.isprintable() and len(word) <= _MAX_NAME for word in (name, team)):
            raise refuse("roster_name", number=number, name=ascii(name[:_MAX_NAME]))
        if name in lines:
            raise refuse("roster_twice", name=name)
        lines[name] = RosterLine(name, command, team)
    return tuple(lines.values())
