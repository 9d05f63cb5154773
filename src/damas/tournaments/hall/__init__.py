"""Tournaments of people: an event log that the arbiter's desk writes, and everything computed from it.

`log` keeps the events on disk, `state` decides whether an event may follow the others, `pairing` drafts a round, `table`
ranks the players. The systems, tie-breaks and matching are those of the tournaments of programs.

>>> from damas.tournaments.hall import Conditions, Created, Entered, Person, draft, replay
>>> state = replay([Created(Conditions("Open", "faraes", system="round-robin"))])
>>> state = state.decide(Entered((Person("Ana"), Person("Rui"), Person("Eva"))))
>>> [(pair.first, pair.second) for pair in draft(state).pairs]
[('Rui', 'Eva')]
"""

from damas.tournaments.hall.conditions import Conditions, Person
from damas.tournaments.hall.events import (
    Announced,
    ByeRequested,
    CheckedIn,
    Created,
    Disqualified,
    Drafted,
    Entered,
    Entry,
    Event,
    Forbidden,
    LinedUp,
    Pair,
    Place,
    PlayedInApp,
    Published,
    Rated,
    Renamed,
    Reported,
    Rest,
    Scored,
    SquadNamed,
    Undone,
    Withdrawn,
)
from damas.tournaments.hall.league import club_table, individuals
from damas.tournaments.hall.log import EventLog
from damas.tournaments.hall.pairing import draft, warnings
from damas.tournaments.hall.state import State, replay
from damas.tournaments.hall.table import table

__all__ = [
    "Announced",
    "ByeRequested",
    "CheckedIn",
    "Conditions",
    "Created",
    "Disqualified",
    "Drafted",
    "Entered",
    "Entry",
    "Event",
    "EventLog",
    "Forbidden",
    "LinedUp",
    "Pair",
    "Person",
    "Place",
    "PlayedInApp",
    "Published",
    "Rated",
    "Renamed",
    "Reported",
    "Rest",
    "Scored",
    "SquadNamed",
    "State",
    "Undone",
    "Withdrawn",
    "club_table",
    "draft",
    "individuals",
    "replay",
    "table",
    "warnings",
]
