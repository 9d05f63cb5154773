"""Studies over HTTP: what is written is read back, nobody overwrites unseen, and private ones are nobody else's."""

import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from damas.notation import read_study
from damas.server.settings import Limits
from server.conftest import PATIENT
from server.shared import code

ANA = {"name": "Ana", "password": "um cavalo sem sela"}
LINE: list[dict[str, Any]] = [
    {
        "text": "c3-d4",
        "nags": [1],
        "comments": ["Central {casa}\nporque sim; 100% 😀"],
        "commands": "[%cal Gc3d4]",
    },
    {
        "text": "f6-g5",
        "variations": [
            [{"text": "f6-e5", "comments": ["[%eval 1] perde"], "before": ["Não:"]}, {"text": "d4xf6"}]
        ],
    },
]
CHAPTER = {"rulebook": "brasileira", "title": "Um", "moves": LINE, "comments": ["[%csl Rc3]", "Começo"]}

Browser = Callable[[], httpx.AsyncClient]


@pytest.fixture
async def browser(port: int) -> AsyncIterator[Browser]:
    """Makes browsers, each of another visitor."""
    async with AsyncExitStack() as stack:
        opened: list[httpx.AsyncClient] = []

        def new() -> httpx.AsyncClient:
            opened.append(httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers={"X-Damas": "1"}))
            stack.push_async_callback(opened[-1].aclose)
            return opened[-1]

        yield new


async def made(person: httpx.AsyncClient, **more: Any) -> tuple[str, str]:
    """A new study of one chapter: its address in the API, and that of the chapter."""
    answer = await person.post("/api/studies", json={"title": "Tiros", "chapter": CHAPTER, **more})
    assert answer.status_code == 201, answer.text
    study = f"/api/studies/{answer.json()['id']}"
    [chapter] = (await person.get(study)).json()["chapters"]
    return study, f"{study}/chapters/{chapter['id']}"


async def test_a_chapter_is_read_back_as_it_was_written(browser: Browser) -> None:
    ana = browser()
    study, chapter = await made(ana)
    game = (await ana.get(chapter)).json()["game"]
    first, second = game["moves"]
    assert first["comments"] == ["Central {casa}\nporque sim; 100% 😀"]
    assert (first["nags"], first["commands"]) == ([1], "[%cal Gc3d4]")
    assert second["variations"][0][0]["comments"] == ["[%eval 1] perde"]
    assert second["variations"][0][0]["before"] == ["Não:"]
    assert game["comments"] == ["[%csl Rc3]", "Começo"]
    text = (await ana.get(f"{study}/pdn")).text
    again = await ana.post("/api/studies/pdn", json={"pdn": text})
    assert again.json()["bad"] == [] and again.json()["chapters"] == 1
    other = f"/api/studies/{again.json()['id']}"
    assert (await ana.get(f"{other}/pdn")).text == text
    assert read_study(text).title == "Tiros"
    [head] = (await ana.get(other)).json()["chapters"]
    assert (await ana.get(f"{other}/chapters/{head['id']}")).json()["game"] == game


async def test_a_change_on_top_of_another_is_refused_and_nothing_is_lost(browser: Browser) -> None:
    ana = browser()
    study, chapter = await made(ana)
    saved = await ana.put(chapter, json={**CHAPTER, "title": "Dois", "version": 1})
    assert saved.json() == {"version": 2}
    again = await ana.put(chapter, json={**CHAPTER, "title": "Dois", "version": 1})  # its answer was lost
    assert again.json() == {"version": 2}
    assert code(await ana.put(chapter, json={**CHAPTER, "title": "Três", "version": 1})) == (
        409,
        "STUDY_CHANGED",
    )
    assert (await ana.get(chapter)).json()["title"] == "Dois"
    assert code(await ana.delete(f"{chapter}?version=1")) == (409, "STUDY_CHANGED")
    changed = await ana.post(study, json={"version": 1, "title": "Golpes", "visibility": "link"})
    assert changed.json() == {"version": 2}
    assert code(await ana.post(study, json={"version": 1, "title": "Outro"})) == (409, "STUDY_CHANGED")
    assert (await ana.get(study)).json()["title"] == "Golpes"


