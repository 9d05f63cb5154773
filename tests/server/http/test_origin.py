"""No other site may act in a visitor's name, and no other name may lead here."""

from typing import Any

import httpx
import pytest
from starlette.datastructures import Headers
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from damas.server.security.hosts import apply_forwarded, host_names, ip_network
from damas.server.settings import Settings
from server.rooms.clients import Server

GAME = {"rulebook": "brasileira", "opponent": {"kind": "level", "level": 1}}


async def make(web: httpx.AsyncClient, **headers: str) -> int:
    return (await web.post("/api/games", json=GAME, headers=headers)).status_code


async def test_a_change_needs_our_own_page(web: httpx.AsyncClient, port: int) -> None:
    own = f"http://127.0.0.1:{port}"
    assert await make(web) == 403
    assert await make(web, **{"X-Damas": "1"}) == 201
    assert await make(web, Origin=own) == 201
    assert await make(web, Origin="https://evil.example") == 403
    assert await make(web, Origin="https://evil.example", **{"X-Damas": "1"}) == 403
    assert await make(web, Origin="null", **{"X-Damas": "1"}) == 403
    assert await make(web, Origin=f"{own}.evil.example") == 403
    assert await make(web, **{"X-Damas": "1", "Sec-Fetch-Site": "cross-site"}) == 403
    assert await make(web, **{"X-Damas": "1", "Sec-Fetch-Site": "same-origin"}) == 201


async def test_a_form_of_another_site_changes_nothing(web: httpx.AsyncClient) -> None:
    answer = await web.post(
        "/api/account/logout", data={"a": "b"}, headers={"Origin": "https://evil.example"}
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "ORIGIN")


async def test_no_preflight_is_granted(web: httpx.AsyncClient) -> None:
    preflight = {
        "Origin": "https://evil.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "x-damas",
    }
    answer = await web.options("/api/games", headers=preflight)
    assert not [name for name in answer.headers if name.startswith("access-control")]


async def test_questions_that_change_nothing_may_be_asked_by_any_program(web: httpx.AsyncClient) -> None:
    answer = await web.post("/api/position", json={"rulebook": "faraes"})
    assert answer.status_code == 200


async def test_no_get_changes_anything(web: httpx.AsyncClient) -> None:
    for address in (
        "/api/games/abc/join",
        "/api/account/login",
        "/api/account/logout",
        "/api/account/tokens",
        "/api/bot/game/abc/move/c3-d4",
        "/api/board/game/abc/resign",
        "/api/challenge/ai",
        "/api/board/seek",
    ):
        assert (await web.get(address)).status_code in (404, 405), address


# Sockets


async def shakes_hands(server: Server, game: str, cookies: str, **headers: str) -> int:
    url = f"ws://127.0.0.1:{server.port}/game/{game}/socket"
    try:
        async with connect(url, additional_headers={"Cookie": cookies, **headers}):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


async def test_a_socket_is_opened_by_our_own_pages_only(server: Server) -> None:
    person = await server.person()
    game = await person.create(kind="level", level=1)
    cookies = "; ".join(f"{name}={value}" for name, value in person.http.cookies.items())
    own = f"http://127.0.0.1:{server.port}"
    assert await shakes_hands(server, game, cookies, Origin=own) == 101
    assert await shakes_hands(server, game, cookies) == 101  # no browser leaves it out
    assert await shakes_hands(server, game, cookies, Origin="https://evil.example") == 403
    assert await shakes_hands(server, game, cookies, Origin="null") == 403


@pytest.mark.parametrize("more", [{"secure": True, "public_url": "https://damas.example"}])
async def test_behind_https_only_https_is_ours(web: httpx.AsyncClient, port: int) -> None:
    assert await make(web, Origin="https://damas.example") == 201
    assert await make(web, Origin=f"http://127.0.0.1:{port}") == 403
    assert await make(web, Host="damas.example", Origin="http://damas.example") == 403


