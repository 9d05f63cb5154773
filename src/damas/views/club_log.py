"""The log of a tournament of people in words."""

from dataclasses import dataclass

from damas.language import Saying
from damas.tournaments.hall import State
from damas.tournaments.hall.events import (
    Announced,
    ByeRequested,
    CheckedIn,
    Created,
    Disqualified,
    Drafted,
    Entered,
    Entry,
    Forbidden,
    LinedUp,
    PlayedInApp,
    Published,
    Rated,
    Renamed,
    Reported,
    Scored,
    SquadNamed,
    Undone,
    Withdrawn,
    kind_of,
)
from damas.tournaments.hall.results import board_text, result_text
from damas.tournaments.hall.rounds import Result
from damas.tournaments.hall.state import active_entries

MAX_NAMES = 4
"""Names that a line of the log lists; the others are counted."""


@dataclass(frozen=True, slots=True)
class LogLineView:
    """An entry of the log."""

    n: int
    at: str
    who: str
    why: str
    kind: str
    message: str
    undone: bool


def log_views(state: State, language: str) -> tuple[LogLineView, ...]:
    """Every entry, in order."""
    active = {number for number, _ in active_entries(state.entries)}
    undone = {
        number
        for number, entry in enumerate(state.entries, 1)
        if number not in active and not isinstance(entry.event, Undone)
    }
    return tuple(
        LogLineView(
            number,
            entry.at,
            entry.who,
            entry.why,
            kind_of(entry.event),
            event_words(state, number).sentence(language),
            number in undone,
        )
        for number, entry in enumerate(state.entries, start=1)
    )


def event_words(state: State, number: int) -> Saying:
    """What the entry of a number says, in a line."""
    event = state.entries[number - 1].event
    match event:
        case Created():
            return Saying("club.event.created", {"title": event.conditions.title})
        case Entered():
            return Saying("club.event.entered", {"names": _names([each.name for each in event.players])})
        case CheckedIn():
            key = "present" if event.present else "absent"
            return Saying(f"club.event.{key}", {"names": _names(list(event.names))})
        case SquadNamed():
            names = _names([each.name for each in event.players])
            return Saying("club.event.squad-named", {"team": event.team, "names": names})
        case Rated():
            return Saying("club.event.rated", {"name": event.name, "rating": event.rating})
        case LinedUp():
            names = ", ".join(each or "–" for each in event.names)
            return Saying("club.event.lined-up", {"round": event.round, "team": event.team, "names": names})
        case ByeRequested():
            return Saying("club.event.bye-requested", {"name": event.name, "round": event.round})
        case Withdrawn() | Disqualified():
            return Saying(f"club.event.{kind_of(event)}", {"name": event.name})
        case Forbidden():
            return Saying("club.event.forbidden", {"one": event.one, "other": event.other})
        case Drafted():
            return Saying(f"club.event.{'by_hand' if event.by_hand else 'drafted'}", {"round": event.round})
        case Published() | Announced():
            return Saying(f"club.event.{kind_of(event)}", {"round": event.round})
        case Reported():
            facts = _board_facts(state, number, event)
            return Saying("club.event.reported", {**facts, "name": event.name})
        case PlayedInApp():
            facts = {"round": event.round, "board": str(event.place)}
            return Saying("club.event.played-in-app", facts)
        case Renamed():
            return Saying("club.event.renamed", {"name": event.name, "to": event.to})
        case Undone():
            return Saying("club.event.undone", {"entry": event.entry})
        case Scored():
            kind = "match_board" if event.match_board else "scored"
            return Saying(f"club.event.{kind}", _board_facts(state, number, event))


def _board_facts(state: State, number: int, event: Scored | Reported) -> dict[str, object]:
    first, second = _pair_at(state.entries[: number - 1], event)
    conditions = state.conditions
    result = (
        board_text(event.games, conditions)
        if event.match_board
        else result_text(Result(event.games), conditions)
    )
    place = str(event.place)
    return {"round": event.round, "board": place, "first": first, "second": second, "result": result}


def _pair_at(entries: tuple[Entry, ...], event: Scored | Reported) -> tuple[str, str]:
    """Who sat at a board, by the entries before the result."""
    for _, entry in reversed(active_entries(entries)):
        if isinstance(entry.event, Drafted) and entry.event.round == event.round:
            for pair in entry.event.pairs:
                if pair.board == event.board:
                    return pair.first, pair.second
    return "?", "?"


def _names(names: list[str]) -> str:
    shown = ", ".join(names[:MAX_NAMES])
    return f"{shown} … ({len(names)})" if len(names) > MAX_NAMES else shown
