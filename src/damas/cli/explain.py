"""`damas explain`: may this move be played, and if not, by which article."""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from damas.answers.explain import (
    alternatives,
    article_text,
    explanation,
    passed_uncrowned,
    uncrowned_sentence,
)
from damas.answers.words import article, squares
from damas.cli import page
from damas.cli.answers import REFUSED, answer_lines, print_json, to_json
from damas.cli.arguments import add_position, book_of, position_of, readable
from damas.cli.moves import listing
from damas.errors import NotationError
from damas.game import Move, Position, refusal
from damas.language import sentence
from damas.notation import read_hint
from damas.notation.schemes import bottom_left_move


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.add_argument(
        "move",
        type=readable,
        nargs="+",
        metavar="MOVE",
        help="in letters, numbers or rows and columns: c3xe5xg7",
    )


def run(options: argparse.Namespace) -> int:
    book = book_of(options)
    move = " ".join(options.move)  # rows and columns have a space: 2,2 3,3

    def answer(position: Position) -> dict[str, Any]:
        return explanation(position, move, options.language)

    if options.fen == "-":
        unreadable = False

        def line(fen: str) -> str:
            nonlocal unreadable
            told = answer(Position.from_fen(fen, book))
            unreadable |= _is_unreadable(told)
            return to_json(told)

        return answer_lines(line, options.language) or (REFUSED if unreadable else 0)
    position = position_of(options, book)
    if not options.json:
        print(_text(position, move, options.language))
        return 0
    told = answer(position)
    print_json(told)
    if not _is_unreadable(told):
        return 0
    # What cannot be read is refused in the answer, and bad input besides.
    print(f"damas: {told['refusal']['message']}", file=sys.stderr)
    return REFUSED


def _is_unreadable(told: dict[str, Any]) -> bool:
    return told["refusal"] is not None and told["refusal"]["code"] == NotationError.code


def _text(position: Position, tried: str, language: str) -> str:
    why = refusal(position, tried)
    notes = list(_notes(position, tried, language))
    if why is None:
        return _legal(position, position.parse(tried), notes, language)
    lines = [page.paragraph(replace(why, legal=()).sentence(language))]
    if text := article_text(position, why, language):
        lines += ["", page.paragraph(f"{article(why.citation, language)}: {text}", indent=2, hang=2)]
    if why.further:
        lines += ["", page.heading(sentence("cli.explain.also", language))]
        lines += [page.paragraph(other.sentence(language), indent=2, hang=2) for other in why.further]
    lines += [line for note in notes for line in ("", page.paragraph(note))]
    if hint := read_hint(position, tried):
        lines += ["", page.paragraph(hint.sentence(language))]
    if instead := alternatives(position, why):
        title = page.heading(sentence("cli.explain.alternatives", language))
        lines += ["", title, listing(position, instead, language)]
    return "\n".join(lines)


def _notes(position: Position, tried: str, language: str) -> Iterator[str]:
    """In which scheme a text was read, where it is not the rulebook's own or could be another; and that a man which
    only passes the last row stays one.
    """
    book = position.rulebook
    found, named, scheme = position.read(tried)
    assert named
    other = bottom_left_move(position, tried)
    if scheme != book.move_text or (other and other not in found):
        kind = book.first_number if scheme == "numbers" else scheme
        meant = " ".join(book.move_names[square] for square in named)
        yield sentence(f"cli.explain.read.{kind}", language, tried=tried, squares=meant)
    if passed := passed_uncrowned(position, tried):
        yield uncrowned_sentence(passed, position, language)


def _legal(position: Position, move: Move, notes: list[str], language: str) -> str:
    book = position.rulebook
    names = book.move_names
    facts: dict[str, object] = {"from": names[move.origin], "to": names[move.destination]}
    said = [sentence("cli.explain.legal", language, move=move.text)]
    if move.is_capture:
        taken = squares(book, move.captured)
        said.append(
            sentence("cli.explain.capture", language, count=len(move.captured), squares=taken, **facts)
        )
        said.append(
            sentence("cli.explain.route", language, route=" ".join(names[square] for square in move.route))
        )
    else:
        said.append(sentence("cli.explain.step", language, **facts))
    if move.promotes:
        said.append(sentence("cli.explain.crowned", language))
    said += notes
    after = sentence("cli.explain.next", language, fen=position.play(move).fen)
    return "\n".join([page.paragraph(" ".join(said)), "", page.paragraph(after, hang=2)])
