"""The lens: one position under every rulebook of its board, and the clauses that part them."""

from damas.answers import words
from damas.answers.moves import move_object
from damas.errors import IllegalSetup, NotationError
from damas.game import Position
from damas.game.lens import Causes, View, compare, same_board
from damas.rules import Rulebook, rulebooks


def readers() -> list[Rulebook]:
    """The rulebooks that read a position if none is named: the first one of each board."""
    first_of_board: dict[tuple[int, str], Rulebook] = {}
    for book in rulebooks():
        first_of_board.setdefault((book.size.value, book.squares.value), book)
    return list(first_of_board.values())


def read_under(fen: str, readers: list[Rulebook]) -> Position:
    """The position as the first of the rulebooks that can read it does."""
    errors: list[NotationError | IllegalSetup] = []
    for book in readers:
        try:
            return Position.from_fen(fen, book)
        except (NotationError, IllegalSetup) as error:
            errors.append(error)
    raise min(errors, key=lambda error: len(error.problems))


def groups_of(position: Position) -> list[list[View]]:
    """The rulebooks of the board, together where they allow the same moves; the position's own first."""
    own = position.rulebook
    books = [own, *(book for book in rulebooks() if book is not own and same_board(book, own))]
    groups: dict[frozenset[object], list[View]] = {}
    for view in compare(position, books):
        groups.setdefault(frozenset(view.moves), []).append(view)
    return list(groups.values())


def lens(position: Position, language: str) -> dict[str, object]:
    """What `damas compare --json` says about a position."""
    groups = groups_of(position)
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
