"""Answers for scripts on standard output: one line of JSON out for each line in."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

from damas.errors import DamasError
from damas.game import Move
from damas.rules import Rulebook
from damas.views import move_view, plain

CHUNK = 1 << 16
MOST_REMEMBERED = 200_000
REFUSED = 2
"""Exit code: some of the input was bad."""


def to_json(value: object) -> str:
    """Any view, or any structure with views in it, as one line; letters as they are where the output can show them."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    return json.dumps(plain(value), ensure_ascii=encoding != "utf8")


def print_json(value: object) -> None:
    print(to_json(value))


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
                text = known[key] = json.dumps(plain(move_view(move, self._names)))
            texts.append(text)
        return f"[{', '.join(texts)}]"


def answer_lines(answer: Callable[[str], str], language: str, source: BinaryIO | None = None) -> int:
    """One line of JSON for each line of standard input, in order; a bad line is answered with its error. The exit code:
    2 if there was any, so that a script need not read the answers to know.

    Answers leave as soon as no more input is waiting, so that a program may ask and wait, and a file goes fast.
    """
    refused = False

    def line(text: str) -> str:
        nonlocal refused
        try:
            return answer(text)
        except DamasError as error:
            from damas.views.errors import error_view  # most input is good

            refused = True
            return to_json({"error": error_view(error, language)})

    for lines in _arriving_lines(source or sys.stdin.buffer):
        sys.stdout.write("".join([line(text) + "\n" for text in lines]))
        sys.stdout.flush()
    return REFUSED if refused else 0


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
