"""What a built-in rulebook is called and where damas offers it: `rulebooks/ID/about.toml`, in which no rule stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from damas.rules.readings import other_readings
from damas.rules.ruleset import built_in_file


@dataclass(frozen=True, kw_only=True)
class About:
    """The file `about.toml` of a rulebook."""

    order: int
    """Its place in lists, the smallest number first."""
    name: Mapping[str, str]
    """What people call it, in each language."""
    summary: Mapping[str, str]
    """One line on what it has that the others have not, in each language."""
    label: Mapping[str, str] = field(default_factory=dict)
    """What in our name for it is not in its text, in each language; empty where the text bears the name itself."""
    document: bool = False
    """Whether every article of its text, not only those on the board, is stated and has a case or a reason."""
    home: str = ""
    """The language whose players are offered it first."""
    beside_home: str = ""
    """The language whose players are offered it beside the first one: on their first visit they choose."""
    search: bool = False
    """Whether the core compiles a search of its own for it; tools/compile_rulesets.py reads this."""
    limits: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What the text itself calls a draw rule, by the rule's id, in each language."""
    endings: tuple[str, ...] = ()
    """Ids of the endings that can be practised under it: see `damas.server.learning.ending`."""


@cache
def about(rulebook_id: str) -> About:
    """The facts of a built-in rulebook; raises `FileNotFoundError` where there is none."""
    if reading := other_readings().get(rulebook_id):
        facts = about(reading.rulebook)
        return replace(
            facts, name=reading.name, summary=reading.summary, home="", beside_home="", search=False
        )
    data = built_in_file(rulebook_id, "about.toml")
    return About(**{**data, "endings": tuple(data.get("endings", ()))})
