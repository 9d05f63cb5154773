"""The rules pages show the cases of their rulebooks: every article a position, every game as it ends."""

import pytest

from damas import Position, rulebook
from damas.rules import articles, rulebook_ids
from damas.rules.about import about
from damas.rules.cases import Case, cases
from damas.server.learning.example import examples
from damas.server.learning.views import example_frames, example_views
from damas.views import plain

PLAYED = [
    pytest.param(book_id, example.case, id=f"{book_id}-{example.case.article}-{example.case.name}")
    for book_id in rulebook_ids()
    for example in examples(book_id)
    if example.case.moves
]


@pytest.mark.parametrize(("book_id", "case"), PLAYED)
def test_a_game_is_shown_move_by_move_to_its_end(book_id: str, case: Case) -> None:
    frames = plain(example_frames(book_id, case.article, case.name, "en"))
    results = {frame["ply"]: frame["outcome"]["result"] if frame["outcome"] else "*" for frame in frames}
    assert {ply: results[int(ply)] for ply in case.expect} == case.expect
    assert frames[0]["fen"] == Position.from_fen(case.position, book_id).fen
    assert len(frames) == 1 + len(case.moves or ())
    last = frames[-1]["outcome"]
    if case.law or case.reason:
        assert last is not None
        assert case.law in ("", last["rule"])
        assert case.reason in ("", last["reason"])


@pytest.mark.parametrize("book_id", [id_ for id_ in rulebook_ids() if about(id_).document])
def test_every_article_of_the_documents_has_a_live_position(book_id: str) -> None:
    shown = {view.article for view in example_views(book_id)}
    statements = {
        article.id for article in articles(rulebook(book_id)).by_id.values() if not article.is_reading
    }
    assert statements <= shown


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_every_case_of_the_page_is_shown_beside_its_articles(book_id: str) -> None:
    of_cases = {
        (article, case.name)
        for case in cases(book_id).cases
        if case.page
        for article in (case.article, *case.also)
    }
    views = example_views(book_id)
    assert {(view.article, view.name) for view in views if not view.lesson} == of_cases
    assert all(view.view.pieces for view in views)


def test_there_are_many() -> None:
    assert sum(len(example_views(book_id)) for book_id in rulebook_ids()) >= 560
