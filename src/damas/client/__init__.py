"""The engine client: consult any engine by one interface, ours in this process or a program that speaks Hub or DXP.

>>> import damas
>>> from damas.client import Limits, open_engine
>>> game = damas.Game.start("brasileira")
>>> with open_engine("damas", "brasileira", options={"tt-size": 1}) as engine:
...     result = engine.play(game, Limits(nodes=1000))
>>> result.move in game.legal_moves
True
"""

from damas.client.asynchronous import AsyncAnalysis, AsyncClient
from damas.client.dxp import DxpClient
from damas.client.engine import Analysis, EngineClient
from damas.client.hub import HubClient
from damas.client.local import LocalClient
from damas.client.opening import open_engine
from damas.client.results import Info, PlayResult, Score
from damas.engine.limits import Limits
from damas.errors import BadOption, EngineDied, EngineError, EngineTimeout
from damas.notation.hub import Option

__all__ = [
    "Analysis",
    "AsyncAnalysis",
    "AsyncClient",
    "BadOption",
    "DxpClient",
    "EngineClient",
    "EngineDied",
    "EngineError",
    "EngineTimeout",
    "HubClient",
    "Info",
    "Limits",
    "LocalClient",
    "Option",
    "PlayResult",
    "Score",
    "open_engine",
]
