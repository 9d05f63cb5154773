"""Whatever is entered at a desk in whatever order is taken or refused; everything that is shown of it can be shown."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

from damas.errors import TournamentRefused
from damas.tournaments.hall import (
    ByeRequested,
    CheckedIn,
    Conditions,
    Created,
    Disqualified,
    Entered,
    Entry,
    Event,
    Forbidden,
    LinedUp,
    Person,
    Published,
    Scored,
    SquadNamed,
    State,
    Undone,
    Withdrawn,
    draft,
    replay,
)
from damas.tournaments.hall.pairing import swapped
from damas.tournaments.hall.rating_list import rating_csv
from damas.tournaments.hall.rounds import winner
from damas.tournaments.hall.state import restore
from damas.tournaments.hall.table import categories, category_table
from damas.tournaments.hall.trf import from_trf, to_trf
from damas.tournaments.tie_breaks import TIE_BREAKS
from damas.views.club import (
    club_row_views,
    club_view,
    draft_warnings,
    explanation_view,
    round_view,
    table_view,
)
from damas.views.club_log import log_views

ENTRIES = 45


def conditions(random: Random) -> Conditions:
    system = random.choice(["swiss", "round-robin", "knockout", "groups"])
    teams = system in ("swiss", "round-robin") and random.random() < 0.3
    tie_breaks = [name for name in TIE_BREAKS if name != "board-points"]
    return Conditions(
        "Desk",
        "brasileira",
        system=system,
        games=random.choice([2, 4] if system == "swiss" else [1, 2, 4]),
        rounds=random.choice([0, 3, 5]) if system == "swiss" else 0,
        cycles=random.choice([1, 2]),
        groups=random.choice([2, 3]),
        advance=random.choice([1, 2]),
        scored_by=random.choice(["match", "game"]),
        boards=("open", "open", "f") if teams else (),
        min_boards=2 if teams else 1,
        check_in=random.random() < 0.2,
        clubs_apart=random.random() < 0.3,
        no_show_limit=random.choice([0, 2]),
        team_best=0 if teams else 2,
        tie_breaks=tuple(random.sample(tie_breaks, 6)),
        ages=(11,),
        date="2026-11-18",
    )


def person(number: int, random: Random) -> Person:
    sex, birth = random.choice(["", "f", "m"]), random.choice(["", "2016", "1990"])
    return Person(f"P{number}", club=f"C{number % 3}", rating=random.choice([0, 1800]), sex=sex, birth=birth)


def next_step(state: State, random: Random) -> Event:
    """What a desk does that goes on."""
    last = state.last
    if last is None or last.is_complete:
        return draft(state)
    if not last.published:
        by_hand = random.random() < 0.35
        return swapped(state, *random.sample(list(state.players), 2)) if by_hand else Published(last.number)
    played = last if random.random() < 0.9 else random.choice(state.rounds)
    if not played.pairs:
        return draft(state)
    waiting = [pair for pair in played.pairs if pair.board not in played.results]
    pair = random.choice(waiting or list(played.pairs))
    games = "".join(random.choice("1=0") for _ in range(state.conditions.games))
    if random.random() < 0.1:
        games = random.choice("+-n") * state.conditions.games
    if state.conditions.boards:
        return Scored(played.number, pair.board, games, match_board=random.randrange(1, 4))
    advance = random.choice(["", pair.first, pair.second]) if played.phase else ""
    return Scored(played.number, pair.board, games, advance)


def something_else(state: State, number: int, random: Random) -> Event:
    """What happens between: sensible or not."""
    names, count = list(state.players), len(state.entries)
    one, other = random.sample(names, 2)
    squad = [each.name for each in state.players[one].squad]
    makers = (
        lambda: Entered((person(number, random),)),
        lambda: Withdrawn(one),
        lambda: Disqualified(one),
        lambda: Forbidden(one, other),
        lambda: ByeRequested(one, random.randrange(1, 6)),
        lambda: CheckedIn(tuple(random.sample(names, random.randrange(1, len(names) + 1)))),
        lambda: LinedUp(max(1, len(state.rounds)), one, tuple(random.sample(squad, min(3, len(squad))))),
        *[lambda: Undone(count)] * 2,
        *[lambda: Undone(random.randrange(2, count + 1))] * 2,
        *[lambda: swapped(state, one, other)] * 3,
    )
    return random.choice(makers)()


def evening(seed: int) -> Iterator[State]:
    """The states of a tournament into which things are entered at random."""
    random = Random(seed)
    state = replay([Created(conditions(random))])
    state = state.decide(Entered(tuple(person(number, random) for number in range(random.randrange(2, 9)))))
    for team in state.players if state.conditions.boards else ():
        people = tuple(Person(f"{team}-{n}", sex=random.choice("fm")) for n in range(random.randrange(5)))
        state = state.decide(SquadNamed(team, people))
    for number in range(100, 100 + ENTRIES):
        with suppress(TournamentRefused):
            go_on = random.random() < 0.65 or len(state.players) < 2
            event = next_step(state, random) if go_on else something_else(state, number, random)
            state = state.decide(event, why="so" if random.random() < 0.8 else "")
            yield state


def show(state: State) -> None:
    """Everything that pages, the terminal and files show of it."""
    club_view(state, "en")
    table_view(state)
    log_views(state, "pt-PT")
    rating_csv(state)
    for category in categories(state):
        category_table(state, category)
    for played in state.rounds:
        round_view(state, played, draft_warnings(state, played, "es"))
    for name in list(state.players)[:1]:
        explanation_view(state, name, "pt-BR")
    if state.conditions.team_best:
        club_row_views(state)
    text = to_trf(state)
    nobody_goes_on = any(  # both left before the round: the desk cannot write that, and so it is not read
        not winner(pair, result)
        for played in state.rounds
        for pair in played.pairs
        if played.phase and (result := played.results.get(pair.board))
    )
    if state.players and not state.conditions.boards and not nobody_goes_on:
        replay(Entry(event, why="TRF") for event in from_trf(text))


def check(seed: int) -> int:
    """Returns the rounds of the evening."""
    state = None
    for state in evening(seed):
        show(state)
    assert state is None or replace(restore(state.entries), entries=()) == replace(state, entries=())
    return len(state.rounds) if state else 0


def test_whatever_is_entered_at_a_desk_is_taken_or_refused() -> None:
    assert sum(map(check, range(60))) > 60


@pytest.mark.soak
def test_a_thousand_desks() -> None:
    assert sum(map(check, range(1000, 2000))) > 1000
