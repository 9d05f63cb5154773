"""May a move be played, and if not, by which article: one answer for page, API and command line."""

from damas.answers.errors import error_object
from damas.answers.moves import move_object
from damas.board import Square
from damas.errors import Citation, NotationError, Refusal
from damas.game import Move, Position, refusal
from damas.game.explain import left_uncrowned
from damas.language import sentence
from damas.notation import Hint, read_hint
from damas.rules import articles


def explanation(position: Position, tried: str, language: str) -> dict[str, object]:
    """What `damas explain --json` says about a move: legal and where it leads, or refused and what may be played."""
    book = position.rulebook
    scheme = position.read(tried)[2]
    answer: dict[str, object] = {"rulebook": book.id, "fen": position.fen, "tried": tried, "scheme": scheme}
    try:
        why = refusal(position, tried)
    except NotationError as error:
        return {**answer, "legal": False, **_unreadable(position, tried, error, language)}
    answer = {
        **answer,
        "legal": why is None,
        "not_crowned": _uncrowned_object(passed_uncrowned(position, tried), position, language),
    }
    if why is None:
        move = position.parse(tried)
        return {
            **answer,
            "move": move_object(move, book.square_names),
            "after": position.play(move).fen,
            "refusal": None,
        }
    return {
        **answer,
        "refusal": why.as_json(language),
        "article_text": article_text(position, why, language),
        "alternatives": [move_object(move, book.square_names) for move in alternatives(position, why)],
        "hint": _hint_object(read_hint(position, tried), language),
    }


def _unreadable(position: Position, tried: str, error: NotationError, language: str) -> dict[str, object]:
    """A text that is no move at all, answered as any other refusal: every legal move may be played instead."""
    legal = list(position.legal_moves)
    why = {
        "code": error.code,
        "rulebook": position.rulebook.id,
        "article": "",
        "article_id": "",
        "tried": tried,
        "legal": [move.text for move in legal],
        "also": [],
    }
    return {
        "not_crowned": None,
        "refusal": {**why, **error_object(error, language)},
        "article_text": "",
        "alternatives": [move_object(move, position.rulebook.square_names) for move in legal],
        "hint": None,
    }


def alternatives(position: Position, why: Refusal) -> list[Move]:
    """The moves the refusal names, every route of theirs."""
    named = set(why.legal)
    meant = {move for move in position.routes() if move.text in named}
    return [move for move in position.routes() if move in meant]


def passed_uncrowned(position: Position, tried: str) -> tuple[Square, Citation] | None:
    """Of a legal move by its whole route, of any other by the squares it names."""
    found, named, _ = position.read(tried)
    moves = [move for move in found if isinstance(move, Move)]
    return left_uncrowned(position, moves[0].route if len(moves) == 1 else named or ())


def _uncrowned_object(
    passed: tuple[Square, Citation] | None, position: Position, language: str
) -> dict[str, object] | None:
    if passed is None:
        return None
    square, citation = passed
    return {
        "square": position.rulebook.square_names[square],
        "article": citation.article,
        "article_id": citation.id,
        "message": uncrowned_sentence(passed, position, language),
    }


def uncrowned_sentence(passed: tuple[Square, Citation], position: Position, language: str) -> str:
    square, citation = passed
    name = position.rulebook.move_names[square]
    return sentence("cli.explain.passes", language, square=name, article=citation.sentence(language))


def _hint_object(hint: Hint | None, language: str) -> dict[str, object] | None:
    if hint is None:
        return None
    return {"scheme": hint.scheme, "move": hint.move.text, "message": hint.sentence(language)}


def article_text(position: Position, why: Refusal, language: str) -> str:
    """What the article says, in our words; empty where house rules bring no text."""
    found = articles(position.rulebook).by_id.get(why.citation.id)
    return found.text[language] if found else ""
