"""One time for all games of an encounter that is played in the app: each game begins with what the last one left."""

from collections.abc import Sequence

from damas.arbiter import Ended, Event, TimeSet
from damas.board import Color
from damas.game.outcome import RESULTS
from damas.tournaments.hall.conditions import Conditions

TIME_LEFT = "TIME_LEFT"
"""Reason for which the clocks of a game are set; `damas.language` has its sentence."""
TIME_USED_UP = "TIME_USED_UP"
"""Code of a game that is lost for want of time before it begins; `damas.language` has its sentence."""


def first_events(conditions: Conditions, ends: Sequence[tuple[int, int]]) -> list[Event]:
    """What follows the start of the next game, after games that left White and Black these times in milliseconds.

    Colours change with each game, and the time goes with the player. Who has none left has lost the game at once. Where
    each game or each move has its own time, nothing follows.

    >>> circuito = Conditions("Circuito", "brasileira", games=2, control="21", control_for="encounter")
    >>> [(event.to.value, event.ms) for event in first_events(circuito, [(600_000, 900_000)])]
    [('white', 900000), ('black', 600000)]
    >>> [event.kind for event in first_events(circuito, [(0, 900_000)])]
    ['time_set', 'time_set', 'ended']
    """
    control = conditions.clock
    if conditions.control_for == "game" or not control or not control.budget or control.by_the_turn:
        return []
    first = second = control.budget
    for place, (white, black) in enumerate(ends):
        one, other = (black, white) if place % 2 else (white, black)
        first, second = first and one, second and other  # who has used it up gets none back
    left = dict(zip(Color, (second, first) if len(ends) % 2 else (first, second), strict=True))
    # No clock is set to less than a millisecond.
    events: list[Event] = [TimeSet(0, TIME_LEFT, side, max(ms, 1)) for side, ms in left.items()]
    loser = next((side for side, ms in left.items() if not ms), None)
    return [*events, Ended(0, TIME_USED_UP, RESULTS[loser.other])] if loser else events
