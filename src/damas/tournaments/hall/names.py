"""Names that were written wrongly: the correction of one, everywhere it stands."""

from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass, replace
from typing import TYPE_CHECKING, Any

from damas.errors import TournamentRefused
from damas.tournaments.hall.bounds import check_person, shown
from damas.tournaments.hall.events import Entry, Place, Renamed
from damas.tournaments.hall.rounds import Round

if TYPE_CHECKING:
    from damas.tournaments.hall.state import Competitor, State

_FIELDS = (
    "name", "names", "team", "one", "other", "first", "second", "advance", "players", "pairs", "resting", "results",
    "lineups", "order",
)  # fmt: skip
"""Fields of events and rounds that hold names, or values with such fields."""


def rename(state: "State", event: Renamed, entry: Entry) -> "State":
    """The state with the corrected name of a player or a team; raises `TournamentRefused`."""
    name, to = event.name, event.to
    if not entry.why:
        raise TournamentRefused("why", {})
    is_team = bool(state.conditions.boards) and name in state.players
    if name not in state.everybody:
        raise TournamentRefused("no_player", {"name": shown(name)})
    if to in state.everybody or state.former_names.get(to, name) != name:
        raise TournamentRefused("same_name", {"name": shown(to)})
    players = {}
    for key, competitor in state.players.items():
        changed = _competitor(competitor, name, to, is_team=is_team)
        check_person(changed.person)
        for person in changed.squad:
            check_person(person)
        players[changed.person.name if key == name else key] = changed
    former = {each: to if now == name else now for each, now in state.former_names.items() if each != to}
    return replace(
        state,
        players=players,
        rounds=tuple(_round(played, name, to) for played in state.rounds),
        forbidden=frozenset(
            frozenset(to if each == name else each for each in pair) for pair in state.forbidden
        ),
        former_names={**former, name: to},
    )


def _competitor(competitor: "Competitor", name: str, to: str, *, is_team: bool) -> "Competitor":
    if competitor.person.name == name:
        competitor = replace(competitor, person=replace(competitor.person, name=to))
        if is_team:
            return replace(competitor, squad=tuple(replace(each, club=to) for each in competitor.squad))
    squad = tuple(replace(each, name=to) if each.name == name else each for each in competitor.squad)
    return replace(competitor, squad=squad)


def _round(played: Round, name: str, to: str) -> Round:
    reports = {
        place: {to if each == name else each: games for each, games in by_name.items()}
        for place, by_name in played.reports.items()
    }
    changed: Round = with_name(played, name, to)
    return replace(changed, reports=reports)


def with_name(value: Any, name: str, to: str) -> Any:
    """An event or a round with another name wherever this one stands."""
    if isinstance(value, str):
        return to if value == name else value
    if isinstance(value, tuple) and not isinstance(value, Place):
        return tuple(with_name(each, name, to) for each in value)
    if isinstance(value, Mapping):
        return {with_name(key, name, to): with_name(each, name, to) for key, each in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        held = (field for field in _FIELDS if hasattr(value, field))
        return replace(value, **{field: with_name(getattr(value, field), name, to) for field in held})
    return value


def with_old_names(entry: Entry, number: int, undone: Iterable[tuple[int, int, Renamed]]) -> Entry:
    """An entry without the corrections that were undone later: each with its number and that of its undoing."""
    for renamed_at, undone_at, event in sorted(undone, key=lambda each: -each[0]):
        if renamed_at < number < undone_at:
            entry = replace(entry, event=with_name(entry.event, event.to, event.name))
    return entry
