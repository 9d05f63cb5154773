"""A name that was written wrongly is corrected everywhere, also in what comes later, and the correction can be undone."""

import pytest

from damas.errors import TournamentRefused
from damas.tournaments.hall import (
    Announced,
    Event,
    LinedUp,
    Published,
    Rated,
    Renamed,
    Reported,
    Scored,
    SquadNamed,
    State,
    Undone,
    Withdrawn,
    draft,
    individuals,
    table,
)
from damas.tournaments.hall.state import restore
from damas.tournaments.hall.trf import to_trf
from tournaments.hall.test_league import begun, next_round, played


def refused(state: State, event: Event, why: str = "") -> str:
    with pytest.raises(TournamentRefused) as refusal:
        state.decide(event, why=why)
    return refusal.value.reason


@pytest.mark.parametrize("name", ["A1", "A"])
def test_a_corrected_name_stands_everywhere(name: str) -> None:
    before = played()
    after = before.decide(Renamed(name, "Zé"), why="typing")
    assert f"'{name}'" not in repr((after.players, after.rounds)) and "'Zé'" in repr(after.rounds)
    assert after.name_now(name) == "Zé"
    rows = [("Zé" if row.name == name else row.name, row.standing.points) for row in table(before)]
    assert [(row.name, row.standing.points) for row in table(after)] == rows
    assert "Zé" in to_trf(after)
    again = restore(after.entries)
    assert (again.players, again.rounds) == (after.players, after.rounds)


def test_a_correction_is_undone_in_what_came_after_it() -> None:
    state = begun().decide(Renamed("A1", "Zé"), why="typing")
    correction = len(state.entries)
    state = state.decide(SquadNamed("A", (*state.players["A"].squad,)))
    state = state.decide(draft(state)).decide(Announced(1)).decide(LinedUp(1, "A", ("Zé", "A2", "A3")))
    state = (
        state.decide(Published(1))
        .decide(Reported(1, 1, "Zé", "1", 1))
        .decide(Scored(1, 1, "1", match_board=1))
    )
    state = state.decide(Renamed("Zé", "Zeca"), why="as he is called")
    undone = state.decide(Undone(correction))
    assert undone.rounds[0].lineups["A"] == ("Zeca", "A2", "A3") and undone.name_now("A1") == "Zeca"
    both = undone.decide(Undone(len(state.entries)))
    assert both.rounds[0].lineups["A"] == ("A1", "A2", "A3") and "Zé" not in repr(both.rounds)
    plain = next_round(begun()).decide(Scored(1, 1, "1", match_board=1))
    assert [row.standing.points for row in table(individuals(both))] == [
        row.standing.points for row in table(individuals(plain))
    ]


def test_what_is_no_correction_is_refused() -> None:
    state = begun()
    assert refused(state, Renamed("A1", "Zé")) == "why"
    assert refused(state, Renamed("Nobody", "Zé"), "typing") == "no_player"
    assert refused(state, Renamed("A1", "D2"), "typing") == "same_name"
    assert refused(state, Renamed("A1", "B"), "typing") == "same_name"  # a team
    assert refused(state, Renamed("A1", "Z\n"), "typing") == "empty_name"
    state = state.decide(Renamed("A1", "Zé"), why="typing")
    assert refused(state, Renamed("A2", "A1"), "typing") == "same_name"  # the card of A1 would open it
    assert refused(state, Rated("A1", 1800)) == "no_player"
    back = state.decide(Renamed("Zé", "A1"), why="it was right")
    assert back.players == begun().players and back.decide(Withdrawn("A")).out("A")
