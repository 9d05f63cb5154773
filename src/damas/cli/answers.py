"""JSON answers on stdout: one line of output for each line of input."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from damas.cli.arguments import book_of, position_of
from damas.errors import DamasError
from damas.game import Move, Position
from damas.rules import Rulebook
from damas.views import move_view, plain

_CHUNK = 1 << 16
_MAX_CACHED_MOVES = 200_000
REFUSED = 2
"""Exit code: some of the input was bad."""


def to_json(value: object) -> str:
    """Encode a view, or a structure that contains views, as one line; non-ASCII text is kept if stdout is UTF-8."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    return json.dumps(plain(value), ensure_ascii=encoding != "utf8")


def print_json(value: object) -> None:
    """Print a view as one line of JSON."""
    print(to_json(value))


def print_answer(options: argparse.Namespace, view: Callable[[], object], text: Callable[[], str]) -> None:
    """Print an answer: its view as JSON with `--json`, otherwise its text."""
    print(to_json(view()) if options.json else text())


def answer_positions(
    options: argparse.Namespace,
    json_line: Callable[[Position], str],
    text: Callable[[Position], str],
) -> int:
    """Answer the position of `-f` with JSON or text, or with `-f -` each line of stdin with JSON."""
    book = book_of(options)
    if options.fen == "-":
        return answer_lines(lambda fen: json_line(Position.from_fen(fen, book)), options.language)
    position = position_of(options, book)
    print(json_line(position) if options.json else text(position))
    return 0


class MoveTexts:
    """Encodes lists of moves as JSON, with a cache because the same moves recur."""

    def __init__(self, book: Rulebook) -> None:
        self._names = book.square_names
        self._cache: dict[object, str] = {}

    def __call__(self, moves: Iterable[Move]) -> str:
        cache = self._cache
        texts = []
        for move in moves:
            # Route, captures and promotion determine the text of a move.
            key = (move.route, move.captured, move.promotes)
            text = cache.get(key)
            if text is None:
                if len(cache) >= _MAX_CACHED_MOVES:
                    cache.clear()
                text = cache[key] = json.dumps(plain(move_view(move, self._names)))
            texts.append(text)
        return f"[{', '.join(texts)}]"


def answer_lines(answer: Callable[[str], str], language: str) -> int:
    """Answer each line of stdin with one line of JSON, in order; returns exit code 2 if any line was bad, else 0.

    Output is flushed whenever no more input is waiting, so that both interactive programs and files work well.
    """
    refused = False

    def line(text: str) -> str:
        nonlocal refused
        try:
            return answer(text)
        except DamasError as error:
            from damas.views.errors import error_view  # rarely needed

            refused = True
            return to_json({"error": error_view(error, language)})

    for lines in _available_lines(sys.stdin.buffer):
        sys.stdout.write("".join([line(text) + "\n" for text in lines]))
        sys.stdout.flush()
    return REFUSED if refused else 0


def _available_lines(source: Any) -> Iterator[list[str]]:
    """Yield lists of the complete lines that have arrived."""
    pieces: list[bytes] = []
    while chunk := source.read1(_CHUNK):
        pieces.append(chunk)
        if b"\n" in chunk:
            *complete, rest = b"".join(pieces).split(b"\n")
            pieces = [rest]
            yield [text.decode("utf-8", "replace").strip() for text in complete]
    if last := b"".join(pieces):
        yield [last.decode("utf-8", "replace").strip()]
