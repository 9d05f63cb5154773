"""OpenAPI: valid, complete, and every example in it works (S9); whatever is sent, the answer is never our fault (I3)."""

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import jsonschema_rs
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from damas.arbiter import Disconnected
from damas.matches.pool import run
from damas.matches.referee import play
from damas.server.app import create_app
from damas.server.arena.contest import Contest
from damas.server.learning.puzzle import sheet_of
from damas.server.settings import Limits, Settings
from damas.server.web.endpoints import BOT, CALLS, Call
from damas.server.web.openapi import STREAMS, document, reply_schemas
from damas.server.words import Words
from damas.tournaments.settings import Entry
from damas.tournaments.tournament import Tournament
from server.http.programs import Lines, Program, programs
from server.rooms.clients import Server
from server.shared import Thread

OTHERS = re.compile(
    r"/api/(lobby/stream|arbiter/stream|class|classes|openapi|operator|analysis/stream|analysis/report)"
    r"|/api/arena$|/api/arena/\{id\}($|/(entries|programs|submissions|closed|start|pause|go-on|disqualify))"
    r"|/api/club($|/)"
    r"|/api/account/(logout|name|revoke|password|close|tokens/\{id\})$|/api$"
)
"""What the pages ask for, and programs need not."""


# The description


async def test_the_description_is_valid(web: httpx.AsyncClient) -> None:
    import schemathesis  # half a second in every process that only collects this file

    described = (await web.get("/api/openapi.json")).json()
    assert described["openapi"].startswith("3.1")
    schemathesis.openapi.from_dict(described).validate()
    names = [op["operationId"] for path in described["paths"].values() for op in path.values()]
    assert len(names) == len(set(names))
    for schema in described["components"]["schemas"].values():
        jsonschema_rs.meta.validate(schema)


def test_every_call_says_what_it_does_in_every_language() -> None:
    words = Words()
    for language in ("pt-BR", "pt-PT", "es", "en"):
        text = str(document(words, language))
        assert "'api." not in text


def test_every_route_of_the_api_is_described(tmp_path: Path) -> None:
    described = document(Words(), "en")["paths"]
    known = {(method.upper(), path) for path, calls in described.items() for method in calls}
    routes = {
        (method, re.sub(r":\w+\}", "}", route.path))
        for route in create_app(Settings(data=tmp_path)).routes
        if route.path.startswith("/api")  # type: ignore[attr-defined]
        for method in (getattr(route, "methods", None) or set()) - {"HEAD"}
    }
    assert not {route for route in routes if route not in known and not OTHERS.match(route[1])}
    assert not {route for route in known if route[1].startswith("/api") and route not in routes}


async def test_the_page_shows_every_call_with_its_example(web: httpx.AsyncClient) -> None:
    text = html.unescape((await web.get("/api?lang=pt-BR")).text)
    for call in CALLS:
        assert f"<code>{call.path}</code>" in text
    assert text.count("$URL") == len(CALLS)
    assert "<script>" not in text


# The examples


def reply_schema(call: Call) -> dict[str, Any]:
    replies, components = reply_schemas()
    return {**replies[call.id], "components": {"schemas": components}}


async def facts(server: Server, ana: Program, rui: Program) -> dict[str, str]:
    """What the names in capitals stand for."""
    terms = {"rulebook": "faraes"}
    limit = {"rulebook": "faraes", "preset": "school", "color": "white", "fen": "W:WKg1,Kc1,Ka3:BKb8"}
    claiming = (await ana.do("/api/challenge/ai", limit))["id"]
    view = (await ana.http.get(f"/api/games/{claiming}")).json()["view"]
    game = (await ana.do("/api/challenge/ai", {"rulebook": "brasileira", "color": "white"}))["id"]
    young = (await ana.do("/api/challenge/ai", {"rulebook": "brasileira", "color": "white"}))["id"]
    contest, receipt = await held(server)
    return {
        "CONTEST": contest,
        "RECEIPT": receipt,
        "GAME": game,
        "YOUNG": young,
        "CLAIMING": claiming,
        "OPEN": (await rui.do("/api/challenge/open", terms))["id"],
        "OVER": await resigned(ana),
        "PUZZLE": next(iter(sheet_of("brasileira"))).id,
        "DESERTED": await deserted(server, ana, rui),
        "RULE": view["claims"][0]["rule"],
        "OTHER": "Rui",
        "NEW": "Eva",
        "TO_ME": (await rui.do("/api/challenge/Ana", terms))["id"],
        "TO_ME_TOO": (await rui.do("/api/challenge/Ana", terms))["id"],
        "BY_ME": (await ana.do("/api/challenge/Rui", terms))["id"],
    }


async def held(server: Server) -> tuple[str, str]:
    """A contest that is over, and the receipt of somebody who played what is not legal in it."""
    arena = server.services.arena
    contest = Contest(title="Liga", organiser="somebody", organiser_name="Somebody", language="en")
    await arena.create(contest)
    entries = (Entry("liar", "moves:9,9 8,8"), Entry("random", "random"))
    chosen = replace(contest.settings, entries=entries)
    with Tournament.create(arena.folder(contest), chosen) as tournament:
        run(tournament, play=play)
        lost = next(iter(tournament.played.values()))
    contest.started_ms = contest.finished_ms = 1
    return contest.id, lost.receipt


