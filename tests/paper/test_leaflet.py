"""Leaflets page by page: every article and reading of a rulebook in our words, with diagrams, on a few sheets."""

import re

import pytest

from damas.language import LANGUAGES
from damas.paper.document import Diagram, Together, word
from damas.paper.leaflet import MAX_DIAGRAMS, leaflet
from damas.paper.pdf import DIAGRAM, FEW_LINES, built, pdf
from damas.rules import articles, rulebook, rulebook_ids
from damas.rules.about import about
from paper.printed import A4_MM, Printed, letters, squeezed

DOCUMENTS = [name for name in rulebook_ids() if about(name).document]
MAX_PAGES = 4


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_statement_and_reading_of_a_document_is_there_on_few_pages(name, language):
    book = rulebook(name)
    paper = Printed(pdf(leaflet(book, language)))
    assert 1 < len(paper) <= MAX_PAGES and paper.sizes_mm == {A4_MM}
    text = paper.squeezed
    entries = articles(book).by_id.values()
    assert [each.id for each in entries if letters(each.text[language]) not in letters(text)] == []
    readings = sum(each.is_reading for each in entries)
    assert text.count(squeezed(word("reading", language)) + ":") == readings, (
        "each is named a reading of ours"
    )
    for number, page in enumerate(paper.texts, start=1):
        assert word("page", language, page=number, pages=len(paper)) in page
        assert not re.search(r"\bB\.\d{3}-|\b00\d-\d", page), "our ids are for programmers"


def test_every_rulebook_has_a_leaflet():
    for name in rulebook_ids():
        assert len(Printed(pdf(leaflet(rulebook(name), "pt-BR")))) <= MAX_PAGES, name


def test_smaller_diagrams_save_a_last_page_with_a_few_lines():
    document = leaflet(rulebook("canadense"), "en")
    _, pages, filled = built((document,), DIAGRAM)
    assert pages == 3 and filled < FEW_LINES
    assert len(Printed(pdf(document))) == 2, "one sheet, printed on both sides"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_its_diagrams_are_cases_of_its_articles_with_the_moves_beneath(name):
    document = leaflet(rulebook(name), "pt-BR")
    blocks = [inner for block in document.body if isinstance(block, Together) for inner in block.blocks]
    diagrams = [block for block in blocks if isinstance(block, Diagram)]
    assert 6 <= len(diagrams) <= MAX_DIAGRAMS
    assert all(
        re.match(r"Jogam as (brancas|pretas): |Após o lance \d", diagram.caption) for diagram in diagrams
    )
    assert len({diagram.svg for diagram in diagrams}) == len(diagrams)


def test_a_platform_rule_stands_apart_from_the_text():
    text = "".join(Printed(pdf(leaflet(rulebook("concurso"), "es"))).texts)
    assert "Reglas de esta plataforma, no del documento" in text
    none = "".join(Printed(pdf(leaflet(rulebook("portuguesa"), "es"))).texts)
    assert "esta plataforma" not in none


def test_a_leaflet_bears_the_documents_own_name_credits_its_authors_and_lists_the_agreement():
    concurso = squeezed("".join(Printed(pdf(leaflet(rulebook("concurso"), "es"))).texts))
    authors = articles(rulebook("concurso")).authors
    assert len(authors) == 4
    assert all(squeezed(name) in concurso for name in authors)
    assert squeezed("nombre nuestro") in concurso
    classic = leaflet(rulebook("portuguesa"), "pt-PT")
    assert "Damas Clássicas" in classic.title
    for name in DOCUMENTS:
        text = "".join(Printed(pdf(leaflet(rulebook(name), "pt-PT"))).texts)
        assert ("Por acordo dos jogadores" in text) is rulebook(name).agreement.value, name


def test_a_board_stands_only_under_an_article_that_a_board_can_show():
    document = leaflet(rulebook("faraes"), "pt-BR")
    together = [block.blocks for block in document.body if isinstance(block, Together)]
    shown = {block.text for blocks in together if isinstance(blocks[-1], Diagram) for block in blocks[:-1]}
    conduct = [
        each.text["pt-BR"] for each in articles(rulebook("faraes")).by_id.values() if "CON" in each.tags
    ]
    assert conduct and not shown & set(conduct)
