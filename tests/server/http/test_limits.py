"""Every limit of the services, at it and one past it."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from damas.rules import rulebook_ids
from damas.server.learning.puzzle import sheet_of
from damas.server.security.bodies import nesting
from damas.server.security.rates import Rates
from damas.server.security.token_buckets import TokenBuckets
from damas.server.settings import Limits, Settings
from server.rooms.clients import Server, serving
from server.shared import code

DEEP, LONG = Limits().body_depth, Limits().body_bytes
MANY = 1_000_000
JSON = {"Content-Type": "application/json"}


@pytest.fixture(autouse=True)
def no_refill(monkeypatch: pytest.MonkeyPatch) -> None:
    """Buckets are not refilled while a test runs, however long a busy machine takes for it."""
    monkeypatch.setattr(TokenBuckets.__init__, "__defaults__", (lambda: 0.0,))


async def explain(web: httpx.AsyncClient, body: bytes, **headers: str) -> tuple[int, str]:
    return code(await web.post("/api/explain", content=body, headers={**JSON, **headers}))


# Bodies


def judged(size: int) -> bytes:
    """A question of exactly that many bytes."""
    head, tail = b'{"pdn": "[Rulebook \\"brasileira\\"] 1. c3-d4 *', b'"}'
    return head + b" " * (size - len(head) - len(tail)) + tail


async def test_a_body_of_the_greatest_length_is_read_and_one_byte_more_is_not(web: httpx.AsyncClient) -> None:
    assert code(await web.post("/api/judge", content=judged(LONG), headers=JSON)) == (200, "")
    assert code(await web.post("/api/judge", content=judged(LONG + 1), headers=JSON)) == (413, "TOO_LARGE")


async def test_the_same_when_nobody_says_how_long_it_is(web: httpx.AsyncClient) -> None:
    async def pieces(body: bytes) -> Any:
        for start in range(0, len(body), 1000):
            yield body[start : start + 1000]

    for size, wanted in ((LONG, 200), (LONG + 1, 413)):
        answer = await web.post("/api/judge", content=pieces(judged(size)), headers=JSON)
        assert answer.status_code == wanted


async def raw(port: int, request: bytes) -> bytes:
    """What comes back for bytes that are no whole request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    await writer.drain()
    answer = await asyncio.wait_for(reader.read(4096), 60)
    writer.close()
    return answer


async def test_what_is_too_long_is_refused_before_it_is_read(port: int) -> None:
    most = Limits().pdn_bytes
    for path, length in ((b"/api/pdn/read", most + 1), (b"/api/explain", LONG + 1), (b"/nothing", most + 1)):
        head = (
            b"POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Damas: 1\r\nContent-Type: application/json\r\n" % path
        )
        answer = await raw(port, head + b"Content-Length: %d\r\n\r\n" % length)
        assert answer.startswith(b"HTTP/1.1 413 "), (path, answer[:40])


@pytest.mark.parametrize("length", [b"-1", b"abc", b"1e3"])
async def test_a_length_that_is_none_is_refused(port: int, length: bytes) -> None:
    head = b"POST /api/explain HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    answer = await raw(port, head + b"Content-Length: " + length + b"\r\n\r\n")
    assert answer.startswith((b"HTTP/1.1 4", b"Invalid")), answer[:80]


async def test_a_body_as_deep_as_allowed_is_read_and_a_deeper_one_is_not(web: httpx.AsyncClient) -> None:
    def nested(depth: int) -> bytes:
        return b'{"rulebook": ' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"

    assert await explain(web, nested(DEEP)) == (400, "BAD_BODY")  # read, and found to be no name
    assert await explain(web, nested(DEEP + 1)) == (400, "TOO_DEEP")
    assert await explain(web, b"[" * 60_000) == (400, "TOO_DEEP")


