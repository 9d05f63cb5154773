"""Matches: players of every kind play games, and a referee applies the rules.

>>> from damas.arbiter import TimeControl
>>> result = play(Entrant.parse("greedy"), Entrant.parse("random"), Start(), Terms("concurso", TimeControl.parse("1s/move")))
>>> result.offender is None and result.plies > 10
True
"""

from damas.matches.box.limits import BoxLimits
from damas.matches.entrant import Entrant
from damas.matches.referee import play
from damas.matches.terms import Start, Terms
from damas.tournaments.result import GameResult

__all__ = ["BoxLimits", "Entrant", "GameResult", "Start", "Terms", "play"]
