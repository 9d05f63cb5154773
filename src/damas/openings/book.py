"""Opening books: a PDN, a text with an opening on each line, or a ballot that a rulebook brings.

A line of a text is a FEN, moves, or both with a bar between them: `W:W…:B… | c3-d4 …`. Moves are separated by `;`, or by
spaces if none has a space. What follows `#` is the name of the opening; a line with nothing before it is a remark.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from damas.errors import BadBook, DamasError
from damas.game import Game, Move, Position
from damas.language import Saying
from damas.notation import BadGame, read_games
from damas.notation.pdn.source import lines_of
from damas.rules import Rulebook, rulebook
from damas.rules.library import is_builtin
from damas.rules.readings import folder_of
from damas.rules.ruleset import FOLDER

MAX_PDN_PLIES = 24
"""Plies of a recorded game that are taken as its opening."""
NAME_TAGS = ("Opening", "Variation")
"""Tags of a recorded game that name its opening."""
MOVE_NUMBER = re.compile(r"^\d+\.+")
"""A number before a move, as in 1."""


@dataclass(frozen=True)
class Opening:
    """Where a game begins: the first position or another one, and moves already played there.

    >>> opening = Opening.parse("9-14 23-18  # Double Corner, 23-18")
    >>> opening.name, opening.game("inglesa").moves[-1].text
    ('Double Corner, 23-18', '23-18')
    """

    name: str = ""
    """As its book calls it; empty if it has no name."""
    fen: str | None = None
    """The position before the moves; None: the first of the rulebook."""
    moves: tuple[str, ...] = ()

    @classmethod
    def parse(cls, line: str) -> "Opening":
        """Reads a line of a book. Nothing is checked: `game` does."""
        text, _, name = line.strip().partition("#")
        head, bar, tail = text.partition("|")
        fen: str | None = None
        if bar:
            fen, text = head.strip(), tail
        elif text[:2].upper() in ("W:", "B:"):
            fen, text = text.strip(), ""
        return cls(" ".join(name.split()), fen, _moves(text))

    @classmethod
    def of(cls, game: Game, name: str = "") -> "Opening":
        """The moves of a game, and its first position where that is not the rulebook's."""
        return cls._from(game.record.start, game.moves, name)

    @classmethod
    def _from(cls, start: Position, moves: Iterable[Move], name: str) -> "Opening":
        fen = None if start == Position.start(start.rulebook) else start.fen
        return cls(name, fen, tuple(move.text for move in moves))

    def __str__(self) -> str:
        moves = " ; ".join(self.moves) if any(" " in move for move in self.moves) else " ".join(self.moves)
        if len(self.moves) == 1 and " " in moves:
            moves += " ;"
        text = " | ".join(filter(None, (self.fen, moves)))
        return f"{text}  # {self.name}" if self.name else text

    def game(self, book: Rulebook | str) -> Game:
        """The game after the moves; raises `DamasError` if the rulebook does not allow them."""
        game = Game.start(book, fen=self.fen)
        for move in self.moves:
            game = game.play(move)
        return game


def read_book(path: Path | str, book: Rulebook | str) -> tuple[Opening, ...]:
    """The openings of a file: of each game if it ends in `.pdn`, of each line otherwise.

    Raises `BadBook` where it has none, and at the first line or game that cannot be played or is of another rulebook.
    """
    path, book = Path(path), rulebook(book)
    openings = tuple(_from_pdn(path, book) if path.suffix.lower() == ".pdn" else _from_lines(path, book))
    if not openings:
        raise BadBook(path.name, Saying("book.empty"))
    return openings


def named_ballots(book: Rulebook | str) -> dict[str, Path]:
    """The ballots that a built-in rulebook brings: name and file of each, under `rulebooks/ID/openings`.

    >>> list(named_ballots("inglesa")), list(named_ballots("turca"))
    (['two-move'], [])
    """
    book = rulebook(book)
    folder = Path(FOLDER) / folder_of(book.id) / "openings"
    if not is_builtin(book) or not folder.is_dir():
        return {}
    return {path.stem: path for path in sorted(folder.glob("*.txt"))}


def _from_lines(path: Path, book: Rulebook) -> Iterator[Opening]:
    for number, line in enumerate(lines_of(path), start=1):
        opening = Opening.parse(line)
        if not (opening.fen or opening.moves):
            continue
        try:
            opening.game(book)
        except DamasError as error:
            raise BadBook(path.name, Saying("book.line", {"line": number, "why": error})) from None
        yield opening


def _from_pdn(path: Path, book: Rulebook) -> Iterator[Opening]:
    for number, game in enumerate(read_games(path, rulebook=book), start=1):
        if isinstance(game, BadGame):
            raise BadBook(path.name, Saying("book.line", {"line": game.line, "why": game.error}))
        name = ", ".join(game.tags[tag] for tag in NAME_TAGS if game.tags.get(tag))
        if game.rulebook != book:
            raise BadBook(path.name, Saying("book.other", {"game": number, "book": game.rulebook.id}))
        opening = Opening._from(game.start, (node.move for node in game.moves[:MAX_PDN_PLIES]), name)
        if opening.fen or opening.moves:
            yield opening


def _moves(text: str) -> tuple[str, ...]:
    words = text.split(";") if ";" in text else text.split()
    moves = (MOVE_NUMBER.sub("", word.strip()) for word in words)
    return tuple(move for move in moves if move)
