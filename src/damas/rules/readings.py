"""Other readings of a text that can be played: `rulebooks/ID/readings.toml`.

Where a text leaves a question open, rules.toml gives our reading and readings.toml may give another one: the answers that
differ, beside their articles. Such a reading is a rulebook of its own in everything that takes one. Its id is the id of
its rulebook, a hyphen and its key: `oficial-men-backward`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from os import listdir
from os.path import exists, join
from typing import Any

from damas.rules import schema
from damas.rules.ruleset import FOLDER, built_in_file


@dataclass(frozen=True, kw_only=True)
class OtherReading:
    """One table of a file `readings.toml`."""

    key: str
    rulebook: str
    """Id of the rulebook whose text it reads otherwise."""
    reading: str
    """Id of our reading in articles.toml, to which it is the alternative."""
    name: Mapping[str, str]
    """What people call the rulebook read so, in each language."""
    summary: Mapping[str, str]
    """One line on the rulebook read so, in each language."""
    answer: Mapping[str, str]
    """What it answers to the open question, in each language."""
    usual: Mapping[str, str]
    """What our own reading answers, in each language."""
    changes: Mapping[str, Mapping[str, Any]]
    """The answers that differ from rules.toml, by section."""

    @property
    def id(self) -> str:
        """The id of the rulebook read so."""
        return f"{self.rulebook}-{self.key}"

    def applied(self, source: dict[str, Any]) -> dict[str, Any]:
        """The parsed rules.toml of the rulebook, read so. Its PDN GameType stays with our own reading."""
        return {
            **source,
            "id": self.id,
            "aliases": [f"{alias}-{self.key}" for alias in source["aliases"]],
            "notation": {**source["notation"], "gametype": ""},
            **{section: {**source[section], **answers} for section, answers in self.changes.items()},
        }


@cache
def other_readings() -> Mapping[str, OtherReading]:
    """The other readings of all built-in rulebooks, by the id of the rulebook read so."""
    readings = {}
    for folder in sorted(listdir(FOLDER)):
        if exists(join(FOLDER, folder, "readings.toml")):
            for key, entry in built_in_file(folder, "readings.toml").items():
                changes = {section: entry.pop(section) for section in schema.SECTIONS if section in entry}
                reading = OtherReading(key=key, rulebook=folder, changes=changes, **entry)
                readings[reading.id] = reading
    return readings


def folder_of(rulebook_id: str) -> str:
    """The folder that holds a built-in rulebook: its own, or that of the rulebook it is a reading of."""
    reading = other_readings().get(rulebook_id)
    return reading.rulebook if reading else rulebook_id


def readings_of(rulebook_id: str) -> list[OtherReading]:
    """The other readings of a built-in rulebook, in the order of its file."""
    return [reading for reading in other_readings().values() if reading.rulebook == rulebook_id]
