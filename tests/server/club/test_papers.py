"""Papers of a tournament from the web app: every kind is a PDF, and its QR codes lead to this server."""

import pytest

from damas.paper.club_cards import CardLink
from damas.server.work.club import PAPERS, PaperOrder, paper
from damas.tournaments.hall import Conditions, Created, Entered, Person, Published, Scored, draft, replay
from server.club.people import Hall
from server.rooms.clients import Server


async def test_every_paper_is_printed(server: Server) -> None:
    hall = await Hall.open(server)
    await hall.start()
    await hall.do(hall.chief, "score", round=1, board=1, result="1-0")
    for kind in PAPERS:
        answer = await hall.chief.http.get(f"/club/{hall.id}/papers/{kind}.pdf?round=1")
        assert answer.status_code == 200, (kind, answer.text)
        assert answer.content.startswith(b"%PDF") and "attachment" in answer.headers["content-disposition"]
    for path in ("rooms.pdf", "slips.pdf?round=9", "pairings.pdf?round=0"):
        assert (await hall.chief.http.get(f"/club/{hall.id}/papers/{path}")).status_code in (400, 404)


async def test_before_the_first_round_there_is_nothing_to_print_but_cards(server: Server) -> None:
    hall = await Hall.open(server)
    codes = {
        kind: (await hall.chief.http.get(f"/club/{hall.id}/papers/{kind}.pdf")).status_code for kind in PAPERS
    }
    assert {kind for kind, code in codes.items() if code == 200} == {"cards", "table", "cross"}
    assert codes["diplomas"] == 404


@pytest.mark.parametrize("kind", ["slips", "cards"])
def test_the_codes_on_paper_lead_to_the_tournament(kind: str) -> None:
    people = Entered((Person("Ana"), Person("Rui")))
    state = replay([Created(Conditions("Open", "faraes", system="round-robin")), people])
    state = state.decide(draft(state)).decide(Published(1)).decide(Scored(1, 1, "1"))
    plain = paper(state, PaperOrder(kind, 1, "en", "x"))
    address = "http://192.168.0.5:8000/club/abcdefgh"
    coded = paper(state, PaperOrder(kind, 1, "en", "x", address, {"Ana": CardLink(address, "123456")}))
    assert plain and coded and len(coded[1]) > len(plain[1])
