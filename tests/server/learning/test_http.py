"""What the pages of this room ask the server for, and what is kept for a visitor without an account."""

import re
from itertools import cycle
from typing import Any

import httpx
import pytest

from damas.game import Position
from damas.language import LANGUAGES
from damas.rules import articles, rulebook, rulebook_ids
from damas.server.learning.course import courses, lessons, lessons_of
from damas.server.learning.ending import ENDINGS, books_with_endings, endings_of
from damas.server.learning.glossary import glossary
from damas.server.learning.puzzle import load


async def test_progress_is_kept_for_whoever_has_the_cookie(web: httpx.AsyncClient) -> None:
    sent = {"progress": {"lesson.dama": {"done": [0, 1]}, "puzzles.brasileira": {"streak": 3}}}
    assert (await web.post("/api/progress", json=sent)).json() == {"ok": True}
    assert (await web.get("/api/progress")).json() == sent
    web.cookies.clear()
    await web.get("/learn", headers={"Accept": "text/html"})
    assert (await web.get("/api/progress")).json() == {"progress": {}}


@pytest.mark.parametrize(
    "body",
    [
        {"progress": {"no point": 1}},
        {"progress": {f"lesson.n{number}": 1 for number in range(300)}},
        {"progress": {"lesson.dama": "x" * 70_000}},
        {"more": {}},
        {"progress": {"lesson.none": 1}},
        {"progress": {"puzzles.none": 1}},
    ],
)
async def test_progress_that_is_no_progress_is_refused(web: httpx.AsyncClient, body: dict[str, Any]) -> None:
    answer = await web.post("/api/progress", json=body)
    assert answer.status_code in (400, 404, 413)
    assert answer.json()["error"]["message"]


async def test_every_lesson_is_served(web: httpx.AsyncClient) -> None:
    """The languages in turn, each for a quarter of the lessons."""
    for (name, lesson), language in zip(lessons().items(), cycle(LANGUAGES), strict=False):
        assert (await web.get(f"/learn/{name}")).status_code == 200
        reply = (await web.get(f"/api/lessons/{name}?lang={language}")).json()
        assert reply["title"] == lesson.title[language]
        assert len(reply["step"]) == len(lesson.step)
        assert all(step["text"] for step in reply["step"])
    assert (await web.get("/api/lessons/none")).status_code == 404
    assert (await web.get("/learn/none")).status_code == 404


async def test_every_course_has_a_page_with_its_lessons(web: httpx.AsyncClient) -> None:
    for name in courses():
        page = (await web.get(f"/learn/{name}")).text
        assert [lesson.id for lesson in lessons_of(name) if f'data-lesson="{lesson.id}"' not in page] == []
        assert f'href="/learn/{name}"' in (await web.get(f"/rules/{name}")).text
    assert "/learn/turca" not in (await web.get("/rules/turca")).text


async def test_a_visitor_begins_with_the_course_of_the_language(web: httpx.AsyncClient) -> None:
    for language, course in {"pt-BR": "brasileira", "pt-PT": "portuguesa"}.items():
        page = (await web.get(f"/learn?lang={language}")).text
        assert f'data-course="{course}"' in page
    spanish = (await web.get("/learn?lang=es")).text
    assert 'data-course=""' in spanish
    assert spanish.index('data-testid="offer-espanhola"') < spanish.index('data-testid="offer-concurso"')
    assert 'data-testid="offer-brasileira"' not in spanish


async def test_progress_in_a_lesson_that_has_become_a_course_is_still_kept(web: httpx.AsyncClient) -> None:
    sent = {"progress": {"lesson.portuguesa": {"done": [0]}, "lesson.lei-da-maioria": {"done": [0, 1]}}}
    assert (await web.post("/api/progress", json=sent)).json() == {"ok": True}
    assert (await web.get("/api/progress")).json() == sent


async def test_the_glossary_speaks_every_language_and_its_links_lead_somewhere(
    web: httpx.AsyncClient,
) -> None:
    addresses: set[str] = set()
    for language in ("pt-BR", "pt-PT", "es", "en"):
        page = (await web.get(f"/glossary?lang={language}")).text
        assert all(f">{entry.word[language]}</dt>" in page for entry in glossary())
        addresses |= set(re.findall(r'href="(/(?:rules|learn)/[^"]+)"', page))
    assert len(addresses) > 60
    pages = {path: (await web.get(path)) for path in {address.partition("#")[0] for address in addresses}}
    assert {path for path, page in pages.items() if page.status_code != 200} == set()
    for path, _, article in (address.partition("#") for address in addresses):
        assert not article or f'id="{article}"' in pages[path].text
    for path in ("/learn", "/rules", "/rules/faraes"):
        assert 'href="/glossary"' in (await web.get(path)).text


