"""`damas show`: a position as a board in the terminal or as an SVG picture."""

import argparse
from pathlib import Path

from damas.board import Color
from damas.cli import page
from damas.cli.answers import answer_positions, to_json
from damas.cli.arguments import BadInput, add_flag, add_position, book_of, position_of
from damas.cli.moves import title
from damas.cli.new_file import add_force, replacing
from damas.drawing import unicode_board
from damas.drawing.view import NUMBERINGS
from damas.game import Position


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_position(parser)
    parser.add_argument("--svg", metavar="FILE", help="write an SVG picture; - for standard output")
    add_force(parser)
    add_flag(parser, "--flip", "Black at the bottom")
    parser.add_argument(
        "--numbering", choices=NUMBERINGS, default="rulebook", metavar="NAME", help=f"{', '.join(NUMBERINGS)}"
    )
    add_flag(parser, "--ascii", "plain letters, w W b B, and no frame")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    if options.svg not in (None, "-"):
        if options.fen == "-":
            raise BadInput("cli.bad.svg_file")
        position = position_of(options, book_of(options))
        with replacing(Path(options.svg), force=options.force) as write:
            write(_picture(position, options) + "\n")
        if not options.json:
            return 0
    return answer_positions(
        options,
        lambda position: to_json(_answer(position, options)),
        lambda position: _picture(position, options) if options.svg else _text(position, options),
    )


def _side(options: argparse.Namespace) -> Color:
    return Color.BLACK if options.flip else Color.WHITE


def _picture(position: Position, options: argparse.Namespace) -> str:
    return position.svg(orientation=_side(options), numbering=options.numbering)


def _text(position: Position, options: argparse.Namespace) -> str:
    picture = board(position, _side(options), options.numbering, options.ascii)
    return f"{title(position, options.language)}\n\n{picture}\n\n{position.fen}"


def board(
    position: Position, side: Color = Color.WHITE, numbering: str = "rulebook", plain: bool = False
) -> str:
    """The board for people: in colour where they see it, in plain letters where the output has no others."""
    plain = plain or not page.can_show("│○●")
    color = page.is_terminal()
    return unicode_board(position.draw(), orientation=side, numbering=numbering, ascii=plain, color=color)


def _answer(position: Position, options: argparse.Namespace) -> dict[str, object]:
    answer: dict[str, object] = {
        "rulebook": position.rulebook.id,
        "fen": position.fen,
        "turn": position.turn.value,
        "diagram": unicode_board(
            position.draw(), orientation=_side(options), numbering=options.numbering, ascii=options.ascii
        ),
    }
    return {**answer, "svg": _picture(position, options)} if options.svg == "-" else answer
