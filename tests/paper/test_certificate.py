"""Certificates on paper: what the text certificate says, with a diagram and the codes that prove it."""

import pytest

from damas.arbiter import ProcedureRefused, Table, events
from damas.judging.certificate import Certificate
from damas.language import LANGUAGES, language_of, sentence
from damas.paper.certificate import certificate_paper
from damas.paper.document import word
from damas.paper.pdf import pdf
from judging.test_certificate import FINISHED
from paper.printed import A4_MM, Printed, squeezed

ADDRESS = "https://damas.example/api/games/abc/certificate"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FINISHED)
def test_it_says_what_the_certificate_says(name, language):
    table = FINISHED[name]()
    language = language_of(table.book.id, language)
    certificate = Certificate(table)
    paper = Printed(pdf(certificate_paper(table, language, name="game", address=ADDRESS)))
    assert paper.sizes_mm == {A4_MM} and len(paper) == 1
    text = paper.squeezed
    printed_texts = [
        sentence("certificate.title", language),
        table.outcome.sentence(language),
        certificate.data["seal"],
        certificate.data["chain"],
        table.book.hash,
        table.position.fen,
        *(value for _, value in certificate.facts(language) if value != table.book.id),
        *certificate.deciding_events(language),
        *certificate.counts(language),
        *(move for _, moves in certificate.parts(language) for move in moves),
        word("verify_at", language, address=ADDRESS),
    ]
    assert [each for each in printed_texts if squeezed(each) not in text] == []


def test_a_long_certificate_has_the_seal_on_every_page():
    """Every offer and refusal of a draw is one of its lines."""
    table = Table.start("brasileira", "casual", ("Ana", "Rui"))
    for _ in range(40):
        mover, at = table.to_move, table.now + 1000
        table = table.apply(events.Offered(at, mover)).play(table.playable[0], at)
        table = table.apply(events.Declined(at, mover.other)) if table.offer else table
    table = table.apply(events.Resigned(table.now, table.to_move))
    paper = Printed(pdf(certificate_paper(table, "es", name="game")))
    seal = Certificate(table).data["seal"][:16]
    assert len(paper) >= 2
    for number, text in enumerate(paper.texts, start=1):
        assert f"Sello {seal}" in text and word("page", "es", page=number, pages=len(paper)) in text


def test_it_speaks_to_people():
    """The day as people write it, the rules by their name; what is not written down is said where it counts."""
    kings = {"fen": "W:WKa1,Kc1,Kg1:BKb8", "players": ("Ana", "Rui")}
    resigned = [
        table.apply(events.Resigned(5, table.to_move))
        for table in (Table.start("faraes", "school", **kings), Table.start("faraes", "club", **kings))
    ]
    texts = [
        Printed(pdf(certificate_paper(table, "pt-BR", name="game", date="2026.11.17"))).squeezed
        for table in resigned
    ]
    for text in texts:
        assert squeezed("17/11/2026") in text and squeezed("(faraes)") not in text
    assert [squeezed("o limite conta desde que") in text for text in texts] == [True, False]


def test_a_game_that_goes_on_has_none():
    with pytest.raises(ProcedureRefused):
        certificate_paper(Table.start("brasileira", "casual"), "en", name="game")