# Hosts


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil.example:80"])
async def test_another_name_is_not_answered(web: httpx.AsyncClient, host: str) -> None:
    answer = await web.get("/rules", headers={"Host": host})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "HOST")


async def test_our_names_are_answered(web: httpx.AsyncClient, port: int) -> None:
    for host in (f"127.0.0.1:{port}", "localhost", "LOCALHOST:1", "[::1]:9"):
        assert (await web.get("/api/rulebooks", headers={"Host": host})).status_code == 200
    assert (await web.get("/healthz", headers={"Host": "10.1.2.3"})).status_code == 200


def test_the_settings_name_hosts(tmp_path: Any) -> None:
    names = host_names(
        Settings(data=tmp_path, public_url="https://Damas.example/x", allowed_hosts=("club.local",))
    )
    assert {"damas.example", "club.local", "localhost"} <= names
    assert "*" not in names


@pytest.mark.parametrize("more", [{"host": "0.0.0.0"}])
async def test_a_number_is_answered_and_a_foreign_name_is_not(web: httpx.AsyncClient) -> None:
    """A name can be pointed here by somebody else; a number is what it is."""
    for host in ("192.168.7.8:8000", "10.42.0.1", "[fe80::1]:80", "localhost"):
        assert (await web.get("/api/rulebooks", headers={"Host": host})).status_code == 200, host
    for host in ("evil.example", "192.168.7.8.evil.example", "1.2.3"):
        assert (await web.get("/api/rulebooks", headers={"Host": host})).status_code == 400, host


# Proxies

TRUSTED = [ip_network("10.0.0.0/8")]


def seen(client: str, **headers: str) -> tuple[str, str]:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope: dict[str, Any] = {"type": "http", "client": (client, 1), "scheme": "http", "headers": raw}
    apply_forwarded(scope, Headers(scope=scope), TRUSTED)
    return scope["client"][0], scope["scheme"]


def test_forwarded_headers_are_believed_of_named_proxies_only() -> None:
    headers = {"x_forwarded_for": "6.6.6.6, 203.0.113.9", "x_forwarded_proto": "https"}
    assert seen("10.0.0.1", **headers) == ("203.0.113.9", "https")
    assert seen("198.51.100.7", **headers) == ("198.51.100.7", "http")


def test_an_address_that_somebody_wrote_before_the_proxy_is_not_believed() -> None:
    assert seen("10.0.0.1", x_forwarded_for="1.1.1.1, 203.0.113.9, 10.0.0.2")[0] == "203.0.113.9"
    assert seen("10.0.0.1", x_forwarded_for="1.1.1.1, nonsense")[0] == "10.0.0.1"
    assert seen("10.0.0.1", x_forwarded_for="")[0] == "10.0.0.1"


def test_a_header_on_several_lines_is_one_list() -> None:
    """Whoever asks may send a line of his own; a proxy that appends writes another below it."""
    raw = [
        (b"x-forwarded-for", b"6.6.6.6"),
        (b"x-forwarded-proto", b"http"),
        (b"x-forwarded-for", b"203.0.113.9"),
        (b"x-forwarded-proto", b"https"),
    ]
    scope: dict[str, Any] = {"type": "http", "client": ("10.0.0.1", 1), "scheme": "http", "headers": raw}
    assert apply_forwarded(scope, Headers(scope=scope), TRUSTED)
    assert (scope["client"][0], scope["scheme"]) == ("203.0.113.9", "https")


async def test_a_proxy_that_nobody_named_is_told_of_once(
    server: Server, web: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("WARNING", "damas")
    await web.get("/api/rulebooks")
    assert "DAMAS_TRUSTED_PROXIES" not in caplog.text
    for _ in range(3):
        await web.get("/api/rulebooks", headers={"X-Forwarded-For": "203.0.113.9"})
    warnings = [record for record in caplog.records if "DAMAS_TRUSTED_PROXIES" in record.getMessage()]
    assert len(warnings) == 1 and "127.0.0.1" in warnings[0].getMessage()
