"""The size of a PDN in games, plies and text, measured before any move is played."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from damas.server.settings import Limits

PIECES = re.compile(
    rb"""
      (?P<text> \{ [^}\n]*+ (?: \n (?![ \t]*\[) [^}\n]*+ )*+ \}?    # a comment; a line of tags ends one nobody closed
              | ; [^\n]*+
              | (?P<tag> \[ [^\]\n]*+ \]? ) )
    | (?P<star> (?<![^\s})\]]) \* )
    | (?P<word> [^\s{}()\[\];$!?*%"]++ )
    """,
    re.VERBOSE,
)
"""What a PDN is made of: comments and tags, results, words."""
NUMBER = re.compile(rb"[0-9]+\.*")
"""The number of a move."""
RESULTS = {b"1-0", b"0-1", b"1/2-1/2", b"2-0", b"0-2", b"1-1", b"0-0"}
"""Words that end a game."""
MAX_GAMES = 200
"""Games of one text that are sent to a page."""
MAX_MOVES = 20_000
"""Moves of all these games together."""
CHECK_INTERVAL = 4096
"""Words between two calls of `check`."""


class TooMuch(Exception):
    """A text exceeds a limit: the field of `Limits`, its value, and the number of the game."""

    def __init__(self, limit: str, most: int, game: int) -> None:
        super().__init__(limit, most, game)
        self.limit, self.most, self.game = limit, most, game


@dataclass
class _Game:
    text: int = 0
    moves: int = 0


def first_games(source: bytes, limits: Limits, check: Callable[[], None]) -> tuple[bytes, bool]:
    """The first games, as many as are sent to a page, and whether there are more. Raises `TooMuch`.

    >>> first_games(b'[Event "a"] 1. c3-d4 * [Event "b"] 1. c3-b4 *', Limits(), lambda: None)[1]
    False
    """
    games, moves, cut, more = 1, 0, len(source), False
    game = _Game()
    for number, piece in enumerate(PIECES.finditer(source)):
        if number % CHECK_INTERVAL == 0:
            check()
        word = piece["word"]
        if piece["text"] is not None:
            if piece["tag"] is not None and game.moves:
                games, game, ended = games + 1, _Game(), piece.start()
                cut = min(cut, ended) if _enough(games, moves) else cut
            game.text += len(piece["text"])
        elif piece["star"] is not None or word in RESULTS:
            games, game = games + 1, _Game()
            cut = min(cut, piece.end()) if _enough(games, moves) else cut
            continue
        elif not NUMBER.fullmatch(word):
            game.moves += 1
            moves += 1
        more = more or piece.start() >= cut
        _bounded(game, games, limits)
    return source[:cut], more


def _enough(games: int, moves: int) -> bool:
    return games > MAX_GAMES or moves >= MAX_MOVES


def _bounded(game: _Game, number: int, limits: Limits) -> None:
    if number > limits.pdn_games:
        raise TooMuch("pdn_games", limits.pdn_games, number)
    if game.text > limits.pdn_game_text:
        raise TooMuch("pdn_game_text", limits.pdn_game_text, number)
    if game.moves > limits.pdn_plies:
        raise TooMuch("pdn_plies", limits.pdn_plies, number)
