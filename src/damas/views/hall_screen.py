"""What a screen in the hall shows beside the tournament itself: since when the round runs, and counts of boards in the app."""

from dataclasses import dataclass
from datetime import UTC, datetime

from damas.arbiter import Table
from damas.tournaments.hall import Conditions, Pair, Place, Published, State
from damas.tournaments.hall.events import Entry
from damas.tournaments.hall.state import active_entries
from damas.views.outcomes import CountView, count_view


@dataclass(frozen=True, slots=True)
class AppBoardView:
    """A board that is played in the app."""

    board: str
    """Its number; 1.2 is board 2 of match 1."""
    first: str
    second: str
    move: int
    """Number of the move that is awaited."""
    counts: tuple[CountView, ...]
    """What draw rules count: by themselves, or since a player called attention."""


@dataclass(frozen=True, slots=True)
class HallScreenView:
    """A moment of the hall."""

    version: str
    """Of the tournament, which is asked for when it has changed."""
    server_ms: int
    round: int
    """The last published round; 0 before the first."""
    published_ms: int | None
    limit_ms: int | None
    """The longest that an encounter of the round can take; None without a limit, or where moves add time."""
    boards: tuple[AppBoardView, ...]


def published_at(state: State) -> tuple[int, int | None]:
    """The last published round, 0 before the first, and when it was published."""
    entries: list[Entry] = [entry for _, entry in active_entries(state.entries)]
    for entry in reversed(entries):
        if isinstance(entry.event, Published):
            return entry.event.round, _milliseconds(entry.at)
    return 0, None


def _milliseconds(at: str) -> int | None:
    """A time as entries have it; None where an entry has none."""
    try:
        moment = datetime.strptime(at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None
    return int(moment.timestamp() * 1000)


def limit_of(conditions: Conditions) -> int | None:
    """The longest that an encounter can take: both players use all their time in every game.

    >>> limit_of(Conditions("Open", "faraes", control="20"))
    2400000
    >>> limit_of(Conditions("Circuito", "brasileira", games=2, control="21", control_for="encounter"))
    2520000
    >>> limit_of(Conditions("Blitz", "brasileira", control="3+2"))
    >>> limit_of(Conditions("Open", "brasileira", control="an hour and a half"))
    """
    control = conditions.clock
    if control is None or control.kind != "sudden":
        return None
    games = conditions.games if conditions.control_for == "game" else 1
    return 2 * control.base * games


def app_board_view(place: Place, pair: Pair, table: Table, language: str) -> AppBoardView:
    """A board by its table."""
    counts = tuple(count_view(count, language) for count in table.progress())
    return AppBoardView(str(place), pair.first, pair.second, table.move_number, counts)
