"""A screen in the hall knows since when the round runs and what is counted at boards in the app."""

import pytest

from damas.arbiter import Table
from damas.tournaments.hall import (
    Conditions,
    Created,
    Entered,
    Pair,
    Person,
    Place,
    Published,
    State,
    Undone,
    draft,
)
from damas.views.hall_screen import app_board_view, limit_of, published_at

THREE_KINGS = "W:WKg1,Kc1,Ka3:BKb8"


def state(*published: str) -> State:
    """A tournament whose round was published at these times, each but the last taken back."""
    now = State().decide(Created(Conditions("Open", "faraes")), at="2026-11-18T19:00:00Z")
    now = now.decide(Entered((Person("Ana"), Person("Rui"))))
    now = now.decide(draft(now))
    for place, at in enumerate(published):
        if place:
            now = now.decide(Undone(len(now.entries)), at=at, why="too early")
        now = now.decide(Published(1), at=at)
    return now


def test_the_round_runs_since_it_was_published_last() -> None:
    assert published_at(state()) == (0, None)
    first, again = (
        published_at(state("2026-11-18T20:00:00Z")),
        published_at(state("2026-11-18T20:00:00Z", "2026-11-18T20:05:00Z")),
    )
    assert first[0] == again[0] == 1
    assert first[1] is not None and again[1] == first[1] + 300_000


def test_an_entry_without_a_time_gives_none() -> None:
    assert published_at(state("")) == (1, None)


@pytest.mark.parametrize(
    ("terms", "minutes"),
    [
        ({"control": "20"}, 40),
        ({"control": "21", "games": 2, "control_for": "encounter"}, 42),
        ({"control": "15", "games": 4}, 120),
        ({"control": "5+3"}, None),
        ({}, None),
    ],
)
def test_the_longest_encounter(terms: dict[str, object], minutes: int | None) -> None:
    limit = limit_of(Conditions("Open", "faraes", **terms))  # type: ignore[arg-type]
    assert limit == (None if minutes is None else minutes * 60_000)


def test_counts_of_a_board_in_the_app() -> None:
    table = Table.start("faraes", "casual", fen=THREE_KINGS)
    for at, move in enumerate(["g1-h2", "b8-a7", "h2-g1", "a7-b8"], start=1):
        table = table.play(move, at=at)
    view = app_board_view(Place(3), Pair(3, "Ana", "Rui"), table, "pt-BR")
    assert (view.board, view.first, view.second, view.move) == ("3", "Ana", "Rui", 3)
    assert [(count.name, count.have, count.need) for count in view.counts] == [
        ("três damas contra uma", 2, 13)
    ]