def test_brackets_inside_text_are_not_levels() -> None:
    assert nesting(json.dumps({"a": "[[[[", "b": '\\"[[['}).encode()) == 1


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
async def test_a_body_must_say_that_it_is_json(web: httpx.AsyncClient, kind: str) -> None:
    """A form of another page can send these three without asking; JSON it cannot."""
    answer = await web.post("/api/explain", content=b"{}", headers={"Content-Type": kind})
    assert code(answer) == (415, "MEDIA_TYPE")


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (b"", "BAD_JSON"),
        (b"{", "BAD_JSON"),
        (b"\xff\xfe", "BAD_JSON"),
        (b"[]", "BAD_BODY"),
        (b"null", "BAD_BODY"),
        (b'{"rulebook": 1}', "BAD_BODY"),
        (b'{"rulebook": "faraes", "route": ["9", "16"]}', "BAD_BODY"),
        (b'{"rulebook": "faraes", "route": [9, 16], "more": 1}', "BAD_BODY"),
        (b'{"rulebook": "faraes", "route": [9]}', "BAD_BODY"),
        (b'{"rulebook": "faraes", "route": [-1, 3]}', "BAD_BODY"),
        (b'{"rulebook": "faraes", "route": [140, 3]}', "NO_SUCH_SQUARE"),
        (b'{"rulebook": "faraes"}', "MOVE_OR_ROUTE"),
        (b'{"rulebook": "faraes", "route": [9, 16], "move": "c3xa5"}', "MOVE_OR_ROUTE"),
    ],
)
async def test_a_body_is_read_strictly(web: httpx.AsyncClient, body: bytes, wanted: str) -> None:
    assert await explain(web, body) == (400, wanted)


# How often


def test_a_bucket_is_refilled_at_a_steady_pace() -> None:
    now = [0.0]
    buckets = TokenBuckets(3, 3 / 60, clock=lambda: now[0])
    assert [buckets["a"].take() for _ in range(3)] == [0, 0, 0]
    assert buckets["a"].take() == pytest.approx(20)
    assert buckets["b"].take() == 0  # everybody has a bucket of their own
    now[0] = 19.9
    assert buckets["a"].take() > 0
    now[0] = 20.1
    assert buckets["a"].take() == 0
    assert buckets["a"].take() > 0
    now[0] = 1000
    assert [buckets["a"].take() for _ in range(4)] == [0, 0, 0, pytest.approx(20)]


def test_a_crowd_does_not_take_our_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TokenBuckets, "MAX_CLIENTS", 200)
    buckets = TokenBuckets(2, 1e-9)
    buckets["busy"].charge(2)
    for number in range(1000):
        buckets[number].take()
    assert len(buckets._buckets) <= 200
    assert buckets["busy"].take() > 0, "who has used most is not forgotten"


