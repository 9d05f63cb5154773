"""`damas moves`: the legal moves of a position."""

import argparse

from damas.cli import page
from damas.cli.answers import MoveTexts, answer_lines
from damas.cli.arguments import add_position, book_of, position_of
from damas.game import Move, Position
from damas.language import sentence
from damas.rules import Rulebook
from damas.views.words import squares


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.add_argument(
        "--routes", action="store_true", help="list captures that differ only in route separately"
    )


def run(options: argparse.Namespace) -> int:
    book = book_of(options)
    writer = _Writer(book, options.routes)
    if options.fen == "-":
        return answer_lines(lambda fen: writer(Position.from_fen(fen, book)), options.language)
    position = position_of(options, book)
    print(writer(position) if options.json else text(position, options.routes, options.language))
    return 0


class _Writer:
    """Writes the answer for one position as JSON; assembled by hand because streams have many thousands of lines."""

    def __init__(self, book: Rulebook, routes: bool) -> None:
        # Ids, FENs and square names are plain ASCII without quotes.
        self._head = f'{{"rulebook": "{book.id}", "fen": "'
        self._routes = routes
        self._moves = MoveTexts(book)

    def __call__(self, position: Position) -> str:
        moves = self._moves(position.routes() if self._routes else position.legal_moves)
        turn = "black" if position.black_to_move else "white"
        return f'{self._head}{position.fen}", "turn": "{turn}", "moves": {moves}}}'


def title(position: Position, language: str) -> str:
    color = sentence(f"color.{position.turn.value}", language)
    return f"{page.heading(position.rulebook.id)}: {sentence('cli.moves.turn', language, color=color)}"


def text(position: Position, routes: bool, language: str) -> str:
    moves = list(position.routes() if routes else position.legal_moves)
    lines = [title(position, language), page.paragraph(position.fen, indent=2, hang=2), ""]
    if not moves:
        color = sentence(f"color.{position.turn.value}", language)
        return "\n".join([*lines, sentence("cli.moves.none", language, color=color)])
    lines += [sentence("cli.moves.count", language, count=len(moves)), listing(position, moves, language)]
    return "\n".join(lines)


def listing(position: Position, moves: list[Move], language: str) -> str:
    """Format moves: in columns, or one per line with captures and promotions."""
    moves = sorted(moves, key=lambda move: move.route)
    if not any(move.is_capture or move.promotes for move in moves):
        return page.columns([move.text for move in moves], indent=2)
    return page.table([(move.text, effects(position, move, language)) for move in moves], indent=2)


def effects(position: Position, move: Move, language: str) -> str:
    parts = []
    if move.is_capture:
        taken = squares(position.rulebook, move.captured)
        parts.append(sentence("cli.moves.takes", language, squares=taken))
    if move.promotes:
        parts.append(sentence("cli.moves.crowns", language))
    return ", ".join(parts)
