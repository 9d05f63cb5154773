"""A live position for each article: what is legal there, what is refused and by which rule, how it ends."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from damas.server.learning.lesson import lessons

FOLDER = Path(__file__).parent / "examples"


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Facts about one position, named as in the conformance cases."""

    article: str
    name: str
    position: str
    rulebook: str = ""
    """Where the article speaks of another game than its own."""
    start: bool = False
    recorded: bool = True
    """False for a game that nobody writes down."""
    pieces: list[int] = []
    legal: list[str] = []
    refused: dict[str, str] = {}
    cited: bool = False
    """Each refusal names this very article."""
    leads_to: dict[str, str] = {}
    moves: list[str] = []
    """A game from the position; `claim` is a player's claim."""
    expect: dict[str, str] = {}
    law: str = ""
    reason: str = ""
    lesson: str = ""
    """Where it is practised."""


@cache
def examples(rulebook_id: str) -> list[Example]:
    """Those of a rulebook, in the order of its articles; advice is shown by the steps of its lessons."""
    path = FOLDER / f"{rulebook_id}.toml"
    if not path.exists():
        return []
    own = msgspec.convert(tomllib.loads(path.read_text("utf-8")).get("example", []), list[Example])
    shown = {example.article for example in own}
    return own + [
        Example(article=step.article, name=f"{lesson.id}-{number}", position=step.position, lesson=lesson.id)
        for lesson in lessons().values()
        for number, step in enumerate(lesson.step, start=1)
        if step.article not in shown and step.position and lesson.rulebook_of(step) == rulebook_id
    ]
