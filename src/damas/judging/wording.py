"""Positions and time controls as people write them on paper."""

import re

from damas.board import Color, Piece
from damas.game import Position
from damas.language import sentence

_FISCHER = re.compile(r"(\d+)(?:\+(\d+)s?)?")
_PER_MOVE = re.compile(r"(\d+)(m?)s/move")


def position_words(position: Position, language: str) -> str:
    """The pieces of a position by the squares as its rulebook's moves name them, and whose turn it is.

    >>> position_words(Position.from_fen("W:WKa1,c3:BKh8", "concurso"), "en")
    'White 2,2; king 0,0. Black king 7,7. White to play'
    """
    sides = ". ".join(_side(position, color, language) for color in Color)
    return f"{sides}. {sentence(f'certificate.to_play.{position.turn.value}', language)}"


def _side(position: Position, color: Color, language: str) -> str:
    book = position.rulebook
    separator = " " if book.move_text == "rows-columns" else ", "
    men, kings = (
        [book.move_names[square] for square in sorted(position.setup.squares(piece))]
        for piece in Piece
        if piece.color is color
    )
    parts = [separator.join(men)]
    if kings:
        facts = {"squares": separator.join(kings), "count": len(kings)}
        parts.append(sentence("certificate.kings", language, **facts))
    return f"{sentence(f'certificate.{color.value}', language)} {'; '.join(filter(None, parts)) or '–'}"


def control_words(text: str, language: str) -> str:
    """A time control with its units, as an arbiter reads it; one that is rarely met stays as it is written.

    >>> control_words("20", "pt-BR"), control_words("5+3s", "en"), control_words("30s/move", "es")
    ('20 min', '5 min + 3 s', '30 s por jugada')
    >>> control_words("200ms/move", "pt-BR"), control_words("1500ms/move", "en")
    ('0,2 s por lance', '1.5 s a move')
    """
    if match := _PER_MOVE.fullmatch(text):
        seconds = f"{int(match[1]) / 1000:g}" if match[2] else match[1]
        return sentence(
            "certificate.per_move",
            language,
            seconds=seconds if language == "en" else seconds.replace(".", ","),
        )
    if match := _FISCHER.fullmatch(text):
        return f"{match[1]} min" + (f" + {match[2]} s" if match[2] else "")
    return text
