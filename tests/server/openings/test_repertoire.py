"""A repertoire: lines are kept, learnt by repetition, taken out again, and go with the person."""

from typing import Any

import httpx
import msgspec
import pytest

from damas.server.openings.repertoire import MAX_LINE_PLIES
from damas.server.settings import Limits
from damas.server.store import Store
from damas.server.store.errors import RepertoireFull
from damas.server.store.rows import RepertoireLine
from server.conftest import PATIENT

LINE = ["c3-d4", "d6-c5", "b2-c3", "f6-g5"]
URL = "/api/repertoire/brasileira"
DECK = "/api/reviews/opening:brasileira-white"


async def lines_of(page: httpx.AsyncClient) -> list[dict[str, Any]]:
    answer = await page.get(URL)
    assert answer.status_code == 200, answer.text
    return list(answer.json()["lines"])


async def test_a_line_is_kept_once_and_its_positions_come_back(page: httpx.AsyncClient) -> None:
    for _ in range(2):
        kept = await page.post(URL, json={"side": "white", "moves": LINE, "name": "Centre"})
        assert kept.json() == {"added": 1, "deck": "opening:brasileira-white"}
    [line] = await lines_of(page)
    assert (line["name"], line["side"], line["moves"]) == ("Centre", "white", LINE[:3])
    assert [(each["ply"], each["move"]) for each in line["questions"]] == [(0, "c3-d4"), (2, "b2-c3")]
    due = (await page.get(DECK)).json()["items"]
    assert {each["item"] for each in due} == {each["item"] for each in line["questions"]}


async def test_a_line_that_is_removed_takes_with_it_what_no_other_has(page: httpx.AsyncClient) -> None:
    for moves in (LINE, ["c3-d4", "b6-a5", "b2-c3"]):
        assert (await page.post(URL, json={"side": "white", "moves": moves})).status_code == 200
    assert (await page.post(URL, json={"side": "black", "moves": LINE})).status_code == 200
    assert len((await page.get(DECK)).json()["items"]) == 3
    first = (await lines_of(page))[0]
    assert first["moves"] == LINE[:3]
    assert (await page.post(f"{URL}/remove", json={"line": first["id"]})).status_code == 200
    assert (await page.post(f"{URL}/remove", json={"line": first["id"]})).status_code == 200
    assert len(await lines_of(page)) == 2
    assert len((await page.get(DECK)).json()["items"]) == 2
    assert len((await page.get(DECK.replace("white", "black"))).json()["items"]) == 2


async def test_the_games_of_a_pdn_are_lines(page: httpx.AsyncClient) -> None:
    pdn = '[Opening "Edge"] 1. a3-b4 b6-a5 2. b4-c5 *\n\n1. c3-d4 *\n\n[Rulebook "faraes"] 1. c3-d4 *'
    answer = await page.post(URL, json={"side": "white", "pdn": pdn})
    assert answer.json()["added"] == 2
    assert {line["name"] for line in await lines_of(page)} == {"Edge", ""}
    long = "1. " + " ".join(["c3-d4", "f6-g5"])
    assert (await page.post(URL, json={"side": "black", "pdn": long})).json()["added"] == 1
    assert all(len(line["moves"]) <= MAX_LINE_PLIES for line in await lines_of(page))


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"side": "black", "moves": ["c3-d4"]}, "NO_OWN_MOVE"),
        ({"side": "white", "moves": []}, "NO_OWN_MOVE"),
        ({"side": "white", "moves": ["a1-h8"]}, ""),
        ({"side": "white", "pdn": "1. a1-h8 *"}, ""),
        ({"side": "white", "pdn": '[GameType "20"]\n\n1. 32-28 *'}, "PDN_WITHOUT_LINES"),
        ({"side": "both", "moves": LINE}, "BAD_BODY"),
        ({"side": "white", "moves": LINE, "name": "x" * 81}, "BAD_BODY"),
        ({"side": "white", "moves": LINE, "account": "somebody"}, "OTHER_ACCOUNT"),
    ],
)
async def test_what_is_no_line_is_refused(page: httpx.AsyncClient, body: dict[str, Any], code: str) -> None:
    answer = await page.post(URL, json=body)
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.json()["error"]["message"]
    assert not code or answer.json()["error"]["code"] == code
    assert await lines_of(page) == []
    assert (await page.post("/api/repertoire/none", json=body)).status_code in (400, 403, 404)


@pytest.fixture
def limits() -> Limits:
    return PATIENT


def own(name: str) -> RepertoireLine:
    return RepertoireLine(id=name, rulebook="faraes", side="white", name="", moves="c3-d4", created_ms=1)


async def test_limits_and_leaving(store: Store) -> None:
    few = msgspec.structs.replace(store.database.settings.limits, repertoire_lines=2)
    store.repertoires._most = few.repertoire_lines
    for name in ("a", "b", "b"):
        await store.repertoires.add("visitor", own(name))
    with pytest.raises(RepertoireFull):
        await store.repertoires.add("visitor", own("c"))
    await store.repertoires.add("account", own("b"))
    await store.people.adopt("visitor", "account")
    assert {line.id for line in await store.repertoires.lines("account")} == {"a", "b"}
    assert await store.repertoires.lines("visitor") == []
    assert await store.repertoires.remove("account", "a") and not await store.repertoires.remove(
        "account", "a"
    )
    await store.people.close_account("account")
    assert await store.repertoires.lines("account") == []