async def test_chapters_are_added_moved_and_deleted(browser: Browser) -> None:
    ana = browser()
    study, first = await made(ana)
    ids = [first.rpartition("/")[2]]
    for title, at in (("B", None), ("A", 0)):
        answer = await ana.post(
            f"{study}/chapters", json={"rulebook": "internacional", "title": title, "mode": "guess", "at": at}
        )
        ids.append(answer.json()["id"])

    async def titles() -> list[str]:
        return [each["title"] for each in (await ana.get(study)).json()["chapters"]]

    assert await titles() == ["A", "Um", "B"]
    assert (await ana.post(f"{study}/chapters/{ids[2]}/place", json={"to": 2})).status_code == 200
    assert await titles() == ["Um", "B", "A"]
    [listed] = (await ana.get("/api/studies")).json()["studies"]
    assert (listed["chapters"], listed["rulebook"]) == (3, "")
    for chapter in ids[1:]:
        assert (await ana.delete(f"{study}/chapters/{chapter}?version=1")).status_code == 200
    assert code(await ana.delete(f"{first}?version=1")) == (409, "LAST_CHAPTER")
    assert code(await ana.post(f"{study}/chapters/nothing1/place", json={"to": 0})) == (404, "NOT_FOUND")


async def test_a_private_study_is_not_there_for_others(browser: Browser) -> None:
    ana, rui = browser(), browser()
    study, chapter = await made(ana)
    ids = study.rpartition("/")[2], chapter.rpartition("/")[2]
    pages = (f"/study/{ids[0]}", f"/study/{ids[0]}/{ids[1]}", f"/study/export/{ids[0]}/{ids[1]}.svg")
    for path in (study, chapter, f"{study}/pdn", *pages, f"/embed/study/{ids[0]}"):
        assert (await rui.get(path)).status_code == 404, path
    for refused in (
        await rui.put(chapter, json={**CHAPTER, "version": 1}),
        await rui.post(study, json={"version": 1, "visibility": "link"}),
        await rui.delete(study),
        await rui.post(f"{study}/chapters", json=CHAPTER),
        await rui.delete(f"{chapter}?version=1"),
    ):
        assert code(refused) == (404, "NOT_FOUND")
    assert (await ana.post(study, json={"version": 1, "visibility": "link"})).status_code == 200
    for path in (study, chapter, f"{study}/pdn", *pages, f"/embed/study/{ids[0]}"):
        assert (await rui.get(path)).status_code == 200, path
    assert not (await rui.get(study)).json()["mine"]
    assert code(await rui.put(chapter, json={**CHAPTER, "version": 1})) == (404, "NOT_FOUND")
    shown = (await rui.get(pages[0])).text
    assert f"/study/export/{ids[0]}/{ids[1]}.png?card=1" in shown and 'og:title" content="Tiros"' in shown
    assert (await rui.get("/api/studies")).json()["studies"] == []


async def test_a_chapter_in_a_frame_has_its_comments_and_drawings(browser: Browser) -> None:
    ana = browser()
    study, _ = await made(ana, visibility="link")
    page = (await ana.get(f"/embed/study/{study.rpartition('/')[2]}")).text
    [data] = re.findall(r'id="replay">(.*?)</script>', page)
    first, second, third = json.loads(data)["remarks"]
    assert (first["comments"], first["drawings"][0]["color"]) == (["Começo"], "red")
    assert second["comments"] == ["Central {casa}\nporque sim; 100% 😀"]
    [arrow] = second["drawings"]
    assert arrow["color"] == "green" and arrow["start"] != arrow["end"]
    assert third == {"comments": [], "drawings": []}


