"""The engine: a search that plays by any rulebook and knows the limits of the game it is in.

>>> import damas
>>> from damas.engine import Engine, Limits
>>> with Engine("portuguesa", hash_mb=1) as engine:
...     found = engine.search(damas.Game.start("portuguesa"), Limits(nodes=1000))
>>> found.best in damas.Position.start("portuguesa").legal_moves
True
"""

from damas.engine.engine import Engine, Handicap, Line, Result, Thinking
from damas.engine.limits import Limits
from damas.engine.networks import network_for, read_network

__all__ = [
    "Engine",
    "Limits",
    "Line",
    "Result",
    "Handicap",
    "Thinking",
    "network_for",
    "read_network",
]
