"""Tournaments of made-up people, played to the end by chance."""

from collections.abc import Callable
from random import Random

from damas.tournaments.hall import (
    Conditions,
    Created,
    Entered,
    Pair,
    Person,
    Published,
    Scored,
    SquadNamed,
    State,
    draft,
    replay,
)
from damas.tournaments.hall.pairing import is_over, total_rounds
from damas.tournaments.hall.rounds import Result, winner


def start(count: int, **changes: object) -> State:
    conditions = Conditions(**{"title": "Open", "rulebook": "faraes", **changes})  # type: ignore[arg-type]
    return entered(replay([Created(conditions)]), count)


def entered(state: State, count: int) -> State:
    people = tuple(
        Person(f"P{number:02}", club=f"C{number % 3}", rating=2000 - 10 * number)
        for number in range(1, count + 1)
    )
    state = state.decide(Entered(people))
    for person in people if state.conditions.boards else ():
        state = state.decide(SquadNamed(person.name, squad(state.conditions, person.name)))
    return state


def squad(conditions: Conditions, team: str) -> tuple[Person, ...]:
    """A player who fits each board, and one more whom open boards take."""
    people = []
    for place, board in enumerate((*conditions.boards, "open"), start=1):
        age, sex = board.strip("fm"), board[-1]
        birth = str(conditions.year - int(age)) if age.isdecimal() else ""
        sex = sex if sex in "fm" and board != "open" else ""
        people.append(Person(f"{team}-{place}", rating=1800 - 10 * place, birth=birth, sex=sex))
    return tuple(people)


def play_round(state: State, random: Random, *, forfeits: float = 0.0) -> State:
    """The next round: drafted, published, and scored by chance."""
    state = state.decide(draft(state))
    state = state.decide(Published(len(state.rounds)))
    current = state.rounds[-1]
    for pair in current.pairs:
        if pair.board in current.results:
            continue
        if state.conditions.boards:
            state = _play_match(state, pair, random, forfeits)
            continue
        games = "".join(random.choice("110==0") for _ in range(state.conditions.games))
        if random.random() < forfeits:
            games = random.choice("+-n") * state.conditions.games
        tied = current.phase == "knockout" and not winner(pair, Result(games))
        advance = pair.first if tied else ""
        state = state.decide(Scored(current.number, pair.board, games, advance))
    return state


def _play_match(state: State, pair: Pair, random: Random, forfeits: float) -> State:
    """Every board of a match that has two players."""
    current = state.rounds[-1]
    for place, signs in enumerate(current.match_boards[pair.board], start=1):
        if not signs:
            games = "".join(random.choice("110==0") for _ in range(state.conditions.games))
            if random.random() < forfeits:
                games = random.choice("+-n") * state.conditions.games
            state = state.decide(Scored(current.number, pair.board, games, match_board=place))
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
