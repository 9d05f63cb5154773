"""A federation's rating list: who of a tournament is in it, and the report that goes back."""

import csv
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from io import StringIO

from damas.tournaments.cells import format_cell
from damas.tournaments.hall.conditions import Person
from damas.tournaments.hall.events import Rated
from damas.tournaments.hall.league import individuals
from damas.tournaments.hall.ratings import rating_report
from damas.tournaments.hall.state import State, folded

REPORT = (
    "id", "name", "club", "federation", "rating", "provisional", "games", "score", "expected", "performance", "change",
    "new",
)  # fmt: skip
"""Columns of the report."""


@dataclass(frozen=True)
class RatingList:
    """The players of a list, to be found by their number in it or by name, accents and capitals aside."""

    people: tuple[Person, ...]

    def find(self, person: Person) -> Person | None:
        """The entry of a player: by number if the player has one, else by name; None if there is none, or several."""
        index, key = (self._by_id, person.id) if person.id else (self._by_name, folded(person.name))
        entries = index.get(key, ())
        return entries[0] if len(entries) == 1 else None

    @cached_property
    def _by_id(self) -> dict[str, list[Person]]:
        return _grouped(self.people, lambda person: person.id)

    @cached_property
    def _by_name(self) -> dict[str, list[Person]]:
        return _grouped(self.people, lambda person: folded(person.name))

    def applied(self, people: Iterable[Person]) -> tuple[Person, ...]:
        """The players with the ratings and numbers of the list; what it does not say of a player stays as it is."""
        return tuple(
            replace(person, rating=entry.rating or person.rating, id=entry.id or person.id)
            if (entry := self.find(person))
            else person
            for person in people
        )


def _grouped(people: Iterable[Person], key: Callable[[Person], str]) -> dict[str, list[Person]]:
    groups: dict[str, list[Person]] = {}
    for person in people:
        groups.setdefault(key(person), []).append(person)
    return groups


def people_of(state: State) -> Iterator[Person]:
    """Everybody who plays: the players, or in a league those of the squads."""
    for competitor in state.players.values():
        yield from competitor.squad if state.conditions.boards else (competitor.person,)


def rated_events(state: State, ratings: RatingList) -> tuple[list[Rated], list[str]]:
    """The events that give everybody the rating of the list where it is another one, and who is not in it, or twice."""
    events, missing = [], []
    for person in people_of(state):
        (rated,) = ratings.applied((person,))
        if ratings.find(person) is None:
            missing.append(person.name)
        elif rated != person:
            events.append(Rated(rated.name, rated.rating, rated.id))
    return events, missing


def rating_csv(state: State) -> str:
    """The report for the federation, a line for each player."""
    single = individuals(state) if state.conditions.boards else state
    output = StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(REPORT)
    for row in rating_report(state):
        person = single.players[row.name].person
        writer.writerow(
            (
                *map(format_cell, (person.id, person.name, person.club, person.federation)),
                row.rating or "",
                "yes" if row.provisional else "no",
                row.games,
                f"{row.score:g}",
                f"{row.expected:.2f}",
                "" if row.performance is None else row.performance,
                f"{row.change:.1f}",
                row.new or "",
            )
        )
    return output.getvalue()
