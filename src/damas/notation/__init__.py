"""Text formats: moves and positions in every numbering, FEN, Hub, DXP and PDN. No sockets; files only for reading PDN."""

from damas.notation import dxp, hub
from damas.notation.convert import convert
from damas.notation.pdn.clock import Clock
from damas.notation.pdn.game import BadGame, Node, PdnGame, Variation, clean_comment
from damas.notation.pdn.marks import Mark
from damas.notation.pdn.reader import read_game, read_games, read_tags, visit_games
from damas.notation.pdn.result import Result, result_of
from damas.notation.pdn.tree import Cursor
from damas.notation.pdn.visitor import SKIP, Skip, Visitor
from damas.notation.pdn.writer import write_game
from damas.notation.schemes import SCHEMES, Hint, fen_in, move_text, read_hint
from damas.notation.study import Chapter, Study, comment_text, pdn_comment, read_study

__all__ = [
    "SCHEMES",
    "SKIP",
    "BadGame",
    "Chapter",
    "Clock",
    "Cursor",
    "Hint",
    "Mark",
    "Node",
    "PdnGame",
    "Result",
    "Skip",
    "Study",
    "Variation",
    "Visitor",
    "clean_comment",
    "comment_text",
    "convert",
    "dxp",
    "fen_in",
    "hub",
    "move_text",
    "pdn_comment",
    "read_game",
    "read_games",
    "read_hint",
    "read_study",
    "read_tags",
    "result_of",
    "visit_games",
    "write_game",
]
