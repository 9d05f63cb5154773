"""The lens: one position under every rulebook of its board, and the clauses that part them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from damas.errors import Citation, IllegalSetup, NotationError
from damas.game import Move, Position
from damas.game.lens import Causes, View, compare, same_board
from damas.language import language_of
from damas.rules import Rulebook, rulebooks
from damas.views import words
from damas.views.moves import MoveView, move_view


@dataclass(frozen=True, slots=True)
class CitationView:
    """An article: as the text itself is cited, and our id of it."""

    article: str
    article_id: str


@dataclass(frozen=True, slots=True)
class ClauseView:
    """A rulebook's answer to one question."""

    rulebook: str
    value: Any
    answer: str
    articles: tuple[CitationView, ...]


@dataclass(frozen=True, slots=True)
class CauseView:
    """A question that two rulebooks answer differently."""

    switch: str
    question: str
    first: ClauseView
    second: ClauseView


@dataclass(frozen=True, slots=True)
class LensRulebookView:
    """A rulebook of a group: the position and its moves as it writes them, and why they differ from the first's."""

    id: str
    fen: str
    moves: tuple[str, ...]
    causes: tuple[tuple[CauseView, ...], ...]


@dataclass(frozen=True, slots=True)
class LensGroupView:
    """Rulebooks that allow the same moves."""

    count: int
    rulebooks: tuple[LensRulebookView, ...]
    moves: tuple[MoveView, ...]
    added: tuple[MoveView, ...]
    """Moves that the position's own rulebook does not allow."""
    missing: tuple[MoveView, ...]
    """Moves that only the position's own rulebook allows."""


@dataclass(frozen=True, slots=True)
class LensView:
    """One position under every rulebook of its board."""

    rulebook: str
    fen: str
    turn: str
    lang: str
    groups: tuple[LensGroupView, ...]
    pieces: dict[str, str]
    """Letters w, W, b, B by internal square: the same under every rulebook of the board, mirrored or not."""


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


def lens_view(position: Position, language: str) -> LensView:
    """The answer of `damas compare --json` and `POST /api/compare`."""
    own = position.rulebook
    groups = groups_of(position)
    first = dict.fromkeys(groups[0][0].moves)
    views = []
    for group in groups:
        head = group[0]
        names = head.rulebook.square_names
        added = [move for move in head.moves if move not in first]
        missing = [move for move in first if move not in head.moves]
        books = tuple(
            LensRulebookView(
                view.rulebook.id,
                view.position.fen,
                tuple(move.text for move in view.moves),
                cause_views(own, view.rulebook, view.causes, language),
            )
            for view in group
        )
        views.append(
            LensGroupView(
                len(head.moves),
                books,
                _moves(head.moves, names),
                _moves(added, names),
                _moves(missing, own.square_names),
            )
        )
    pieces = {str(square): letter for square, letter in enumerate(position.diagram) if letter != "."}
    return LensView(own.id, position.fen, position.turn.value, language, tuple(views), pieces)


def _moves(moves: Iterable[Move], names: tuple[str, ...]) -> tuple[MoveView, ...]:
    return tuple(move_view(move, names, squares=True) for move in moves)


def citation_view(citation: Citation) -> CitationView:
    """Where something is written."""
    return CitationView(citation.article, citation.id)


def clause_view(book: Rulebook, key: str, language: str) -> ClauseView:
    """A rulebook's answer to one question, with its articles."""
    clause = words.clause(book, key)
    articles = tuple(citation_view(citation) for citation in words.answer_citations(book, key))
    return ClauseView(
        book.id, clause.value, words.answer(key, clause.value, language_of(book.id, language)), articles
    )


def cause_views(
    first: Rulebook, second: Rulebook, causes: Causes, language: str
) -> tuple[tuple[CauseView, ...], ...]:
    """The sets of answers each of which explains a difference by itself."""
    return tuple(tuple(cause_view(first, second, key, language) for key in keys) for keys in causes)


def cause_view(first: Rulebook, second: Rulebook, key: str, language: str) -> CauseView:
    """One question that two rulebooks answer differently."""
    return CauseView(
        key,
        words.question(key, language),
        clause_view(first, key, language),
        clause_view(second, key, language),
    )
