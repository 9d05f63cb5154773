"""The receipt of a forfeited game: all that the program's author needs to understand and to repeat it."""

import base64
import re
import secrets
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from damas.arbiter import Table
from damas.board import Color
from damas.game import Move, Outcome, Position
from damas.matches.entrant import Entrant
from damas.matches.faults import Fault
from damas.matches.terms import Start, Terms

FORM = 1
"""Version of the form of receipts."""
MAX_STDERR_BYTES = 8 * 1024
"""How much of the program's standard error a receipt has: the last bytes."""
_IDENT = re.compile(r"[0-9a-f]{12}")


def receipt_of(
    entrant: Entrant,
    side: Color,
    fault: Fault,
    terms: Terms,
    start: Start,
    *,
    before: Table,
    outcome: Outcome | None,
    opening: int,
    stderr: bytes,
    tier: str,
) -> dict[str, Any]:
    """The receipt as JSON values. `before` is the table that the offender was asked about, `outcome` what came of it,
    `opening` the plies played before the first question; `raw` is the exact answer in base64.

    A receipt is public: it names files but no folders of this machine, which the settings of the tournament have.
    """
    record, language = before.game.record, terms.language
    answer = fault.raw.decode("utf-8", "replace")
    move = fault.detail if fault.code == "INVALID_MOVE" else answer
    near = nearest(before.position, move) if fault.code in ("INVALID_MOVE", "GARBAGE") else None
    return {
        "receipt": FORM,
        "id": secrets.token_hex(6),
        "verdict": fault.code,
        "detail": fault.detail,
        "offender": side.value,
        "name": entrant.name,
        "spec": entrant.shown,
        "tier": tier,
        "rulebook": Path(terms.rulebook).name,
        "control": str(terms.control),
        "legal_told": terms.legal,
        "seed": terms.seed,
        "number": start.number,
        "language": language,
        "start": record.start.fen,
        "moves": [move.text for move in record.moves],
        "opening": opening,
        "ply": before.ply,
        "fen": before.position.fen,
        "legal": [move.text for move in before.game.legal_moves],
        "raw": base64.b64encode(fault.raw).decode(),
        "said": answer[:500],
        "nearest": near.text if near else None,
        "article": outcome.citation.sentence(language) if outcome else "",
        "message": outcome.sentence(language) if outcome else "",
        "seconds": round(fault.seconds, 3),
        "stderr": stderr[-MAX_STDERR_BYTES:].decode("utf-8", "replace"),
    }


def nearest(position: Position, text: str) -> Move | None:
    """The legal move nearest to a text: by its first and last square if it names squares, otherwise by its letters.

    >>> nearest(Position.start("concurso"), "9,9 8,8").text
    '2,6 3,7'
    """
    moves = list(position.legal_moves)
    if not moves:
        return None
    named = _places(position, text)
    if len(named) >= 2:
        places = position.rulebook.geometry.places

        def distance(move: Move) -> tuple[int, str]:
            ends = (places[move.origin], named[0]), (places[move.destination], named[-1])
            return sum(
                abs(a - b) for here, there in ends for a, b in zip(here, there, strict=True)
            ), move.text

        return min(moves, key=distance)
    return max(moves, key=lambda move: (SequenceMatcher(None, move.text, text[:80]).ratio(), move.text))


def _places(position: Position, text: str) -> list[tuple[int, int]]:
    """The rows and columns that a text names, even outside the board."""
    pairs = re.findall(r"(-?\d{1,2})\s*,\s*(-?\d{1,2})", text)
    if pairs:
        return [(int(row), int(column)) for row, column in pairs]
    book = position.rulebook
    by_name = dict(zip(book.geometry.algebraic, book.geometry.places, strict=True))
    by_name |= zip(book.geometry.numbers, book.geometry.places, strict=True)
    return [by_name[word] for word in re.findall(r"[a-z]?\d{1,3}", text.lower()) if word in by_name]


def find(name: str) -> Path | None:
    """The file of a receipt, given its path, or its id in a tournament in or below the current folder."""
    path = Path(name)
    if path.is_file():
        return path
    if not _IDENT.fullmatch(name):
        return None
    places = [Path("receipts"), *Path().glob("*/receipts"), *Path().glob("*/*/receipts")]
    return next((file for place in places if (file := place / f"{name}.json").is_file()), None)
