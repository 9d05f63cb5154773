"""What the browser prints and what is downloaded as PDF: the same paper, in the visitor's language."""

import asyncio
import re
from html import unescape

import pytest

from damas.language import LANGUAGES
from paper.printed import Printed, squeezed
from server.rooms.clients import Person
from server.rooms.test_arbiter import pair
from server.share.test_files import MOVES, played


@pytest.fixture
async def ana(server) -> Person:
    return await server.person()


async def both(person: Person, address: str, language: str) -> tuple[str, Printed]:
    """The text of the page without its tags, and the PDF."""
    page = await person.http.get(f"{address}?lang={language}")
    assert page.status_code == 200 and page.headers["content-language"] == language
    assert "<style" not in page.text, "the policy of the pages forbids it"
    file = await person.http.get(f"{address}.pdf?lang={language}")
    assert file.status_code == 200 and file.headers["content-type"] == "application/pdf"
    assert re.fullmatch(r'attachment; filename="damas-[\w-]+\.pdf"', file.headers["content-disposition"])
    article = page.text.partition("<article")[2].partition("</article>")[0]
    article = re.sub(r"<(title|desc)\b.*?</\1>", "", article)
    return squeezed(unescape(re.sub(r"<[^>]*>", " ", article))), Printed(file.content)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_page_and_the_pdf_say_the_same(ana, language):
    game = await played(ana)
    for address in (
        f"/paper/scoresheet/{game}",
        f"/paper/certificate/{game}",
        "/paper/blank/portuguesa",
        "/paper/leaflet/concurso",
    ):
        page, printed = await both(ana, address, language)
        lines = [
            squeezed(line).lstrip("•")
            for text in printed.texts
            for line in text.rpartition("damas · ")[0].splitlines()
        ]
        assert len(lines) > 20
        assert [line for line in lines if line not in page and not line.isdecimal()] == [], (
            "only numbers of squares"
        )


async def test_a_scoresheet_and_a_certificate_are_those_of_the_game(ana):
    game = await played(ana, time="10+5")
    page, printed = await both(ana, f"/paper/scoresheet/{game}", "pt-BR")
    assert all(move in printed.squeezed and move in page for move in MOVES)
    assert "10min+5s" in page and "1-0" in page and "0-1" not in page
    certificate = (await ana.http.get(f"/api/games/{game}/certificate")).json()
    page, printed = await both(ana, f"/paper/certificate/{game}", "pt-BR")
    assert certificate["seal"] in page and certificate["seal"] in printed.squeezed
    assert f"/api/games/{game}/certificate" in page
    for side in ("white", "black"):  # two at one device write their names by hand
        assert certificate["players"][side]["name"] and certificate["players"][side]["name"] not in page


async def test_a_game_that_goes_on_has_a_scoresheet_and_no_certificate_yet(ana):
    game = await ana.create(kind="device")
    assert (await ana.http.get(f"/paper/scoresheet/{game}")).status_code == 200
    for address in (f"/paper/certificate/{game}", f"/paper/certificate/{game}.pdf"):
        answer = await ana.http.get(address)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "NOT_OVER")
    page = await ana.http.get(f"/paper/certificate/{game}", headers={"accept": "text/html"})
    assert page.status_code == 409 and "<h1" in page.text


@pytest.mark.parametrize(
    "address",
    ["leaflet/xadrez", "blank/xadrez.pdf", "scoresheet/nothere", "certificate/nothere.pdf", "cake/concurso"],
)
async def test_what_is_not_there_is_not_found(ana, address):
    assert (await ana.http.get(f"/paper/{address}")).status_code == 404


async def test_a_class_may_print_at_once(ana):
    """Whoever has to wait is served in turn and not refused."""
    addresses = [
        f"/paper/leaflet/{book}.pdf" for book in ("faraes", "oficial", "russa", "pool", "checa", "turca")
    ]
    answers = await asyncio.gather(*(ana.http.get(address) for address in addresses))
    assert [answer.status_code for answer in answers] == [200] * len(addresses)


async def test_a_corrected_position_stands_between_the_moves_of_the_score_sheet(server):
    game, link, white, black = await pair(server)
    arbiter = await (await server.person()).arbitrate(link)
    await white.move("c3-d4")
    await arbiter.until("moved")
    answer = await arbiter.intervene("position", "a mesa caiu", fen="B:Wd4,g1:Bf6,h8")
    assert answer["t"] == "ack"
    await black.until("corrected")
    await black.move("f6-g5")
    await arbiter.until("moved")
    page, printed = await both(await server.person(), f"/paper/scoresheet/{game}", "pt-BR")
    assert "amesacaiu" in page and "amesacaiu" in printed.squeezed
    assert page.index("c3-d4") < page.index("amesacaiu") < page.index("f6-g5")
