"""Every scripted game is played as it was printed; `regenerate.py` writes the printed games again."""

from pathlib import Path

import pytest

from damas.arbiter import PROCEDURES
from damas.rules import rulebook, rulebooks

from .scenario import Scenario
from .scenarios import DOCUMENTS, all_scenarios

HERE = Path(__file__).parent
SCENARIOS = all_scenarios()


@pytest.mark.parametrize("name", SCENARIOS)
def test_games_end_as_they_were_printed(name: str) -> None:
    printed = (HERE / f"{name}.txt").read_text(encoding="utf-8")
    assert "\n".join(game.text() for game in SCENARIOS[name]) == printed


def test_no_printed_file_is_left_without_games() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == set(SCENARIOS)


def outcomes(games: list[Scenario]) -> set[tuple[str, str]]:
    ended = (game.table()[0].outcome for game in games)
    return {(outcome.reason, outcome.rule) for outcome in ended if outcome}


@pytest.mark.parametrize("book", [book.id for book in rulebooks()])
def test_every_law_of_every_rulebook_ends_some_game(book: str) -> None:
    ended = outcomes(SCENARIOS[book])
    assert {("NO_PIECES", ""), ("NO_MOVES", "")} <= ended
    assert {rule.id for rule in rulebook(book).draws} <= {rule for _, rule in ended}


@pytest.mark.parametrize("book", DOCUMENTS)
def test_every_procedure_that_ends_a_game_ends_one_in_each_document(book: str) -> None:
    reasons = {reason for reason, _ in outcomes(SCENARIOS[book])}
    # A text by which the first invalid move loses leaves nothing to count.
    counted = set() if rulebook(book).invalid_move.value == "loses" else {"ILLEGAL_MOVES"}
    assert {
        *("AGREEMENT", "RESIGNATION", "FLAG", "INVALID_MOVE"),
        *("ARBITER", "ABANDONED", "ABORTED", "SUSPENDED"),
        *counted,
    } <= reasons


def test_every_procedure_has_a_game_of_its_own() -> None:
    titles = [game.title for game in SCENARIOS["procedures"]]
    assert [name for name in PROCEDURES if not any(title.startswith(name) for title in titles)] == []
