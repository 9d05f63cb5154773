"""`damas compare`: the lens. One position under every rulebook of its board, and the clauses that part them."""

import argparse
from collections.abc import Iterable

from damas.cli import page, words
from damas.cli.answers import answer_lines, move_object, print_json, to_json
from damas.cli.arguments import DEFAULT_RULEBOOK, BadInput, add_rulebook, book_of, readable
from damas.cli.moves import title
from damas.cli.show import board
from damas.errors import IllegalSetup, NotationError
from damas.game import Move, Position
from damas.game.lens import Causes, View, compare, same_board
from damas.language import sentence
from damas.rules import Rulebook, rulebook, rulebooks

READERS = (DEFAULT_RULEBOOK, "internacional", "canadense", "turca")
"""Who reads a position if no rulebook is named: one for each board."""


def add(parser: argparse.ArgumentParser) -> None:
    add_rulebook(parser, default=None)
    parser.add_argument(
        "-f", "--fen", type=readable, dest="option_fen", metavar="FEN", help="the same as FEN"
    )
    parser.add_argument(
        "fen",
        type=readable,
        nargs="?",
        metavar="FEN",
        help="position in the notation of -r, otherwise of brasileira, or of internacional, canadense or turca where "
        "only their board has its squares; - answers each line of standard input",
    )


def run(options: argparse.Namespace) -> int:
    fen = options.fen if options.option_fen is None else options.option_fen
    if fen is None:
        raise BadInput('name a position, as in: damas compare "W:WKa1:Bd4,g5"')
    readers = [book_of(options)] if options.rulebook else [rulebook(name) for name in READERS]
    if fen == "-":
        return answer_lines(
            lambda text: to_json(_answer(read(text, readers), options.language)), options.language
        )
    position = read(fen, readers)
    if options.json:
        print_json(_answer(position, options.language))
    else:
        print(_text(position, options.language))
    return 0


def read(fen: str, readers: list[Rulebook]) -> Position:
    """The position as the first of the rulebooks that can read it does."""
    errors: list[NotationError | IllegalSetup] = []
    for book in readers:
        try:
            return Position.from_fen(fen, book)
        except (NotationError, IllegalSetup) as error:
            errors.append(error)
    raise min(errors, key=lambda error: len(error.problems))


def _groups(position: Position) -> list[list[View]]:
    """The rulebooks of the board, together where they allow the same moves; the position's own first."""
    own = position.rulebook
    books = [own, *(book for book in rulebooks() if book is not own and same_board(book, own))]
    groups: dict[frozenset[object], list[View]] = {}
    for view in compare(position, books):
        groups.setdefault(frozenset(view.moves), []).append(view)
    return list(groups.values())


def clause_object(book: Rulebook, key: str, language: str) -> dict[str, object]:
    """A rulebook's answer to one question, as scripts read it."""
    clause = words.clause(book, key)
    citations = words.citations(book, clause)
    value = list(clause.value) if isinstance(clause.value, tuple) else clause.value
    return {
        "rulebook": book.id,
        "value": value,
        "answer": words.answer(key, clause.value, language),
        "articles": [{"article": citation.article, "article_id": citation.id} for citation in citations],
    }


def cause_objects(
    first: Rulebook, second: Rulebook, causes: Causes, language: str
) -> list[list[dict[str, object]]]:
    return [
        [
            {
                "switch": key,
                "question": words.question(key, language),
                "first": clause_object(first, key, language),
                "second": clause_object(second, key, language),
            }
            for key in keys
        ]
        for keys in causes
    ]


def _answer(position: Position, language: str) -> dict[str, object]:
    groups = _groups(position)
    first = {move: move for move in groups[0][0].moves}
    answers = []
    for group in groups:
        head = group[0]
        names = head.rulebook.square_names
        rulebooks = [
            {
                "id": view.rulebook.id,
                "fen": view.position.fen,
                "moves": [move.text for move in view.moves],
                "causes": cause_objects(position.rulebook, view.rulebook, view.causes, language),
            }
            for view in group
        ]
        own = position.rulebook.square_names
        answers.append(
            {
                "count": len(head.moves),
                "rulebooks": rulebooks,
                "moves": [move_object(move, names) for move in head.moves],
                "added": [move_object(move, names) for move in head.moves if move not in first],
                "missing": [move_object(move, own) for move in first if move not in head.moves],
            }
        )
    return {
        "rulebook": position.rulebook.id,
        "fen": position.fen,
        "turn": position.turn.value,
        "lang": language,
        "groups": answers,
    }


def _text(position: Position, language: str) -> str:
    groups = _groups(position)
    lines = [title(position, language), "", board(position), ""]
    for group in groups:
        count = sentence("cli.lens.moves", language, count=len(group[0].moves))
        lines += [
            page.heading(count),
            _moves(group, language),
            *_reasons(position.rulebook, group, language),
            "",
        ]
    if len(groups) == 1:
        lines.append(page.paragraph(sentence("cli.lens.all_same", language)))
    return "\n".join(lines).rstrip()


def _moves(group: list[View], language: str) -> str:
    """The moves of a group, once for each way of writing them."""
    written: dict[str, list[str]] = {}
    for view in group:
        written.setdefault(move_line(view.moves) or sentence("cli.lens.none", language), []).append(
            view.rulebook.id
        )
    return page.table([(", ".join(ids), texts) for texts, ids in written.items()], indent=2)


def move_line(moves: Iterable[Move]) -> str:
    return "  ".join(move.text.replace(" ", page.KEPT) for move in sorted(moves, key=lambda move: move.route))


def _reasons(first: Rulebook, group: list[View], language: str) -> list[str]:
    """Why the moves of a group are not the first rulebook's; rulebooks with the same reason stand together."""
    reasons: dict[Causes, list[Rulebook]] = {}
    for view in group:
        if view.causes:
            reasons.setdefault(view.causes, []).append(view.rulebook)
    lines = []
    for causes, books in reasons.items():
        names = ", ".join(book.id for book in books) if len(reasons) > 1 else ""
        intro = sentence("cli.lens.differs", language, rulebook=first.id)
        lines += ["", page.paragraph(f"{names}: {intro}" if names else intro, indent=2)]
        lines.append(causes_text([first, *books], causes, language))
    return lines


def causes_text(books: list[Rulebook], causes: Causes, language: str) -> str:
    """The answers that part rulebooks, each with its article: those that are needed, then those of which one is enough."""
    needed = [key for key in causes[0] if all(key in keys for keys in causes)]
    either = [key for keys in causes for key in keys if key not in needed]
    blocks = [_question(books, key, language) for key in needed]
    if either:
        intro = sentence("cli.lens.either_too" if needed else "cli.lens.either", language)
        blocks += [page.paragraph(intro, indent=4), *(_question(books, key, language) for key in either)]
    return "\n".join(blocks)


def _question(books: list[Rulebook], key: str, language: str) -> str:
    rows = [words.answer_row(book, key, language) for book in books]
    said = [
        row if number == 0 or row[1] != rows[number - 1][1] else (row[0], "", row[2])
        for number, row in enumerate(rows)
    ]
    return "\n".join([page.paragraph(words.question(key, language), indent=4), page.table(said, indent=6)])
