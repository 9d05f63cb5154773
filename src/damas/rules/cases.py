"""The cases of a rulebook: positions that show what its articles say.

A case is the table `["ARTICLE".name]` of `rulebooks/ID/cases.toml`; its keys are the fields of `Case`. The rules page
shows the cases beside their articles, and tests/conformance checks all of them against the rules and the oracle. Each
fact is stated once: where several cases share a position, one of them gives its legal moves.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from damas.rules.readings import folder_of
from damas.rules.ruleset import built_in_file


@dataclass(frozen=True, kw_only=True)
class Case:
    """One position and what holds there."""

    article: str
    """Id of the statement or reading that it shows."""
    name: str
    rulebook: str
    """Id of the rulebook that it is played by: another one where the article speaks of another game or reading."""
    claim: str = ""
    """What it proves, as a sentence; empty where it only illustrates an article that no position can prove."""
    also: tuple[str, ...] = ()
    """Other statements that it shows in the same way."""
    readings: tuple[str, ...] = ()
    """Readings that it rests on."""
    page: bool = True
    """Whether the rules page shows it."""
    start: bool = False
    """Whether it is the position in which a game begins."""
    position: str = ""
    """A FEN; may be left out with `start`."""
    pieces: tuple[int, ...] = ()
    """White's men and kings, Black's men and kings."""
    legal: tuple[str, ...] | None = None
    """The exact legal moves, every landing named, `=` where a man is crowned."""
    captured: Mapping[str, list[str]] = field(default_factory=dict)
    """The squares that each capture takes, in order; then every capture is listed, route by route."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """Moves that are refused, each with the code of the refusal."""
    cited: bool = False
    """Whether each refusal cites this very article."""
    unreadable: tuple[str, ...] = ()
    """Texts that are no move of this board at all."""
    leads_to: Mapping[str, str] = field(default_factory=dict)
    """Moves, each with the FEN of the position after it."""
    recorded: bool = True
    """Whether somebody writes the game down."""
    moves: tuple[str, ...] | None = None
    """A game from the position; `claim` is a player's claim."""
    expect: Mapping[str, str] = field(default_factory=dict)
    """The result after a ply of that game, by the letter of the rulebook."""
    law: str = ""
    """Id of the draw rule that ends the game."""
    reason: str = ""
    """Code of the outcome that ends the game."""
    then_legal: tuple[str, ...] | None = None
    """The exact legal moves after the game, where the moves before matter."""
    then_refused: Mapping[str, str] = field(default_factory=dict)
    """Moves that are refused after the game, each with the code of the refusal."""


@dataclass(frozen=True)
class Cases:
    """The file `cases.toml` of a rulebook."""

    cases: tuple[Case, ...]
    no_case: Mapping[str, str]
    """Articles that no position, move or result can show, each with the reason."""


@cache
def cases(rulebook_id: str) -> Cases:
    """The cases of a built-in rulebook in the order of its file; of another reading, those that are played by it."""
    if (folder := folder_of(rulebook_id)) != rulebook_id:
        return Cases(tuple(case for case in cases(folder).cases if case.rulebook == rulebook_id), {})
    data = built_in_file(rulebook_id, "cases.toml")
    no_case = data.pop("no_case", {})
    return Cases(
        tuple(
            Case(article=article, name=name, **{"rulebook": rulebook_id, **_frozen(entry)})
            for article, named in data.items()
            for name, entry in named.items()
        ),
        no_case,
    )


def _frozen(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
