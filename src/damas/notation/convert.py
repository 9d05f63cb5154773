"""Converts positions and games between FEN, Hub and PDN."""

from collections.abc import Callable, Iterator

from damas.errors import DamasError
from damas.game import Position
from damas.notation import hub
from damas.notation.pdn.game import BadGame, PdnGame
from damas.notation.pdn.reader import read_games
from damas.notation.pdn.source import Source, lines_of
from damas.notation.pdn.tags import book_of
from damas.notation.pdn.writer import write_game
from damas.notation.schemes import fen_in
from damas.rules import Rulebook

FORMATS = ("fen", "hub", "pdn")
"""Names of the formats that `convert` reads and writes."""


def convert(
    source: Source,
    source_format: str,
    target_format: str,
    rulebook: Rulebook | str | None = None,
    numbering: str | None = None,
) -> Iterator[str | BadGame]:
    r"""The target text piece by piece, each ending with a newline; what cannot be read comes as a `BadGame`.

    FEN and Hub have one position on each line and need `rulebook`. A game of PDN becomes its last position, and a position
    becomes a game of PDN without moves. `numbering` is the scheme of the squares written: algebraic, numbers, or for PDN
    also rows-columns; without it the rulebook's own. Hub has numbers only.

    >>> list(convert("W:Wc3:Bd4", "fen", "fen", "brasileira", "numbers"))
    ['W:W22:B18\n']
    """
    return texts_of(games_in(source, source_format, rulebook), target_format, numbering)


def games_in(
    source: Source, source_format: str, rulebook: Rulebook | str | None = None
) -> Iterator[PdnGame | BadGame]:
    """The games of a text, or its positions as games without moves."""
    _check_format(source_format)
    book = book_of(rulebook)
    if source_format == "pdn":
        return read_games(source, book)
    if book is None:
        raise ValueError(f"{source_format} needs a rulebook")
    read = Position.from_fen if source_format == "fen" else hub.read_position
    return _positions(source, read, book)


def texts_of(
    games: Iterator[PdnGame | BadGame], target_format: str, numbering: str | None = None
) -> Iterator[str | BadGame]:
    """Each game as a text that ends with a newline, in FEN and Hub its last position; a `BadGame` as it is."""
    _check_format(target_format)
    return _written(games, target_format, numbering)


def _check_format(name: str) -> None:
    if name not in FORMATS:
        raise ValueError(f"unknown format {name!r}; known formats: {', '.join(FORMATS)}")


def _positions(
    source: Source, read: Callable[[str, Rulebook], Position], book: Rulebook
) -> Iterator[PdnGame | BadGame]:
    count = 0
    for number, line in enumerate(lines_of(source), start=1):
        text = line.strip()
        if not text:
            continue
        count += 1
        try:
            yield PdnGame.of(read(text, book))
        except DamasError as error:
            yield BadGame(number, count, error, {})


def _written(
    games: Iterator[PdnGame | BadGame], target_format: str, numbering: str | None
) -> Iterator[str | BadGame]:
    first = True
    for game in games:
        if isinstance(game, BadGame):
            yield game
        elif target_format == "pdn":
            yield ("" if first else "\n") + write_game(game, numbering)
            first = False
        elif target_format == "hub":
            yield hub.write_position(game.final) + "\n"
        else:
            yield (fen_in(game.final, numbering) if numbering else game.final.fen) + "\n"
