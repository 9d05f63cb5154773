"""Tournaments of made-up people, played to the end by chance."""

from collections.abc import Callable
from random import Random

from damas.tournaments.hall import (
    Conditions,
    Created,
    Entered,
    Person,
    Published,
    Scored,
    State,
    draft,
    replay,
)
from damas.tournaments.hall.pairing import is_over, total_rounds
from damas.tournaments.hall.state import Result, winner


def start(count: int, **changes: object) -> State:
    conditions = Conditions(**{"title": "Open", "rulebook": "faraes", **changes})  # type: ignore[arg-type]
    return entered(replay([Created(conditions)]), count)


def entered(state: State, count: int) -> State:
    people = tuple(
        Person(f"P{number:02}", club=f"C{number % 3}", rating=2000 - 10 * number)
        for number in range(1, count + 1)
    )
    return state.decide(Entered(people))


def play_round(state: State, random: Random, *, forfeits: float = 0.0) -> State:
    """The next round: drafted, published, and scored by chance."""
    state = state.decide(draft(state))
    state = state.decide(Published(len(state.rounds)))
    current = state.rounds[-1]
    for pair in current.pairs:
        if pair.board in current.results:
            continue
        games = "".join(random.choice("110==0") for _ in range(state.conditions.games))
        if random.random() < forfeits:
            games = random.choice("+-n") * state.conditions.games
        tied = current.phase == "knockout" and not winner(pair, Result(games))
        advance = pair.first if tied else ""
        state = state.decide(Scored(current.number, pair.board, games, advance))
    return state


def play_all(
    state: State, seed: int, *, forfeits: float = 0.0, between: Callable[[State], State] | None = None
) -> State:
    """All rounds; `between` may change the state before each."""
    random = Random(seed)
    while not is_over(state) and len(state.rounds) < total_rounds(state):
        state = between(state) if between else state
        state = play_round(state, random, forfeits=forfeits)
    return state