async def studies(person: httpx.AsyncClient) -> dict[str, str]:
    """A study with two chapters, and another one; all are changed or deleted by examples."""
    chapter = {"rulebook": "brasileira"}
    first, spare = [(await person.post("/api/studies", json={"chapter": chapter})).json()["id"] for _ in "ab"]
    second = (await person.post(f"/api/studies/{first}/chapters", json=chapter)).json()["id"]
    [head, _] = (await person.get(f"/api/studies/{first}")).json()["chapters"]
    return {"STUDY": first, "SPARE_STUDY": spare, "CHAPTER": head["id"], "SPARE_CHAPTER": second}


async def resigned(ana: Program) -> str:
    game = str((await ana.do("/api/challenge/ai", {"rulebook": "brasileira", "color": "white"}))["id"])
    await ana.do(f"/api/bot/game/{game}/resign")
    return game


async def deserted(server: Server, ana: Program, rui: Program) -> str:
    """A game whose other player has gone away, under a regulation that does not wait."""
    wanted = {"rulebook": "brasileira", "preset": "contest", "time": "5", "color": "white"}
    game = str((await ana.do("/api/challenge/Rui", wanted))["id"])
    await rui.do(f"/api/challenge/{game}/accept")
    room = await server.rooms.room(game)
    [away] = room.seats.sides_of((await rui.http.get("/api/account")).json()["id"])
    await room.apply(Disconnected(room.keeper.in_time, away))
    return game


def filled(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: filled(inner, names) for key, inner in value.items()}
    return names.get(value, value) if isinstance(value, str) else value


async def test_every_example_works(server: Server) -> None:
    described = document(Words(), "en")
    async with programs(server, "Ana", "Rui") as [ana, rui]:
        names = await facts(server, ana, rui)
        base = f"http://127.0.0.1:{server.port}"
        async with httpx.AsyncClient(base_url=base, headers={"X-Damas": "1"}) as person:
            own = {"rulebook": "faraes", "opponent": {"kind": "friend"}}
            names |= await studies(person)
            names["OWN"] = (await person.post("/api/games", json=own)).json()["id"]
            for call in CALLS:
                await made(call, person, ana, names, described)


async def made(
    call: Call, person: httpx.AsyncClient, ana: Program, names: dict[str, str], described: Any
) -> None:
    path = call.path
    for name, value in call.parameters.items():
        path = path.replace("{" + name + "}", quote(filled(value, names)))
    client = ana.http if call.scopes else person
    body = None if call.example is None else filled(call.example, names)
    if call.media in STREAMS:
        async with client.stream(call.method, path, json=body) as answer:
            assert answer.status_code == call.status
            assert answer.headers["content-type"].startswith(call.media)
            first = {} if call.id == "stream_event" else await Lines(answer).next()
        if first:
            jsonschema_rs.validate(reply_schema(call), first)
        return
    answer = await client.request(call.method, path, json=body, params=call.query)
    assert answer.status_code == call.status, (call.id, answer.text)
    assert answer.headers["content-type"].startswith(call.media)
    if call.reply:
        jsonschema_rs.validate(reply_schema(call), answer.json())
    if call.body:
        schema = {"$ref": f"#/components/schemas/{call.body.__name__}", "components": described["components"]}
        jsonschema_rs.validate(schema, body)


# Whatever is sent


@pytest.fixture(scope="module")
def thread(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Thread]:
    many = 1_000_000
    limits = Limits(requests_per_minute=many, logins_per_minute=5)
    running = Thread(Settings(data=tmp_path_factory.mktemp("fuzz"), port=0, limits=limits))
    yield running
    running.stop()


@pytest.fixture(scope="module")
def schema(thread: Thread) -> Any:
    with httpx.Client(base_url=thread.url, headers={"X-Damas": "1"}) as person:
        account = {"name": "Fuzz", "password": "um cavalo sem sela"}
        assert person.post("/api/account", json=account).status_code == 201
        token = person.post("/api/account/tokens", json={"scopes": ["bot:play", "board:play"]}).json()[
            "token"
        ]
    import schemathesis

    described = schemathesis.openapi.from_url(f"{thread.url}/api/openapi.json")
    described.config.update(headers={"Authorization": f"Bearer {token}"})
    return described


ENDLESS = re.compile(r"stream|seek")
"""A stream has no end to wait for; the tests of streams read them."""
OPERATIONS = [
    (path, method)
    for path, calls in document(Words(), "en")["paths"].items()
    for method, call in calls.items()
    if not ENDLESS.search(call["operationId"])
]


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_no_request_is_our_fault(schema: Any, path: str, method: str) -> None:
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    conformance = [
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]

    @given(case=schema[path][method].as_strategy())
    @settings(
        max_examples=12,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def whatever_is_sent(case: Any) -> None:
        case.call_and_validate(checks=[not_a_server_error, *conformance], timeout=60)

    whatever_is_sent()


def test_the_calls_of_boards_are_those_of_bots() -> None:
    paths = document(Words(), "en")["paths"]
    for path in list(paths):
        if path.startswith(BOT):
            assert path.replace("/bot/", "/board/", 1) in paths
