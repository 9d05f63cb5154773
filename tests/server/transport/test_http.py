"""Every limit on connections and requests, at it and one past it."""

import asyncio
import re
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from damas.server.settings import Limits, Settings
from damas.server.transport import by_h11, by_httptools, gate, guard
from server.rooms.clients import Server, serving

HOST = b"Host: 127.0.0.1\r\n"
GET = b"GET /healthz HTTP/1.1\r\n" + HOST


@pytest.fixture(autouse=True)
def watchful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "PATROL_INTERVAL_S", 0.02)


async def answer(port: int, *pieces: bytes) -> bytes:
    """All that comes back for some bytes, until the other side closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
    text = await asyncio.wait_for(reader.read(), 60)
    writer.close()
    return text


def status(text: bytes) -> int:
    return int(text.split()[1]) if text else 0


async def until_answered(port: int, *pieces: bytes, statuses: list[int]) -> None:
    """Sends the same again until it is answered so: a stalled machine may be too late for a short limit."""
    answers: list[int] = []
    async with asyncio.timeout(60):
        while answers != statuses:
            text = await answer(port, *pieces)
            answers = [int(each) for each in re.findall(rb"HTTP/1.1 (\d{3}) ", text)]


CLOSE = b"Connection: close\r\n\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
TWICE = b"0\r\n\r\n" + GET + CLOSE
"""The end of a body by its chunks; by its length, another request."""


@pytest.mark.parametrize(
    "rest",
    [
        b"Content-Length: 5\r\n" + CHUNKED + b"\r\n" + TWICE,
        CHUNKED + b"Content-Length: 5\r\n\r\n" + TWICE,
        b"Content-Length: 5\r\nContent-Length: 5\r\n\r\n" + TWICE,
        b"Transfer-Encoding: chunked, identity\r\n\r\n" + TWICE,
        b"Transfer-Encoding : chunked\r\n\r\n" + TWICE,
        CHUNKED + b"\r\n-1\r\n" + TWICE,
        CHUNKED + b"\r\nfffffffffffffffff\r\n" + TWICE,
        b"a: b\r\n c\r\n" + CLOSE,
        b"a: b\rc: d\r\n" + CLOSE,
    ],
)
async def test_what_two_servers_could_read_in_two_ways_is_refused(server: Server, rest: bytes) -> None:
    text = await answer(server.port, b"POST /healthz HTTP/1.1\r\n" + HOST + rest)
    assert re.findall(rb"HTTP/1.1 (\d{3}) ", text) == [b"400"]


async def test_a_request_names_one_host(server: Server) -> None:
    page = b"GET /rules HTTP/1.1\r\n"
    assert status(await answer(server.port, page + HOST + CLOSE)) == 200
    for hosts in (HOST + b"Host: elsewhere\r\n", HOST + HOST, b""):
        assert status(await answer(server.port, page + hosts + CLOSE)) == 400


@pytest.mark.parametrize("limits", [Limits(headers=10, head_bytes=20_000, url_bytes=5_000)])
async def test_a_head_has_so_many_headers_and_bytes(server: Server) -> None:
    port = server.port
    assert status(await answer(port, GET + b"a: b\r\n" * 8 + CLOSE)) == 200
    assert status(await answer(port, GET + b"a: b\r\n" * 9 + CLOSE)) == 431
    assert status(await answer(port, GET + b"a: " + b"b" * 12_000 + b"\r\n" + CLOSE)) == 200
    for length in (20_000, 30_000):
        assert status(await answer(port, GET + b"a: " + b"b" * length + b"\r\n" + CLOSE)) == 431
    url = b"GET /healthz?%s HTTP/1.1\r\n" + HOST + CLOSE
    assert status(await answer(port, url % (b"a" * 4_900))) == 200
    assert status(await answer(port, url % (b"a" * 5_000))) == 414


@pytest.mark.parametrize("limits", [Limits(head_s=0.3)])
async def test_a_head_must_come_within_its_time(server: Server) -> None:
    await until_answered(server.port, GET, statuses=[408])
    assert await answer(server.port) == b"", "who says nothing is told nothing"
    await until_answered(server.port, b"\r\n" * 10, statuses=[408])
    # The second request on a connection has the same time, whatever the first had.
    await until_answered(server.port, GET + b"\r\n", GET, statuses=[200, 408])


@pytest.mark.parametrize("limits", [Limits(body_s=0.2)])
@pytest.mark.parametrize("protocol", [by_httptools.GuardedHttp, by_h11.GuardedH11])
async def test_a_body_that_does_not_come_is_not_waited_for(
    tmp_path: Path, limits: Limits, monkeypatch: pytest.MonkeyPatch, protocol: type
) -> None:
    monkeypatch.setattr(guard, "BODY_GRACE_S", 0.1)
    monkeypatch.setattr("damas.server.serve._http_protocol", lambda: protocol)
    async with serving(Settings(data=tmp_path, port=0, limits=limits)) as server:
        await until_answered(server.port, GET + b"Content-Length: 100\r\n\r\n", b"a", statuses=[200])
        post = (
            b"POST /api/judge HTTP/1.1\r\n"
            + HOST
            + b"Content-Type: application/json\r\nContent-Length: 9\r\n"
        )
        assert status(await answer(server.port, post + CLOSE)) == 408
        # A handler that waits for something else is told that its client has gone.
        stream = b"GET /api/lobby/stream HTTP/1.1\r\n" + HOST + b"Content-Length: 9\r\n\r\n"
        await until_answered(server.port, stream, statuses=[200])


LOBBY = b"GET /api/lobby/stream HTTP/1.1\r\n" + HOST + b"\r\n"


@pytest.mark.parametrize("limits", [Limits(head_s=600, keep_alive_s=600)])
@pytest.mark.parametrize(
    ("protocol", "sent"),
    [
        (by_httptools.GuardedHttp, b""),
        (by_httptools.GuardedHttp, GET + b"\r\n"),
        (by_httptools.GuardedHttp, LOBBY),
        (by_h11.GuardedH11, b""),
        (by_h11.GuardedH11, GET + b"\r\n"),
    ],
)
async def test_empty_lines_without_a_request_end_the_connection(
    tmp_path: Path, limits: Limits, monkeypatch: pytest.MonkeyPatch, protocol: type, sent: bytes
) -> None:
    """Where h11 answers a request, it reads nothing until it has done so."""
    monkeypatch.setattr("damas.server.serve._http_protocol", lambda: protocol)
    async with serving(Settings(data=tmp_path, port=0, limits=limits)) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(sent)
        if sent:
            assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
        writer.write(b"\r\n" * 6000)
        with suppress(ConnectionError):
            await asyncio.wait_for(reader.read(), 60)
        writer.close()


async def test_a_few_empty_lines_between_requests_do_no_harm(server: Server) -> None:
    text = await answer(server.port, b"\r\n" * 50 + GET + b"\r\n", b"\r\n" * 50, GET + CLOSE)
    assert text.count(b"HTTP/1.1 200 ") == 2


@pytest.mark.parametrize("limits", [Limits(pipelined_requests=3)])
async def test_pipelined_requests_are_all_answered_in_order(server: Server) -> None:
    requests = [f"GET /api/nothing/{number} HTTP/1.1\r\n".encode() + HOST + b"\r\n" for number in range(300)]
    text = await answer(server.port, *requests, GET + CLOSE)
    assert text.count(b"HTTP/1.1 404 ") == 300
    assert text.rindex(b"HTTP/1.1 200 ") > text.rindex(b"HTTP/1.1 404 ")


@pytest.mark.parametrize("earlier", [GET + b"\r\n", LOBBY])
async def test_what_cannot_be_read_is_not_refused_in_the_place_of_an_earlier_request(
    server: Server, earlier: bytes
) -> None:
    text = await answer(server.port, earlier + b"\0\r\n\r\n")
    assert b"HTTP/1.1 400 " not in text
    assert status(await answer(server.port, b"\0\r\n\r\n")) == 400


async def test_a_body_is_not_mostly_wrapping(server: Server) -> None:
    head = b"POST /api/judge HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
    head += b"Transfer-Encoding: chunked\r\n" + CLOSE
    assert status(await answer(server.port, head, b"1\r\n \r\n" * 500, b"0\r\n\r\n")) == 400, "read: no JSON"
    assert status(await answer(server.port, head, b"1\r\n \r\n" * 4_000)) == 431
    assert status(await answer(server.port, head, b"1000\r\n" + b" " * 4096 + b"\r\n", b"0\r\n\r\n")) == 400
    assert status(await answer(server.port, head, b"0\r\na: " + b"b" * 20_000)) == 431


async def test_a_long_file_is_still_read(server: Server, web: httpx.AsyncClient) -> None:
    pdn = b'[Rulebook "brasileira"] 1. c3-d4 *' + b" " * 300_000
    reply = await web.post("/api/pdn/read", content=pdn, headers={"Content-Type": "application/x-pdn"})
    assert reply.status_code == 200


@pytest.mark.parametrize("limits", [Limits(write_stall_s=0.2)])
async def test_a_client_that_does_not_read_is_cut_off(server: Server) -> None:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", server.port))
    _, writer = await asyncio.open_connection(sock=client)
    writer.transport.pause_reading()

    async def ask_for_ever() -> None:
        while True:
            writer.write((b"GET /api/openapi.json HTTP/1.1\r\n" + HOST + b"\r\n") * 4)
            await writer.drain()
            await asyncio.sleep(0.05)

    with pytest.raises(ConnectionError):
        await asyncio.wait_for(ask_for_ever(), 60)
    writer.close()


@pytest.mark.parametrize("limits", [Limits(connections_per_address=4), Limits(connections=16)])
async def test_an_address_has_so_many_connections(server: Server) -> None:
    stream = b"GET /api/lobby/stream HTTP/1.1\r\n" + HOST + b"\r\n"
    held = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(4)]
    for reader, writer in held:
        writer.write(stream)
        assert status(await reader.readline()) == 200
    assert status(await answer(server.port)) == 429
    held.pop()[1].close()
    async with asyncio.timeout(60):
        while status(await answer(server.port, GET + CLOSE)) != 200:
            await asyncio.sleep(0.01)
    for _, writer in held:
        writer.close()


@pytest.mark.parametrize("more", [{"trusted_proxies": ("127.0.0.1",)}])
@pytest.mark.parametrize("limits", [Limits(connections=8)])
async def test_the_longest_idle_connection_makes_room(server: Server) -> None:
    """Plain HTTP has half of the places; nobody who asks for something is kept out by those who ask nothing. (Behind a
    proxy no address has a limit of its own.)
    """
    held = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(4)]
    for _ in range(3):
        assert status(await answer(server.port, GET + CLOSE)) == 200
    assert await asyncio.wait_for(held[0][0].read(), 60) == b""
    person = await server.person()
    board = await person.sit(await person.create(kind="level", level=1))
    assert board.hello
    for _, writer in held:
        writer.close()


@pytest.mark.parametrize("limits", [Limits(requests_per_second=0.01, request_wait_s=0)])
async def test_requests_that_come_too_fast_are_refused(web: httpx.AsyncClient) -> None:
    """One in a hundred seconds: however slow the machine is, the second comes too soon."""
    assert [(await web.get("/healthz")).status_code for _ in range(2)] == [200, 429]


@pytest.mark.parametrize("more", [{"trusted_proxies": ("127.0.0.1",)}])
@pytest.mark.parametrize("limits", [Limits(connections_per_address=2)])
async def test_a_trusted_proxy_has_as_many_connections_as_it_needs(server: Server) -> None:
    held = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(6)]
    assert status(await answer(server.port, GET + CLOSE)) == 200
    for _, writer in held:
        writer.close()


async def test_without_httptools_the_same_holds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("damas.server.serve._http_protocol", lambda: by_h11.GuardedH11)
    hasty = Settings(data=tmp_path / "hasty", port=0, limits=Limits(head_s=0.3))
    async with serving(hasty) as server:
        await until_answered(server.port, GET, statuses=[408])
        assert await answer(server.port) == b""
    async with serving(Settings(data=tmp_path, port=0, limits=Limits(head_bytes=5_000))) as server:
        port = server.port
        assert status(await answer(port, GET + CLOSE)) == 200
        assert status(await answer(port, GET + b"a: " + b"b" * 30_000)) in (0, 400)
        text = await answer(port, *([GET + b"\r\n"] * 100), GET + CLOSE)
        assert text.count(b"HTTP/1.1 200 ") == 101
        person = await server.person()
        assert (await person.sit(await person.create(kind="level", level=1))).hello


UPGRADE = (
    HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


@pytest.mark.parametrize(
    "long", [b"GET /game/x/socket?%s HTTP/1.1\r\n", b"GET /game/x/socket HTTP/1.1\r\na: %s\r\n"]
)
async def test_a_websocket_whose_head_cannot_be_read_is_answered_and_closed(
    server: Server, long: bytes
) -> None:
    """A line longer than the websocket's own parser takes, within the limits of a head."""
    assert status(await answer(server.port, long % (b"a" * 10_000) + UPGRADE + b"\r\n")) == 431


@pytest.mark.parametrize(
    "body", [b"Content-Length: 5\r\n\r\nhello", b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"]
)
@pytest.mark.parametrize("method", [b"GET", b"POST"])
async def test_a_websocket_is_not_asked_for_with_a_body(server: Server, method: bytes, body: bytes) -> None:
    head = method + b" /game/x/socket HTTP/1.1\r\n" + UPGRADE
    assert status(await answer(server.port, head + body)) == 400


async def test_a_websocket_behind_a_request_that_is_being_answered_is_cut_off(server: Server) -> None:
    stream = b"GET /api/lobby/stream HTTP/1.1\r\n" + HOST + b"\r\n"
    assert b" 101 " not in await answer(
        server.port, stream, b"GET /game/x/socket HTTP/1.1\r\n" + UPGRADE + b"\r\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of open files")
@pytest.mark.parametrize(("soft", "hard", "raised"), [(64, 300, 300), (256, 256, 256), (100, 3_000, 3_000)])
def test_the_limit_of_open_files_is_raised_as_far_as_the_system_allows(
    soft: int, hard: int, raised: int
) -> None:
    program = (
        f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}));"
        "from damas.server.transport.files import raise_file_limit;"
        "print(raise_file_limit(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True).split() == [str(raised)] * 2
