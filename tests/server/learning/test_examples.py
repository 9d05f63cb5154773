"""Every live position shows its article: legal moves as stated, refusals by that rule, results at that ply."""

import pytest

from damas import Game, Position, refusal, rulebook
from damas.game import LETTER
from damas.rules import IDS, articles
from damas.server.learning.example import Example, examples
from damas.server.learning.views import example_frames, example_views

SEEDS = IDS[:5]
EXAMPLES = [
    pytest.param(book, example, id=f"{book}-{example.article}-{example.name}")
    for book in IDS
    for example in examples(book)
]
every_example = pytest.mark.parametrize(("book", "example"), EXAMPLES)


def position_of(book: str, example: Example) -> Position:
    return Position.from_fen(example.position, example.rulebook or book)


@every_example
def test_an_example_shows_its_article(book: str, example: Example) -> None:
    position = position_of(book, example)
    assert example.article in articles(rulebook(book)).by_id
    if example.legal:
        meant = {text: position.parse(text) for text in example.legal}
        assert set(meant.values()) == set(position.legal_moves)
        assert len(meant) == position.count_moves()
        assert {text for text, move in meant.items() if move.promotes} == {
            text for text in meant if text.endswith("=")
        }
    if example.start:
        assert position == Position.start(example.rulebook or book)
    if example.pieces:
        assert list(position.counts) == example.pieces
    for text, fen in example.leads_to.items():
        assert position.play(text) == Position.from_fen(fen, book)


@every_example
def test_refusals_are_by_the_rule_that_is_named(book: str, example: Example) -> None:
    position = position_of(book, example)
    for text, code in example.refused.items():
        why = refusal(position, text)
        assert why is not None, f"{text} is legal"
        assert why.code == code
        if example.cited:
            assert why.citation.id == example.article


@pytest.mark.parametrize(("book", "example"), [param for param in EXAMPLES if param.values[1].moves])
def test_games_end_as_stated(book: str, example: Example) -> None:
    shown = example_frames(book, example.article, example.name, "en")
    results = {0: "*"}
    game = Game.start(book, fen=example.position, recorded=example.recorded, customs=LETTER)
    for text in example.moves:
        if text == "claim":
            continue
        results[len(results)] = "*"
    for frame in shown:
        outcome = frame["outcome"]
        results[frame["ply"]] = outcome["result"] if outcome else "*"
    assert {ply: results[int(ply)] for ply in example.expect} == example.expect
    assert shown[0]["fen"] == game.position.fen
    last = shown[-1]["outcome"]
    if example.law or example.reason:
        assert last is not None
        assert example.law in ("", last["rule"])
        assert example.reason in ("", last["reason"])


@pytest.mark.parametrize("book", SEEDS)
def test_every_article_of_the_documents_has_a_live_position(book: str) -> None:
    shown = {view["article"] for view in example_views(book)}
    written = {article.id for article in articles(rulebook(book)).by_id.values() if not article.is_reading}
    assert written <= shown


@pytest.mark.parametrize("book", IDS)
def test_every_rulebook_has_live_positions(book: str) -> None:
    assert len(example_views(book)) >= 20
