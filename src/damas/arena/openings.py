"""From where games begin. A pair of games has one opening, and colours change.

| word       | openings                                                                     |
|------------|------------------------------------------------------------------------------|
| `start`    | the position the rulebook begins with                                        |
| `ballot`   | drawn lines of six plies that cost nobody anything (`damas.engine.match`)    |
| `random:N` | N random legal plies                                                         |
| a file     | PDN: the moves of each game; otherwise a FEN or moves on each line, # a remark |

What a file says is written into the tournament when it begins, so it may change afterwards.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from damas.engine.match import opening as drawn
from damas.errors import NotationError, Problem
from damas.game import Game, Position
from damas.notation import BadGame, read_games
from damas.rules import Rulebook, rulebook

MOST_PLIES = 40
MOST_TRIES = 1000
NUMBER = re.compile(r"^\d+\.+")
LONGEST_LINE = 24
"""Plies of a recorded game that are taken for its opening."""


@dataclass(frozen=True)
class Opening:
    """A position, or none for the usual one, and the moves from there that are played already."""

    fen: str | None = None
    moves: tuple[str, ...] = ()


def opening(word: str, lines: Sequence[str], book: Rulebook | str, number: int, seed: int = 1) -> Opening:
    """One opening out of those that a word names. The same number is the same opening, for ever; of the ballot, as
    long as the search that looks for lost men in it stays what it is.

    >>> opening("random:2", (), "brasileira", 0) == opening("random:2", (), "brasileira", 0)
    True
    >>> opening("", ("W:WKa1:Bd4", "c3-d4 f6-g5"), "brasileira", 3, seed=5).fen is None
    False
    """
    if word == "start":
        return Opening()
    if word == "ballot":
        return Opening(None, tuple(move.text for move in drawn(book, number, seed).record.moves))
    if word.startswith("random:"):
        return _random(book, number, seed, int(word.removeprefix("random:")))
    places = list(range(len(lines)))
    Random(f"{seed}/openings").shuffle(places)
    return read_line(lines[places[number % len(lines)]])


def _random(book: Rulebook | str, number: int, seed: int, plies: int) -> Opening:
    book = rulebook(book) if isinstance(book, str) else book
    for attempt in range(MOST_TRIES):
        chance = Random(f"random/{book.id}/{seed}/{number}/{attempt}")
        game = Game.start(book)
        while game.record.length < plies and not game.outcome:
            game = game.play(chance.choice(sorted(game.legal_moves, key=lambda move: move.route)))
        if not game.outcome:
            return Opening(None, tuple(move.text for move in game.record.moves))
    raise ValueError(f"{book.id}: no {plies} random plies leave a game to be played")


def known(word: str) -> bool:
    """Whether this is one of the words, and no file."""
    plies = word.removeprefix("random:")
    return word in ("start", "ballot") or (
        word.startswith("random:") and plies.isdecimal() and 0 < int(plies) <= MOST_PLIES
    )


def read_file(path: Path, book: Rulebook | str) -> tuple[str, ...]:
    """Each opening of a file on a line of its own, all of them playable; raises at the first that is not."""
    text = path.read_text(encoding="utf-8")
    lines = tuple(_from_pdn(text, book) if path.suffix.lower() == ".pdn" else _from_lines(text))
    if not lines:
        raise NotationError(path.name, (Problem("UNREADABLE", path.name, 0),))
    for line in lines:
        found = read_line(line)
        game = Game.start(book, fen=found.fen)
        for move in found.moves:
            game = game.play(move)
    return lines


def _from_lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        told = line.partition("#")[0].strip()
        if told:
            yield told


def _from_pdn(text: str, book: Rulebook | str) -> Iterator[str]:
    """Moves, and the FEN before them where the game has one: `W:W…:B… | c3-d4 …`."""
    start = Position.start(book)
    for game in read_games(text, rulebook=book):
        if isinstance(game, BadGame):
            continue
        moves = " ".join(f"{node.move.text} ;" for node in game.moves[:LONGEST_LINE])
        first = "" if game.start.fen == start.fen else game.start.fen
        if moves or first:
            yield f"{first} | {moves}" if first and moves else first or moves


def read_line(line: str) -> Opening:
    """A FEN, moves, or both with a bar between them. Moves are apart by `;` or, where none has a space, by spaces."""
    head, bar, tail = line.partition("|")
    if bar:
        return Opening(head.strip(), _moves(tail))
    if line[:2].upper() in ("W:", "B:"):
        return Opening(line.strip())
    return Opening(None, _moves(line))


def _moves(text: str) -> tuple[str, ...]:
    apart = text.split(";") if ";" in text else text.split()
    told = (NUMBER.sub("", move.strip()) for move in apart)
    return tuple(move for move in told if move)
