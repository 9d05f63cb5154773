"""Answers for scripts: moves, refusals and errors as JSON, and one line out for each line in."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

from damas.cli.arguments import BadInput
from damas.errors import BadRulebook, DamasError, IllegalMove, IllegalSetup, NotationError, UnknownRulebook
from damas.game import Move
from damas.rules import Rulebook

CHUNK = 1 << 16
MOST_REMEMBERED = 200_000


def to_json(value: object) -> str:
    # Letters as they are where the output can show them.
    plain = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "") == "utf8"
    return json.dumps(value, ensure_ascii=not plain)


def print_json(value: object) -> None:
    print(to_json(value))


def move_object(move: Move, names: tuple[str, ...]) -> dict[str, object]:
    """A move as scripts read it, squares as in the rulebook's FEN."""
    return {
        "text": move.text,
        "from": names[move.origin],
        "to": names[move.destination],
        "route": [names[square] for square in move.route],
        "captured": [names[square] for square in move.captured],
        "promotes": move.promotes,
    }


class MoveTexts:
    """Writes lists of moves as JSON. The same moves come again and again: each is written once and remembered."""

    def __init__(self, book: Rulebook) -> None:
        self._names = book.square_names
        self._known: dict[object, str] = {}

    def __call__(self, moves: Iterable[Move]) -> str:
        known = self._known
        texts = []
        for move in moves:
            # Route, pieces taken and crowning say everything a move is written with.
            key = (move.route, move.captured, move.promotes)
            text = known.get(key)
            if text is None:
                if len(known) >= MOST_REMEMBERED:
                    known.clear()
                text = known[key] = json.dumps(move_object(move, self._names))
            texts.append(text)
        return f"[{', '.join(texts)}]"


def error_object(error: DamasError | BadInput | OSError, language: str) -> dict[str, object]:
    """An error as scripts read it: a stable code, the data, and the sentence for people."""
    if isinstance(error, IllegalMove):
        return error.refusal.as_json(language)
    data: dict[str, object] = {"code": getattr(error, "code", "FILE")}
    if isinstance(error, NotationError | IllegalSetup):
        data["text"] = error.text
        data["problems"] = [
            {
                "code": problem.code,
                "token": problem.token,
                "offset": problem.offset,
                "squares": list(problem.squares),
                "message": problem.sentence(language),
            }
            for problem in error.problems
        ]
    elif isinstance(error, BadRulebook):
        data["rulebook"] = error.name
        data["problems"] = [
            {"key": key, "got": got, "allowed": allowed} for key, got, allowed in error.problems
        ]
    elif isinstance(error, UnknownRulebook):
        data["rulebook"] = error.name
        data["known"] = list(error.known)
    if isinstance(error, DamasError):
        message = error.sentence(language)
    elif isinstance(error, OSError) and error.filename is not None:
        message = f"{error.filename}: {error.strerror}"
    else:
        message = str(error)
    return {**data, "message": " ".join(message.split()), "lang": language}


def answer_lines(answer: Callable[[str], str], language: str, source: BinaryIO | None = None) -> int:
    """One line of JSON for each line of standard input, in order; a bad line is answered with its error.

    Answers leave as soon as no more input is waiting, so that a program may ask and wait, and a file goes fast.
    """

    def line(text: str) -> str:
        try:
            return answer(text)
        except DamasError as error:
            return to_json({"error": error_object(error, language)})

    for lines in _arriving_lines(source or sys.stdin.buffer):
        sys.stdout.write("".join([line(text) + "\n" for text in lines]))
        sys.stdout.flush()
    return 0


def _arriving_lines(source: Any) -> Iterator[list[str]]:
    """Whole lines, as many as have arrived."""
    pieces: list[bytes] = []
    while chunk := source.read1(CHUNK):
        pieces.append(chunk)
        if b"\n" in chunk:
            *whole, rest = b"".join(pieces).split(b"\n")
            pieces = [rest]
            yield [text.decode("utf-8", "replace").strip() for text in whole]
    if last := b"".join(pieces):
        yield [last.decode("utf-8", "replace").strip()]