@pytest.mark.parametrize("limits", [Limits(requests_per_minute=5)])
async def test_one_address_may_ask_so_often(web: httpx.AsyncClient) -> None:
    answers = [await web.get("/api/rulebooks") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    error = answers[-1].json()["error"]
    assert (error["code"], error["lang"]) == ("RATE", "en")
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 12
    assert (await web.get("/static/shell.js")).status_code == 200
    assert (await web.get("/healthz")).status_code == 200


@pytest.mark.parametrize("more", [{"trusted_proxies": ("127.0.0.1",)}])
@pytest.mark.parametrize("limits", [Limits(requests_per_minute=2)])
async def test_one_visitor_has_one_address_however_it_is_written(web: httpx.AsyncClient) -> None:
    """A visitor has a whole IPv6 network, and an IPv4 client of an IPv6 socket has its IPv4 address."""

    async def statuses(*addresses: str) -> list[int]:
        return [
            (await web.get("/api/rulebooks", headers={"X-Forwarded-For": address})).status_code
            for address in addresses
        ]

    assert await statuses("2001:db8::1", "2001:db8::2", "2001:db8::ffff:3") == [200, 200, 429]
    assert await statuses("203.0.113.7", "::ffff:203.0.113.7", "203.0.113.7") == [200, 200, 429]
    assert await statuses("2001:db8:0:1::1", "::ffff:203.0.113.8") == [200, 200]


@pytest.mark.parametrize("limits", [Limits(requests_per_minute=5)])
async def test_the_answer_is_a_page_for_nobody_and_an_object_for_all(web: httpx.AsyncClient) -> None:
    for _ in range(5):
        await web.get("/api/rulebooks")
    answer = await web.get("/rules", headers={"Accept": "text/html", "Accept-Language": "pt-BR"})
    assert answer.status_code == 429
    assert "Pedidos demais" in answer.json()["error"]["message"]


@pytest.mark.parametrize("limits", [Limits(logins_per_minute=3)])
async def test_a_password_may_be_guessed_so_often(page: httpx.AsyncClient) -> None:
    guess = {"name": "Ana", "password": "not the one"}
    answers = [code(await page.post("/api/account/login", json=guess)) for _ in range(4)]
    assert answers == [(401, "WRONG_LOGIN")] * 3 + [(429, "RATE")]
    # Of another account it may still be tried; writing the name otherwise does not help.
    assert code(await page.post("/api/account/login", json={**guess, "name": "Rui"}))[0] == 401
    assert code(await page.post("/api/account/login", json={**guess, "name": " aNA "}))[0] == 429


@pytest.mark.parametrize("limits", [Limits(accounts_per_hour_of_address=3)])
async def test_accounts_are_not_made_by_the_dozen(page: httpx.AsyncClient) -> None:
    answers = []
    for number in range(4):
        wanted = {"name": f"Ana {number}", "password": "um cavalo sem sela"}
        answers.append((await page.post("/api/account", json=wanted)).status_code)
    assert answers == [201, 201, 201, 429]


@pytest.mark.parametrize("limits", [Limits(imports_per_hour=2)])
async def test_files_are_read_so_often(page: httpx.AsyncClient) -> None:
    pdn, kind = b'[Rulebook "brasileira"] 1. c3-d4 *', {"Content-Type": "application/x-pdn"}
    await page.get("/api/account")
    answers = [await page.post("/api/pdn/read", content=pdn, headers=kind) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[-1].headers["retry-after"]) > 60
    pasted = await page.post("/api/pdn/read", json={"pdn": pdn.decode()})
    assert pasted.status_code == 200, "a pasted game is no file"


@pytest.mark.parametrize("limits", [Limits(imports_per_hour=2)])
async def test_without_a_cookie_the_address_is_counted(port: int, server: Server) -> None:
    server.services.rates = Rates(Limits(imports_per_hour_of_address=2))
    pdn, kind = b'[Rulebook "brasileira"] 1. c3-d4 *', {"Content-Type": "application/x-pdn"}
    statuses = []
    for _ in range(3):
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as somebody:
            statuses.append((await somebody.post("/api/pdn/read", content=pdn, headers=kind)).status_code)
    assert statuses == [200, 200, 429]


# Memory


def upload(length: int) -> bytes:
    head = b"POST /api/pdn/read HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-pdn\r\n"
    return head + b"Content-Length: %d\r\n\r\n" % length


async def assert_unfinished_body_is_given_up(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(upload(1000) + b"[")
    assert (await asyncio.wait_for(reader.readline(), 60)).startswith(b"HTTP/1.1 408 ")
    writer.close()


@pytest.mark.parametrize("limits", [Limits(body_s=0.2)])
async def test_a_body_that_does_not_come_to_its_end_is_given_up(port: int) -> None:
    await assert_unfinished_body_is_given_up(port)


@pytest.mark.parametrize("limits", [Limits(body_s=2.0)])  # others send whole bodies: a busy machine is slow
async def test_an_answer_may_take_longer_than_the_question(server: Server, web: httpx.AsyncClient) -> None:
    ana = await server.person()
    async with web.stream("GET", "/api/lobby/stream", timeout=60) as stream:
        chunks = stream.aiter_text()
        assert await anext(chunks)
        await assert_unfinished_body_is_given_up(server.port)  # so the time for a question is over
        game = await ana.create(kind="seek")
        await ana.sit(game)
        async with asyncio.timeout(60):
            while game not in await anext(chunks):
                pass


@pytest.mark.parametrize(("limit", "status"), [("bodies_bytes", 503), ("bodies_bytes_of_address", 429)])
async def test_unfinished_bodies_hold_so_much_memory_and_no_more(
    tmp_path: Path, limit: str, status: int
) -> None:
    limits = Limits(**{limit: 150_000}, imports_per_hour=MANY, imports_per_hour_of_address=MANY)
    pdn = b'[Rulebook "brasileira"] 1. c3-d4 *' + b" " * 99_966
    async with serving(Settings(data=tmp_path, port=0, limits=limits)) as server:
        person = await server.person()

        async def sent(body: bytes = pdn) -> int:
            kind = {"Content-Type": "application/x-pdn"}
            return (await person.http.post("/api/pdn/read", content=body, headers=kind)).status_code

        assert await sent() == 200
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(upload(len(pdn)) + pdn[:-1])
        for _ in range(200):  # until the first has arrived
            if (result := await sent()) != 200:
                break
        assert result == status
        assert await sent(pdn[:1000]) == 200, "short ones go on"
        writer.write(pdn[-1:])
        assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
        assert await sent() == 200
        writer.close()


@pytest.mark.parametrize("limits", [Limits(streams_per_address=2)])
async def test_one_address_may_listen_so_often(web: httpx.AsyncClient) -> None:
    async with web.stream("GET", "/api/lobby/stream") as one, web.stream("GET", "/api/lobby/stream"):
        assert one.status_code == 200
        assert code(await web.get("/api/lobby/stream")) == (429, "SOCKETS")
        assert (await web.get("/api/lobby")).status_code == 200
    for _ in range(3000):
        async with web.stream("GET", "/api/lobby/stream") as again:
            if again.status_code == 200:
                break
        await asyncio.sleep(0.02)  # the other end has not noticed yet
    assert again.status_code == 200


@pytest.mark.parametrize("limits", [Limits(arbiter_streams=1, arbiter_streams_per_address=2)])
async def test_arbiters_pages_have_a_share_of_their_own(server: Server) -> None:
    one, two, three = [await server.person() for _ in range(3)]
    page: dict[str, Any] = {"url": "/api/arbiter/stream", "json": {"boards": []}}
    async with one.http.stream("POST", **page) as first:
        assert first.status_code == 200
        refused = await one.http.post(**page)
        assert code(refused) == (429, "ARBITER_STREAMS")
        assert "Retry-After" in refused.headers
        async with two.http.stream("POST", **page) as second:
            assert second.status_code == 200
            assert code(await three.http.post(**page)) == (429, "ARBITER_STREAMS")
            async with three.http.stream("GET", "/api/lobby/stream") as lobby:
                assert lobby.status_code == 200


@pytest.mark.parametrize("limits", [Limits(sockets_per_address=3, sockets_per_game=9)])
async def test_one_address_may_open_so_many_sockets_without_a_login(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    person = await server.person()
    game = await person.create(kind="level", level=1)
    url = f"ws://127.0.0.1:{server.port}/game/{game}/socket"
    opened = [await connect(url) for _ in range(3)]
    with pytest.raises(InvalidStatus) as refused:
        await connect(url)
    answer = refused.value.response
    assert (answer.status_code, json.loads(answer.body or b"")["error"]["code"]) == (429, "SOCKETS")
    assert int(answer.headers["retry-after"]) >= 1
    assert "handshake" not in caplog.text
    await opened.pop().close()
    for _ in range(3000):
        try:
            opened.append(await connect(url))
            break
        except InvalidStatus:  # the other end has not noticed yet
            await asyncio.sleep(0.02)
    assert len(opened) == 3
    for socket in opened:
        await socket.close()


@pytest.mark.parametrize("limits", [Limits(sockets_per_account=2)])
async def test_an_account_has_so_many_sockets_wherever_it_is(server: Server) -> None:
    person = await server.person()
    made = await person.http.post("/api/account", json={"name": "Ana", "password": "um cavalo sem sela"})
    assert made.status_code == 201
    game = await person.create(kind="device")
    boards = [await person.sit(game) for _ in range(2)]
    with pytest.raises(InvalidStatus) as refused:
        await person.sit(game)
    assert refused.value.response.status_code == 429
    assert (await (await server.person()).sit(game)).hello, "others still come"
    assert boards


# Progress


async def test_stored_progress_is_sent_as_it_is(server: Server) -> None:
    """The event loop serves everybody: it does not parse what a visitor has stored."""
    person = await server.person()
    visitor = (await person.http.get("/api/account")).json()["id"]
    await server.services.store.people.add_progress(
        visitor, {"lesson.dama": '{"done": [0,  1], "name": "Zé"}'}
    )
    reply = await person.http.get("/api/progress")
    assert reply.json() == {"progress": {"lesson.dama": {"done": [0, 1], "name": "Zé"}}}
    assert b"[0,  1]" in reply.content


async def test_a_request_with_much_progress_is_one_write(server: Server) -> None:
    person, writer = await server.person(), server.services.store.writer
    keys = [f"{kind}.{book}" for kind in ("puzzles", "endings") for book in rulebook_ids()]
    before = dict(writer.counts)
    sent = await person.http.post("/api/progress", json={"progress": {key: {"solved": 1} for key in keys}})
    assert sent.status_code == 200
    assert writer.counts["jobs"] - before["jobs"] < len(keys), "the server's own beats are among them"
    assert (await person.http.get("/api/progress")).json()["progress"].keys() == set(keys)


@pytest.mark.parametrize("limits", [Limits(progress_bytes=100)])
async def test_a_person_has_so_much_progress(server: Server) -> None:
    person = await server.person()
    for key, status in (("lesson.dama", 200), ("puzzles.turca", 413), ("lesson.dama", 200)):
        sent = await person.http.post("/api/progress", json={"progress": {key: "x" * 60}})
        assert sent.status_code == status


@pytest.mark.parametrize("limits", [Limits(learning_writes_per_minute=2)])
async def test_an_address_learns_so_often(server: Server) -> None:
    puzzle = next(iter(sheet_of("brasileira"))).id
    progress = ("/api/progress", {"progress": {"lesson.dama": 1}})
    attempt = (f"/api/puzzles/brasileira/{puzzle}", {"solved": True})
    replies = []
    for path, body in (progress, attempt, progress, attempt):
        replies.append(await (await server.person()).http.post(path, json=body))
    assert [reply.status_code for reply in replies] == [200, 200, 429, 429]
    assert int(replies[-1].headers["retry-after"]) >= 1


# Games


@pytest.mark.parametrize(
    ("limits", "wanted"),
    [
        (Limits(games_open=2), "GAMES_OPEN"),
        (Limits(games_per_day=2), "RATE"),
        (Limits(games_per_hour_of_address=2), "RATE"),
    ],
)
async def test_so_many_games_and_no_more(server: Server, wanted: str) -> None:
    person = await server.person()
    for _ in range(2):
        await person.create(kind="device")
    terms = {"rulebook": "brasileira", "opponent": {"kind": "device"}}
    assert code(await person.http.post("/api/games", json=terms)) == (429, wanted)
    other = await (await server.person()).http.post("/api/games", json=terms)
    whole_address = server.services.settings.limits.games_per_hour_of_address == 2
    assert other.status_code == (429 if whole_address else 201)


@pytest.mark.parametrize("limits", [Limits(replays_per_minute=1)])
async def test_a_game_is_sent_from_its_beginning_so_often(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damas.server.rooms.audience.FEW_EVENTS", 2)
    person = await server.person()
    board = await person.sit(await person.create(kind="device"))
    for _ in range(3):
        await board.move(board.view["legal"][0]["text"])
        await board.next("event")
    game = board.hello["game"]
    for last in (board.seq, board.seq - 1, board.seq - 1):  # what anybody may have missed
        assert (await person.sit(game, last=last)).hello
    again = await person.sit(game, last=0)
    await again.send(t="resume", last=0)
    with pytest.raises(ConnectionClosed):
        await again.next("nothing")
    assert again.socket.close_code == 1013
