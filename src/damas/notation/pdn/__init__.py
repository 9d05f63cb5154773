"""PDN, the notation of whole games: tags, moves, variations, comments, clocks, results."""

from damas.notation.pdn.clock import Clock
from damas.notation.pdn.game import BadGame, Node, PdnGame, Variation, clean_comment
from damas.notation.pdn.reader import read_games
from damas.notation.pdn.result import Result, result_of
from damas.notation.pdn.writer import write_game, write_games

__all__ = [
    "BadGame",
    "Clock",
    "Node",
    "PdnGame",
    "Result",
    "Variation",
    "clean_comment",
    "read_games",
    "result_of",
    "write_game",
    "write_games",
]