async def test_a_public_study_needs_an_account_and_leaves_with_it(browser: Browser) -> None:
    ana, rui = browser(), browser()
    study, _ = await made(ana)
    assert code(await ana.post(study, json={"version": 1, "visibility": "public"})) == (403, "STUDY_ACCOUNT")
    assert (await ana.post("/api/account", json=ANA)).status_code == 201
    assert [each["title"] for each in (await ana.get("/api/studies")).json()["studies"]] == ["Tiros"]
    assert (await rui.get("/api/studies?by=Ana")).json() == {"author": "Ana", "studies": []}
    assert (await ana.post(study, json={"version": 1, "visibility": "public"})).status_code == 200
    assert [each["title"] for each in (await rui.get("/api/studies?by=ana")).json()["studies"]] == ["Tiros"]
    assert (await rui.get(study)).json()["author"] == "Ana"
    assert (await rui.get("/api/studies?by=Eva")).status_code == 404
    assert (await ana.post("/api/account/close", json={"password": ANA["password"]})).status_code == 200
    assert (await rui.get(study)).status_code == 404


async def test_bad_input_is_refused_by_name(browser: Browser) -> None:
    ana = browser()
    study, chapter = await made(ana)

    async def put(**more: Any) -> tuple[int, str]:
        return code(await ana.put(chapter, json={**CHAPTER, "version": 1, **more}))

    assert (await put(moves=[{"text": "c3-c4"}]))[0] == 400
    assert (await put(rulebook="xadrez"))[0] == 404
    assert (await put(mode="dance"))[0] == 400
    assert (await put(fen="W:W"))[0] == 400
    assert (await put(tags={"a b": "c"}))[0] == 400
    assert (await put(comments=["x" * 300_000])) == (413, "TOO_LARGE")
    assert (await ana.post(study, json={"version": 1, "title": "a" * 1000})).status_code == 400
    assert code(await ana.post("/api/studies/pdn", json={"pdn": "nothing here"}))[1] == "STUDY_EMPTY"
    assert (await ana.get("/api/studies/nothing")).status_code == 404
    assert (await ana.get("/study/report:abc")).status_code == 404
    assert code(await ana.delete(f"{chapter}?version=x")) == (400, "BAD_BODY")
    program = {"Authorization": "Bearer dam_nothing"}
    assert (await ana.post("/api/studies", json={"chapter": CHAPTER}, headers=program)).status_code in (
        401,
        403,
    )


async def test_games_that_cannot_be_read_are_named_and_the_others_kept(browser: Browser) -> None:
    ana = browser()
    pdn = '[White "A"]\n\n1. c3-d4 *\n\n[White "B"]\n\n1. c3-c4 *\n'
    answer = (await ana.post("/api/studies/pdn", json={"pdn": pdn, "rulebook": "brasileira"})).json()
    assert answer["chapters"] == 1
    assert [(bad["game"], bad["line"]) for bad in answer["bad"]] == [(2, 7)]


@pytest.mark.parametrize(
    "limits", [replace(PATIENT, studies_per_person=1, chapters_per_study=2, chapter_bytes=2000)]
)
async def test_limits_are_named(browser: Browser, limits: Limits) -> None:
    ana = browser()
    study, _ = await made(ana)
    game = "1. c3-d4 *\n\n"
    refused = await ana.post("/api/studies/pdn", json={"pdn": game * 3, "rulebook": "brasileira"})
    assert code(refused) == (413, "CHAPTERS_PER_STUDY") and refused.json()["error"]["most"] == 2
    long = f"1. c3-d4 {{{'x ' * 2000}}} *"
    refused = await ana.post("/api/studies/pdn", json={"pdn": long, "rulebook": "brasileira"})
    assert code(refused) == (413, "CHAPTER_BYTES")
    assert code(await ana.post("/api/studies", json={"chapter": CHAPTER})) == (409, "TOO_MANY_STUDIES")
    assert (await ana.post(f"{study}/chapters", json=CHAPTER)).status_code == 201
    assert code(await ana.post(f"{study}/chapters", json=CHAPTER)) == (409, "CHAPTERS_PER_STUDY")
