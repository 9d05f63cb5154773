"""`damas moves`: the legal moves of a position."""

import argparse

from damas.cli import page
from damas.cli.answers import MoveTexts, answer_positions
from damas.cli.arguments import add_flag, add_position, book_of
from damas.game import Move, Position
from damas.language import rulebook_word, sentence
from damas.rules import Rulebook
from damas.views.words import squares


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_position(parser)
    add_flag(parser, "--routes", "list captures that differ only in route separately")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    writer = _Writer(book_of(options), options.routes)
    return answer_positions(options, writer, lambda position: _text(position, options))


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
    """One line: the rulebook and whose turn it is."""
    name = rulebook_word(position.rulebook.id, language)
    return f"{page.heading(name)}: {_with_color('cli.moves.turn', position, language)}"


def header(position: Position, language: str) -> list[str]:
    """The lines above an answer about a position: its title and its FEN."""
    return [title(position, language), page.paragraph(position.fen, indent=2, hang=2), ""]


def no_moves(position: Position, language: str) -> str:
    """The sentence that the side to move has no legal move."""
    return _with_color("cli.moves.none", position, language)


def _with_color(key: str, position: Position, language: str) -> str:
    return sentence(key, language, color=sentence(f"color.{position.turn.value}", language))


def _text(position: Position, options: argparse.Namespace) -> str:
    language = options.language
    moves = list(position.routes() if options.routes else position.legal_moves)
    lines = [no_moves(position, language)]
    if moves:
        lines = [sentence("cli.moves.count", language, count=len(moves)), listing(position, moves, language)]
    return "\n".join(header(position, language) + lines)


def listing(position: Position, moves: list[Move], language: str) -> str:
    """Format moves: in columns, or one per line with captures and promotions."""
    moves = sorted(moves, key=lambda move: move.route)
    if not any(move.is_capture or move.promotes for move in moves):
        return page.columns([move.text for move in moves], indent=2)
    return page.table([(move.text, _effects(position, move, language)) for move in moves], indent=2)


def _effects(position: Position, move: Move, language: str) -> str:
    parts = []
    if move.is_capture:
        taken = squares(position.rulebook, move.captured)
        parts.append(sentence("cli.moves.takes", language, squares=taken))
    if move.promotes:
        parts.append(sentence("cli.moves.crowns", language))
    return ", ".join(parts)
