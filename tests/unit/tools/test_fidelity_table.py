"""The page of fidelity has no empty place without a reason, and its names are names of something."""

import pytest
from fidelity_table import Row, keeper, problems, proving_tests, rows

from damas.rules import Article, rulebook, rulebook_ids
from damas.rules.about import about


def statement(*tags: str) -> Article:
    return Article("000-99", "Empate", tags, (), {})


def test_every_statement_of_the_documents_has_its_row():
    counts = {name: len(list(rows(rulebook(name)))) for name in rulebook_ids() if about(name).document}
    assert counts == {"brasileira": 33, "oficial": 38, "faraes": 26, "portuguesa": 58, "concurso": 18}


def test_an_empty_place_needs_a_reason():
    assert "nothing keeps, shows" in problems([Row(statement("ML"))])[0]
    assert "nothing proves" in problems([Row(statement("ML"), kept=["`moves.promotion`"])])[0]
    assert "kept_by" in problems([Row(statement("ML"), shown=["1 board"], proofs=["case `a`"])])[0]
    assert problems([Row(statement("ADV"), shown=["lesson `a` 1"], proofs=["lesson `a` 1"])]) == []
    assert problems([Row(statement("ML"), reason="Background.")]) == []


def test_what_keeps_a_statement_exists():
    book = rulebook("portuguesa")
    assert keeper(book, "moves.promotion") == "`moves.promotion` stops"
    assert keeper(book, "draw.forcada") == "`draw.forcada`"
    assert keeper(book, "drawing/pieces.py") == "`drawing/pieces.py`"
    for name in ("moves.cake", "draw.twenty-king-moves", "drawing/cake.py", "rulebook.xadrez"):
        with pytest.raises(SystemExit, match=name):
            keeper(book, name)


def test_a_test_proves_the_very_statement_it_names():
    """A longer id is another one. Ids are put together here, so that this test proves none."""
    address = "tests/arbiter/test_procedures.py::test_crowning_is_done_by_itself"
    assert address in proving_tests("003-" + "11d")
    assert not list(proving_tests("003-" + "11")) and not list(proving_tests("001-" + "1"))
