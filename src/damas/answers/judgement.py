"""What the rules say about a recorded game, as programs read it."""

from collections.abc import Iterator
from typing import Any

from damas.game import Customs
from damas.judging.certificate import Difference
from damas.judging.judge import Judgement, judge_games
from damas.notation import read_games
from damas.rules import Rulebook


def verdict(judgement: Judgement, language: str, *, explain: bool = False) -> dict[str, Any]:
    """What `damas judge --json` says about one game; `explain` adds its story, move by move."""
    answer = judgement.as_json(language)
    return {**answer, "story": list(story(judgement, language))} if explain else answer


def verdicts(
    pdn: str, book: Rulebook | None, customs: Customs | None, language: str, *, letter: bool = False
) -> Iterator[dict[str, Any]]:
    """What it says about each game of a PDN; `book` is for games that name no rulebook."""
    for judgement in judge_games(read_games(pdn, book), customs, letter=letter):
        yield verdict(judgement, language)


def broken(differences: list[Difference], language: str) -> dict[str, Any]:
    """What it says about a certificate that does not hold."""
    return {
        "verdict": "BAD_RECORD",
        "holds": False,
        "differences": [difference.as_json(language) for difference in differences],
        "lang": language,
    }


def story(judgement: Judgement, language: str) -> Iterator[str]:
    """The game move by move, with what is counted."""
    for chapter in judgement.story():
        yield from chapter.lines(language)
