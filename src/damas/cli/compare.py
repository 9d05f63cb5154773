"""`damas compare`: one position under every rulebook of its board, and the clauses that make the difference."""

import argparse
from collections.abc import Iterable

from damas.cli import page
from damas.cli.answers import answer_lines, print_answer, to_json
from damas.cli.arguments import BadInput, add_rulebook, book_of, readable
from damas.cli.moves import title
from damas.cli.show import board
from damas.game import Move, Position
from damas.game.lens import Causes, View
from damas.language import rulebook_word, sentence
from damas.rules import Rulebook
from damas.views import words
from damas.views.lens import groups_of, lens_view, read_under, readers


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_rulebook(parser, default=None)
    parser.add_argument(
        "-f", "--fen", type=readable, dest="option_fen", metavar="FEN", help="the same as FEN"
    )
    parser.add_argument(
        "fen",
        type=readable,
        nargs="?",
        metavar="FEN",
        help="position in the square names of -r; without -r in those of brasileira, or of internacional, canadense or "
        "turca if only their board has such squares; - answers each line of standard input",
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    fen = options.fen if options.option_fen is None else options.option_fen
    if fen is None:
        raise BadInput("cli.bad.position")
    books = [book_of(options)] if options.rulebook else readers()
    if fen == "-":
        return answer_lines(
            lambda text: to_json(lens_view(read_under(text, books), options.language)), options.language
        )
    position = read_under(fen, books)
    print_answer(
        options, lambda: lens_view(position, options.language), lambda: _text(position, options.language)
    )
    return 0


def _text(position: Position, language: str) -> str:
    groups = groups_of(position)
    lines = [title(position, language), "", board(position), ""]
    for group in groups:
        lines.append(page.heading(sentence("cli.lens.moves", language, count=len(group[0].moves))))
        lines += [_moves_table(group, language), *_reasons(position.rulebook, group, language), ""]
    if len(groups) == 1:
        lines.append(page.paragraph(sentence("cli.lens.all_same", language)))
    return "\n".join(lines).rstrip()


def _moves_table(group: list[View], language: str) -> str:
    """Tabulate a group's moves: one row per way of writing them, with the rulebooks that write them so."""
    ids_by_text: dict[str, list[str]] = {}
    for view in group:
        text = move_line(view.moves) or sentence("cli.lens.none", language)
        ids_by_text.setdefault(text, []).append(rulebook_word(view.rulebook.id, language))
    return page.table([(", ".join(ids), texts) for texts, ids in ids_by_text.items()], indent=2)


def move_line(moves: Iterable[Move]) -> str:
    """Moves on one line, ordered by their squares."""
    return "  ".join(
        move.text.replace(" ", page.NO_BREAK_SPACE) for move in sorted(moves, key=lambda move: move.route)
    )


def _reasons(first: Rulebook, group: list[View], language: str) -> list[str]:
    """Explain why a group's moves differ from the first rulebook's, grouping rulebooks by reason."""
    reasons: dict[Causes, list[Rulebook]] = {}
    for view in group:
        if view.causes:
            reasons.setdefault(view.causes, []).append(view.rulebook)
    lines = []
    for causes, books in reasons.items():
        names = ", ".join(rulebook_word(book.id, language) for book in books) if len(reasons) > 1 else ""
        intro = sentence("cli.lens.differs", language, rulebook=rulebook_word(first.id, language))
        lines += ["", page.paragraph(f"{names}: {intro}" if names else intro, indent=2)]
        lines.append(causes_text([first, *books], causes, language))
    return lines


def causes_text(books: list[Rulebook], causes: Causes, language: str) -> str:
    """List the clauses that differ, each with its article: first the necessary ones, then those of which one suffices."""
    needed = [key for key in causes[0] if all(key in keys for keys in causes)]
    either = [key for keys in causes for key in keys if key not in needed]
    blocks = [_question(books, key, language) for key in needed]
    if either:
        intro = sentence("cli.lens.either_too" if needed else "cli.lens.either", language)
        blocks += [page.paragraph(intro, indent=4), *(_question(books, key, language) for key in either)]
    return "\n".join(blocks)


def _question(books: list[Rulebook], key: str, language: str) -> str:
    rows = [words.answer_row(book, key, language) for book in books]
    cells = [
        row if number == 0 or row[1] != rows[number - 1][1] else (row[0], "", row[2])
        for number, row in enumerate(rows)
    ]
    return "\n".join([page.paragraph(words.question(key, language), indent=4), page.table(cells, indent=6)])
