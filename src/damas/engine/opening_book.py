"""Opening books of the engine: scored moves of positions, read from one small file for each way of moving.

A file is one line of JSON, its header, and then for each position its key (8 bytes), the number of its moves (1 byte)
and for each move the lower half of the key of the position after it (4 bytes) and its score for the side to move (2
bytes, signed, hundredths of a man). All numbers are little-endian; positions are in the order of their keys.
`damas.openings.expansion` builds them.
"""

import json
import struct
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from math import exp
from pathlib import Path
from random import Random

from damas import _core
from damas.errors import BadBook
from damas.game import Move, Position
from damas.game.core import rules_of
from damas.language import Saying
from damas.rules import Rulebook

FORMAT = "damas book 1"
"""The version of the file."""
FOLDER = Path(__file__).parent / "books"
"""The folder of the shipped books."""
SHARPNESS = 3.0
"""How much likelier a better move is chosen than one at the edge of the window, as `damas.engine.levels` does."""
_POSITION, _MOVE = struct.Struct("<QB"), struct.Struct("<Ih")
_LOW = 0xFFFFFFFF


@dataclass(frozen=True, kw_only=True)
class BookHeader:
    """Where a book comes from."""

    format: str = FORMAT
    rulebook: str
    """Id of the rulebook under which it was built."""
    rules: str
    """Fingerprint of the rulebook's way of moving; the book serves every rulebook that has it."""
    version: str
    """Version of damas."""
    network: str
    """Checksum of the network that judged; empty where pieces were counted."""
    nodes: int
    """Nodes of each search."""
    seed: int
    positions: int = 0
    """Positions whose moves were judged."""
    moves: int = 0
    digest: str = ""
    """SHA-256 of what follows the header."""


@dataclass(frozen=True, slots=True)
class BookMove:
    """A move of a book and its score for the side to move, in hundredths of a man."""

    move: Move
    score: int


class OpeningBook:
    """A book that was read. Raises `BadBook` for bytes that are none, or damaged."""

    def __init__(self, data: bytes, name: str = "") -> None:
        head, _, body = data.partition(b"\n")
        try:
            self.header = BookHeader(**json.loads(head))
        except (ValueError, TypeError):
            raise BadBook(name, Saying("book.no_book")) from None
        if self.header.format != FORMAT:
            raise BadBook(name, Saying("book.no_book"))
        if sha256(body).hexdigest() != self.header.digest:
            raise BadBook(name, Saying("book.damaged"))
        self.name = name
        self.size = len(data)
        self._body = body
        self._places: dict[int, int] = {}
        place = 0
        while place < len(body):
            key, count = _POSITION.unpack_from(body, place)
            self._places[key] = place
            place += _POSITION.size + count * _MOVE.size

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, position: Position) -> bool:
        return position.key in self._places

    def serves(self, book: Rulebook) -> bool:
        """Whether a rulebook moves as this book's does."""
        return self.header.rules == fingerprint(book)

    def moves(self, position: Position) -> list[BookMove]:
        """The moves of a position, the best first; empty where the book ends."""
        place = self._places.get(position.key)
        if place is None:
            return []
        _, count = _POSITION.unpack_from(self._body, place)
        scores = dict(_MOVE.iter_unpack(self._body[place + 9 : place + 9 + count * _MOVE.size]))
        legal = ((move, position.play(move).key & _LOW) for move in position.legal_moves)
        known = [BookMove(move, scores[low]) for move, low in legal if low in scores]
        return sorted(known, key=lambda each: -each.score)

    def choose(self, position: Position, random: Random, window: int = 0) -> BookMove | None:
        """A move at most `window` hundredths of a man worse than the best, better ones likelier; None where the book ends."""
        moves = self.moves(position)
        near = [each for each in moves if moves[0].score - each.score <= window]
        if len(near) < 2:
            return near[0] if near else None
        weights = [exp(-SHARPNESS * (moves[0].score - each.score) / max(window, 1)) for each in near]
        return random.choices(near, weights)[0]


def fingerprint(book: Rulebook) -> str:
    """Identifies a rulebook's way of moving; that of a network for it is the same number."""
    return f"{_core.rules_fingerprint(rules_of(book)):016x}"


def write_book(header: BookHeader, positions: Mapping[int, Mapping[int, int]]) -> bytes:
    """The bytes of a book: for the key of each position, the score of each move by the key of the position after it."""
    body = b"".join(
        _POSITION.pack(key, len(moves))
        + b"".join(_MOVE.pack(after & _LOW, score) for after, score in sorted(moves.items()))
        for key, moves in sorted(positions.items())
    )
    moves = sum(map(len, positions.values()))
    full = replace(header, positions=len(positions), moves=moves, digest=sha256(body).hexdigest())
    return json.dumps(asdict(full)).encode() + b"\n" + body


def read_opening_book(path: Path) -> OpeningBook:
    """Reads a book; raises `BadBook` where the file is none."""
    return OpeningBook(path.read_bytes(), path.name)


@cache
def _shipped() -> dict[str, OpeningBook]:
    books = (read_opening_book(path) for path in sorted(FOLDER.glob("*.book")))
    return {book.header.rules: book for book in books}


def book_for(book: Rulebook) -> OpeningBook | None:
    """The shipped book for the way this rulebook moves, or None."""
    return _shipped().get(fingerprint(book))
