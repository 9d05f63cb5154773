"""`damas explain`: whether a move is legal, and if not, which article forbids it."""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace

from damas.cli import page
from damas.cli.answers import REFUSED, answer_positions, to_json
from damas.cli.arguments import add_position, readable
from damas.cli.moves import listing
from damas.game import Move, Position
from damas.language import sentence
from damas.views.explain import Explanation
from damas.views.words import article, squares

ILLEGAL = 1
"""Exit code: the move is not legal."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_position(parser)
    parser.add_argument(
        "move",
        type=readable,
        metavar="MOVE",
        help="in letters, numbers or rows and columns: c3xe5xg7",
    )
    parser.add_argument(
        "rest",
        type=readable,
        nargs="*",
        default=(),
        metavar="SQUARE",
        help="more squares of a move that is written in several words: 2,2 3,3",
    )
    parser.epilog = (
        "Exit code 0: the move is legal. 1: it is not. 2: the move or the position cannot be read."
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    move = " ".join([options.move, *options.rest])
    code = 0

    def json_line(position: Position) -> str:
        nonlocal code
        explanation = Explanation(position, move)
        view = explanation.view(options.language)
        code = max(code, _exit_code(explanation))
        if explanation.error and options.fen != "-":  # refused in the answer, and also reported as bad input
            assert view.refusal
            print(f"damas: {view.refusal.message}", file=sys.stderr)
        return to_json(view)

    def text(position: Position) -> str:
        nonlocal code
        explanation = Explanation(position, move)
        if explanation.error:
            raise explanation.error
        code = _exit_code(explanation)
        return _text(explanation, options.language)

    return max(answer_positions(options, json_line, text), code)


def _exit_code(explanation: Explanation) -> int:
    if explanation.error:
        return REFUSED
    return ILLEGAL if explanation.refusal else 0


def _text(explanation: Explanation, language: str) -> str:
    position, why = explanation.position, explanation.refusal
    notes = list(_notes(explanation, language))
    if why is None:
        return _legal(position, explanation.candidates[0], notes, language)
    lines = [page.paragraph(replace(why, legal=()).sentence(language))]
    if text := explanation.article_text(language):
        lines += ["", page.paragraph(f"{article(why.citation, language)}: {text}", indent=2, hang=2)]
    if why.further:
        lines += ["", page.heading(sentence("cli.explain.also", language))]
        lines += [page.paragraph(other.sentence(language), indent=2, hang=2) for other in why.further]
    lines += [line for note in notes for line in ("", page.paragraph(note))]
    if hint := explanation.hint:
        lines += ["", page.paragraph(hint.sentence(language))]
    if instead := explanation.alternatives:
        title = page.heading(sentence("cli.explain.alternatives", language))
        lines += ["", title, listing(position, instead, language)]
    return "\n".join(lines)


def _notes(explanation: Explanation, language: str) -> Iterator[str]:
    """Yield remarks: the notation the text was read in, if it is not obvious, and that a man passing the last row stays a
    man.
    """
    book, scheme = explanation.position.rulebook, explanation.scheme
    other = explanation.bottom_left
    if scheme != book.move_text or (other and other not in explanation.candidates):
        kind = book.first_number if scheme == "numbers" else scheme
        meant = " ".join(book.move_names[square] for square in explanation.squares)
        yield sentence(f"cli.explain.read.{kind}", language, tried=explanation.tried, squares=meant)
    if message := explanation.uncrowned_message(language):
        yield message


def _legal(position: Position, move: Move, notes: list[str], language: str) -> str:
    book = position.rulebook
    names = book.move_names
    facts: dict[str, object] = {"from": names[move.origin], "to": names[move.destination]}
    parts = [sentence("cli.explain.legal", language, move=move.text)]
    if move.is_capture:
        facts |= {"count": len(move.captured), "squares": squares(book, move.captured)}
        route = " ".join(names[square] for square in move.route)
        parts.append(sentence("cli.explain.capture", language, **facts))
        parts.append(sentence("cli.explain.route", language, route=route))
    else:
        parts.append(sentence("cli.explain.step", language, **facts))
    if move.promotes:
        parts.append(sentence("cli.explain.crowned", language))
    after = sentence("cli.explain.next", language, fen=position.play(move).fen)
    return "\n".join([page.paragraph(" ".join(parts + notes)), "", page.paragraph(after, hang=2)])
