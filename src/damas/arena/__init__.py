"""The arena: programs play programs, a referee applies the rules, strangers' code is contained by the kernel or not run.

>>> from damas.arbiter import TimeControl
>>> result = play(Entrant.parse("greedy"), Entrant.parse("random"), Start(), Terms("concurso", TimeControl.parse("1s/move")))
>>> result.offender is None and result.plies > 10
True
"""

from damas.arena.box.limits import BoxLimits
from damas.arena.players import Entrant
from damas.arena.referee import GameResult, Start, Terms, play

__all__ = ["BoxLimits", "Entrant", "GameResult", "Start", "Terms", "play"]
