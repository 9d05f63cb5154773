"""Every refusal is derived from the rules: on random positions and attempts its claim is checked by other means."""

import os
from collections import Counter
from functools import cache
from random import Random

import pytest

from damas import (
    AmbiguousMove,
    DamasError,
    GameOver,
    IllegalMove,
    NotYourTurn,
    Piece,
    Position,
    Refusal,
    refusal,
    rulebook,
)
from damas.game.explain import CODES
from damas.language import LANGUAGES
from damas.rules import articles, rulebook_ids
from differential import competing
from oracle.board import read_fen
from oracle.books import BOOKS
from oracle.hostile import positions as hostile
from properties.attempts import attempts
from properties.claims import CLAIMS, Attempt, legal

COUNT = int(os.environ.get("DAMAS_REFUSALS", "50"))


RARE = {
    # Captures that only the last law of italiana tells apart.
    "italiana": (
        "W:WK11,K20:BK5,6,7,13,15,16,22,23",
        "W:WK9,11,20,K26,27:BK13,16,21,K22,23",
        "B:WK7,K8,K14,21,22,29:BK11,K23,K26,K31",
    ),
    # Pieces leave at once, so that only the law stands in the way back.
    "turca": ("W:WKd4:Bb4,f4", "W:WKe5:Bb5,e3,h5", "B:WKc2,c7,f4:BKc4"),
}


@cache
def survey(book_id: str) -> tuple[Counter[str], list[str]]:
    """How often each code was given first, and everything found wrong."""
    dice = Random(f"refusals:{book_id}")
    book = BOOKS[book_id]
    given: Counter[str] = Counter()
    wrong: list[str] = []
    count = COUNT if book.size == 8 else COUNT // 2  # crowds of kings on great boards take the oracle seconds
    rivals = competing.stored()[book_id][: count // 4]
    for fen in (*hostile(book_id, 31, count), *rivals, *RARE.get(book_id, ())):
        position, seen = Position.from_fen(fen, book_id), read_fen(book, fen)
        for text in attempts(position, dice):
            try:
                why = refusal(position, text)
                given[why.code if why else "legal"] += 1
                if why is None:
                    assert allowed(position, text), "not refused, and yet not legal"
                else:
                    examined(position, Attempt(book, seen, text, why))
            except (AssertionError, DamasError) as error:
                wrong.append(f"{book_id} {fen} {text}: {why and (why.code, why.facts, why.also)}: {error!r}")
            except Exception as error:
                error.add_note(f"{book_id} {fen} {text}")
                raise
    return given, wrong


def examined(position: Position, attempt: Attempt) -> None:
    """What the refusal claims is true, it is well said, and the attempt is not legal in spite of it."""
    why = attempt.refusal
    CLAIMS[why.code](attempt)
    well_formed(position, why)
    if why.code != "AMBIGUOUS":
        routes = [[move.origin, *move.route] for move in legal(attempt.book, attempt.position)]
        assert attempt.squares not in routes, "it is legal"


def allowed(position: Position, text: str) -> bool:
    """Whether the text names the ends of the legal move it is read as."""
    move = position.parse(text)
    names = position.rulebook.square_names
    squares = text.replace("x", "-").split("-")
    return move in position.legal_moves and [names[move.origin], names[move.destination]] == [
        squares[0],
        squares[-1],
    ]


def well_formed(position: Position, why: Refusal) -> None:
    """Alternatives are legal, codes are known, the article exists, every language can say it."""
    for text in why.legal:
        assert position.parse(text) in position.legal_moves, f"offered {text}"
    assert bool(why.legal) == bool(position.legal_moves)
    assert all(isinstance(fact, str | int | Piece) for fact in why.facts.values()), "no plain facts"
    assert {why.code, *why.also} <= set(CODES)
    assert why.code not in why.also
    assert all(CODES.index(code) > CODES.index(why.code) for code in why.also)
    if why.citation.id:
        assert why.citation.id in articles(position.rulebook).by_id
    for language in LANGUAGES:
        assert "{" not in why.sentence(language)


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_every_claim_holds(book_id: str) -> None:
    given, wrong = survey(book_id)
    assert not wrong, "\n".join(wrong[:10])
    assert sum(given.values()) > 500


def test_every_code_is_checked() -> None:
    assert set(CLAIMS) == set(CODES)


def test_every_code_is_given_first_somewhere() -> None:
    given = sum((survey(book_id)[0] for book_id in rulebook_ids()), Counter())
    assert not set(CODES) - set(given), {code: given[code] for code in CODES}


KINDS = {"AMBIGUOUS": AmbiguousMove, "NOT_YOUR_TURN": NotYourTurn, "GAME_OVER": GameOver}


@pytest.mark.parametrize("book_id", ["brasileira", "portuguesa", "concurso"])
def test_parsing_raises_the_same_refusal(book_id: str) -> None:
    dice = Random(f"raised:{book_id}")
    for fen in hostile(book_id, 32, 10):
        position = Position.from_fen(fen, book_id)
        for text in attempts(position, dice):
            why = refusal(position, text)
            if why is None:
                continue
            with pytest.raises(KINDS.get(why.code, IllegalMove)) as caught:
                position.parse(text)
            assert caught.value.refusal == why
            assert caught.value.code == why.code
            assert str(caught.value) == why.sentence("en")


def test_house_rules_are_refused_by_their_own_articles() -> None:
    assert rulebook("oficial").king_landing.article == "001-4.4"
    why = refusal(Position.from_fen("W:WKa1:Bd4", "oficial"), "a1xf6")
    assert why is not None
    assert (why.code, why.citation.article, why.citation.id) == ("MUST_STOP_BEHIND", "§4", "001-4.4")