async def test_every_rulebook_has_a_page_with_its_articles(web: httpx.AsyncClient) -> None:
    for name in rulebook_ids():
        page = await web.get(f"/rules/{name}")
        assert page.status_code == 200
        for view in (await web.get(f"/api/examples/{name}")).json():
            assert f'id="{view["article"]}"' in page.text
    assert (await web.get("/rules/brazilian")).headers["location"] == "/rules/brasileira"
    assert (await web.get("/rules/none")).status_code == 404
    assert (await web.get("/api/examples/faraes/002-12/none")).status_code == 404


async def test_the_page_of_a_rulebook_credits_its_authors_and_shows_no_ids(web: httpx.AsyncClient) -> None:
    for name in rulebook_ids():
        page = (await web.get(f"/rules/{name}?lang=pt-PT")).text
        words = re.sub(r"<[^>]*>", " ", page[page.index("<main") : page.index("</main>")])
        assert not re.findall(r"\b[BC]\.\w+-\w+|\b00[0-4]-\w+", words), name
    concurso = (await web.get("/rules/concurso?lang=es")).text
    for author in articles(rulebook("concurso")).authors:
        assert author in concurso
    assert "«concurso» es nombre nuestro" in concurso
    assert "«escolar» é nome nosso" in (await web.get("/rules/faraes?lang=pt-PT")).text


async def test_a_puzzle_and_how_it_went(web: httpx.AsyncClient) -> None:
    puzzle = next(iter(load("brasileira")))
    view = (await web.get(f"/api/puzzles/brasileira/{puzzle.id}")).json()
    assert view["line"] == list(puzzle.line)
    assert (view["rating"], view["goal"]) == (puzzle.rating, "gain")
    assert (await web.post(f"/api/puzzles/brasileira/{puzzle.id}", json={"solved": True})).json() == {
        "ok": True,
        "rating": None,
        "change": 0,
    }
    assert (await web.get("/api/puzzles/brasileira/none")).status_code == 404
    assert (await web.post("/api/puzzles/brasileira/none", json={"solved": True})).status_code == 404
    assert (await web.get("/api/puzzles/turca")).status_code == 404


async def test_puzzles_are_listed_page_by_page(web: httpx.AsyncClient) -> None:
    """Of a motif and between two ratings, those nearest to a rating first; what is no number is ignored."""
    sheet = load("brasileira")
    query = {"motif": "majority", "min": "850", "max": "1250", "near": "1000"}
    pages: list[dict[str, Any]] = []
    while not pages or pages[-1]["puzzles"]:
        asked = {**query, "page": str(len(pages))}
        pages.append((await web.get("/api/puzzles/brasileira", params=asked)).json())
    listed = [entry for page in pages for entry in page["puzzles"]]
    assert [entry["id"] for entry in listed] == [
        entry.id for entry in sheet.matching("majority", 850, 1250, near=1000)
    ]
    assert len(pages) > 2
    assert {page["matching"] for page in pages} == {len(listed)}
    assert {page["total"] for page in pages} == {len(sheet)}
    assert pages[0]["motifs"] == sheet.motifs
    assert not {"line", "fen", "frames"} & set(listed[0])
    everything = await web.get("/api/puzzles/brasileira", params={"min": "many", "page": "-1"})
    assert everything.json()["matching"] == len(sheet)
    assert len(everything.content) < 10_000
    assert (await web.get("/api/puzzles/brasileira?motif=none")).json()["puzzles"] == []


