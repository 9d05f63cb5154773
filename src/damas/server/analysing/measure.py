"""How much there is in a PDN, found out before anything of it is played: one look at its words, none at its rules."""

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
NUMBER = re.compile(rb"[0-9]+\.*")
RESULTS = {b"1-0", b"0-1", b"1/2-1/2", b"2-0", b"0-2", b"1-1", b"0-0"}
MOST_GAMES = 200
"""Of one text that are given to a page."""
MOST_MOVES = 20_000
"""Of all of them together."""
LOOKS = 4096
"""Words between two looks at whether anybody waits."""


class TooMuch(Exception):
    """A limit that a text goes beyond: the `Limits` field that says it, its value, and the number of the game."""

    def __init__(self, limit: str, most: int, game: int) -> None:
        super().__init__(limit, most, game)
        self.limit, self.most, self.game = limit, most, game


@dataclass
class _Game:
    text: int = 0
    moves: int = 0


def first_games(source: bytes, limits: Limits, check: Callable[[], None]) -> tuple[bytes, bool]:
    """The games at the beginning that are given to a page, and whether there are more. Raises `TooMuch`.

    >>> first_games(b'[Event "a"] 1. c3-d4 * [Event "b"] 1. c3-b4 *', Limits(), lambda: None)[1]
    False
    """
    games, moves, cut, more = 1, 0, len(source), False
    game = _Game()
    for number, piece in enumerate(PIECES.finditer(source)):
        if number % LOOKS == 0:
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
    return games > MOST_GAMES or moves >= MOST_MOVES


def _bounded(game: _Game, number: int, limits: Limits) -> None:
    if number > limits.pdn_games:
        raise TooMuch("pdn_games", limits.pdn_games, number)
    if game.text > limits.pdn_game_text:
        raise TooMuch("pdn_game_text", limits.pdn_game_text, number)
    if game.moves > limits.pdn_plies:
        raise TooMuch("pdn_plies", limits.pdn_plies, number)
