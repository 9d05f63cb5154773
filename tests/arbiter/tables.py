"""What the tests of this room share: tables in a given state, and refusals caught."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from damas.arbiter import Event, Player, ProcedureRefused, Regulation, Table, ledger, regulation
from damas.board import Color
from damas.language import LANGUAGES
from damas.views.outcomes import outcome_view

W, B = Color.WHITE, Color.BLACK
BOTS = (Player("a", bot=True), Player("b", bot=True))
SHUTTLE = ("g1-h2", "b8-a7", "h2-g1", "a7-b8")


def changed(name: str, **answers: Any) -> Regulation:
    """A preset with some answers changed."""
    if isinstance(control := answers.pop("time", None), str):
        return replace(regulation(name).with_time(control), **answers)
    return replace(regulation(name), **answers)


def letter(name: str = "casual", **answers: Any) -> Regulation:
    """The rulebook alone."""
    return changed(name, platform_rules=False, claims="automatic", **answers)


def played(table: Table, moves: Iterable[str], step: int = 10) -> Table:
    for move in moves:
        table = table.play(move, table.now + step)
    return table


def shuttle(count: int, moves: tuple[str, ...] = SHUTTLE) -> list[str]:
    return [moves[ply % len(moves)] for ply in range(count)]


def refusal(table: Table, event: Event) -> ProcedureRefused:
    """What the arbiter says to an event that it must not allow."""
    with pytest.raises(ProcedureRefused) as caught:
        table.apply(event)
    for language in LANGUAGES:
        assert caught.value.sentence(language)
    return caught.value


def reloaded(table: Table) -> Table:
    """The same table from its file, which must be the same indeed."""
    again = ledger.load(ledger.dump(table), head=ledger.head(table))
    assert again == table
    return again


def ended(table: Table, reason: str, winner: Color | None) -> None:
    assert table.outcome
    assert (table.outcome.reason, table.outcome.winner) == (reason, winner)
    for language in LANGUAGES:
        assert outcome_view(table.outcome, language).message.endswith(").")
    reloaded(table)