async def test_a_sample_of_puzzles_comes_once(web: httpx.AsyncClient) -> None:
    """Each as it comes alone, with the position after every move that solves it; a second time only if they have changed."""
    answer = await web.get("/api/puzzles/portuguesa/sample")
    sample = {puzzle["id"]: puzzle for puzzle in answer.json()["puzzles"]}
    assert list(sample) == [puzzle.id for puzzle in load("portuguesa").sample()]
    assert len(sample) == 100
    also = [puzzle for puzzle in sample.values() if puzzle["also"]]
    assert also and all(set(puzzle["also_frames"]) == set(puzzle["also"]) for puzzle in also)
    for puzzle in (also[0], *list(sample.values())[:3]):
        assert (await web.get(f"/api/puzzles/portuguesa/{puzzle['id']}")).json() == puzzle
    frame = also[0]["also_frames"][also[0]["also"][0]]
    assert frame["last"]["text"] == also[0]["also"][0]
    again = await web.get("/api/puzzles/portuguesa/sample", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert int(answer.headers["content-length"]) < 100_000  # as it travels
    assert (await web.get("/api/puzzles/turca/sample")).status_code == 404


async def test_a_drill_has_positions_in_which_something_must_be_captured(web: httpx.AsyncClient) -> None:
    for book in rulebook_ids():
        reply = (await web.get(f"/api/drills/{book}?seed=7")).json()
        assert (reply["rulebook"], reply["seed"], len(reply["positions"])) == (book, 7, 20)
        simple = 0
        for view in reply["positions"]:
            legal = Position.from_fen(view["fen"], book).legal_moves
            assert [move["text"] for move in view["legal"]] == [move.text for move in legal]
            assert view["must_capture"] and all(move.captured for move in legal)
            simple += len(legal) == len(legal[0].captured) == 1
        assert simple <= 4, "most are worth counting"
    path = "/api/drills/brasileira"
    assert (await web.get(f"{path}?seed=7")).json() == (await web.get(f"{path}?seed=7")).json()
    assert (await web.get(f"{path}?seed=8")).json() != (await web.get(f"{path}?seed=7")).json()
    assert (await web.get("/api/drills/xadrez")).status_code == 404


async def test_the_best_scores_of_two_devices_become_one(web: httpx.AsyncClient) -> None:
    for best in ({"find-30": 7, "count-ten": 9}, {"find-30": 12}, {"find-30": 3}):
        sent = {"progress": {"drills.portuguesa": {"best": best}}}
        assert (await web.post("/api/progress", json=sent)).status_code == 200
    kept = (await web.get("/api/progress")).json()["progress"]
    assert kept == {"drills.portuguesa": {"best": {"find-30": 12, "count-ten": 9}}}
    assert (await web.post("/api/progress", json={"progress": {"drills.none": {}}})).status_code == 404


@pytest.mark.parametrize("chosen", ENDINGS, ids=lambda chosen: chosen.id)
async def test_an_ending_can_be_reached_and_is_defended(web: httpx.AsyncClient, chosen: Any) -> None:
    book = next(name for name in books_with_endings() if chosen in endings_of(name))
    query = {"rulebook": book, "ending": chosen.id, "seed": 7}
    given = (await web.post("/api/endings", json=query)).json()
    assert given == (await web.post("/api/endings", json=query)).json()
    assert given["verdict"]["value"] == chosen.goal
    position = Position.from_fen(given["fen"], book)
    best = given["verdict"]["moves"][0]["text"]
    assert best in {move.text for move in position.legal_moves}
    reply = (
        await web.post("/api/endings/reply", json={"rulebook": book, "fen": given["fen"], "moves": [best]})
    ).json()
    assert reply["kept"]
    assert reply["played"] == best
    if not reply["view"]["outcome"]:
        assert reply["verdict"]["value"] == chosen.goal
        position.play(best).parse(reply["reply"])


async def test_a_slip_is_told(web: httpx.AsyncClient) -> None:
    given = (
        await web.post("/api/endings", json={"rulebook": "faraes", "ending": "three-kings", "seed": 1})
    ).json()
    slips = [move["text"] for move in given["verdict"]["moves"] if move["value"] != "win"]
    sent = {"rulebook": "faraes", "fen": given["fen"], "moves": [slips[0]]}
    reply = (await web.post("/api/endings/reply", json=sent)).json()
    assert reply["kept"] is False
    assert reply["best"]["value"] == "win"


async def test_an_ending_that_is_none_is_refused(web: httpx.AsyncClient) -> None:
    for query in ({"rulebook": "turca", "ending": "three-kings"}, {"rulebook": "faraes", "ending": "none"}):
        assert (await web.post("/api/endings", json=query)).status_code == 404
    bad = {"rulebook": "faraes", "fen": "W:WKa1:BKh8", "moves": ["a1-a2"]}
    assert (await web.post("/api/endings/reply", json=bad)).status_code == 400


async def test_two_rulebooks_are_compared(web: httpx.AsyncClient) -> None:
    reply = (await web.get("/api/difference/faraes/portuguesa")).json()
    assert {row["key"] for row in reply["switches"]} >= {"men_capture_backward", "capture_priority", "corner"}
