"""Text formats: moves and positions in every numbering, FEN, Hub, DXP and PDN. No files, no sockets."""

from damas.notation import dxp, hub
from damas.notation.convert import convert
from damas.notation.pdn.clock import Clock
from damas.notation.pdn.game import BadGame, Node, PdnGame, Variation, clean_comment
from damas.notation.pdn.reader import read_games
from damas.notation.pdn.result import Result, result_of
from damas.notation.pdn.writer import write_game
from damas.notation.schemes import SCHEMES, Hint, fen_in, move_text, read_hint

__all__ = [
    "SCHEMES",
    "BadGame",
    "Clock",
    "Hint",
    "Node",
    "PdnGame",
    "Result",
    "Variation",
    "clean_comment",
    "convert",
    "dxp",
    "fen_in",
    "hub",
    "move_text",
    "read_games",
    "read_hint",
    "result_of",
    "write_game",
]
