"""A game that began under an earlier edition of a rulebook goes on under it."""

import pytest

from damas.arbiter import Table, replay
from damas.judging.certificate import Certificate, check
from damas.rules import rulebook, rulebook_ids
from damas.rules.library import earlier_editions, edition, from_source

EDITIONS = [(book_id, key) for book_id in rulebook_ids() for key in earlier_editions(book_id)]


@pytest.mark.parametrize(("book_id", "key"), EDITIONS)
def test_an_edition_has_the_hash_it_is_filed_under(book_id: str, key: str) -> None:
    book = edition(book_id, key)
    assert (book.id, book.hash) == (book_id, key) != (book_id, rulebook(book_id).hash)
    assert from_source(book.source) is book


def test_an_unknown_hash_is_todays_edition() -> None:
    assert edition("brasileira", "0") is rulebook("brasileira")


def test_a_game_of_the_first_edition_is_drawn_at_the_third_occurrence() -> None:
    first = edition("brasileira", "09dacc11b9ebdb2e")
    table = Table.start(first, "casual", fen="W:WKa1,Kg1:BKb8")
    for at, text in enumerate(["g1-h2", "b8-a7", "h2-g1", "a7-b8"] * 2):
        table = table.play(text, at)
    again = replay(table.events)
    assert again.book is first
    assert again.outcome is not None
    assert again.outcome.rule == "platform-threefold"
    certificate = Certificate(table)
    assert certificate.data["rulebook"] == {"id": "brasileira", "hash": first.hash, "rules": None}
    assert check(certificate.json) == []
