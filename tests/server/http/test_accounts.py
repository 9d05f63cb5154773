"""Accounts: made, entered, left, closed; and everything that a login opened ends with it."""

import asyncio
import stat
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from damas.server.security.passwords import weakness
from damas.server.settings import Limits
from damas.server.store import people
from damas.server.store.keys import fingerprint
from server.rooms.clients import Server
from server.shared import code

ANA = {"name": "Ana", "password": "um cavalo sem sela"}
Browser = Callable[[], Awaitable[httpx.AsyncClient]]


@pytest.fixture
async def browser(server: Server) -> AsyncIterator[Browser]:
    """As many browsers as a test needs, each with cookies of its own."""
    async with AsyncExitStack() as stack:

        async def new() -> httpx.AsyncClient:
            client = httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}", headers={"X-Damas": "1"})
            await stack.enter_async_context(client)
            await client.get("/api/account")
            return client

        yield new


async def me(web: httpx.AsyncClient) -> dict[str, Any]:
    return dict((await web.get("/api/account")).json())


async def sign_up(web: httpx.AsyncClient, **more: Any) -> httpx.Response:
    answer = await web.post("/api/account", json={**ANA, **more})
    assert answer.status_code == 201, answer.text
    return answer


@pytest.fixture
async def ana(browser: Browser) -> httpx.AsyncClient:
    """A browser that is logged in to the account `ANA`."""
    web = await browser()
    await sign_up(web)
    return web


# Making one


async def test_an_account_brings_the_visitors_games_along(browser: Browser) -> None:
    web = await browser()
    game = {"rulebook": "brasileira", "opponent": {"kind": "level", "level": 1}, "colour": "white"}
    played = (await web.post("/api/games", json=game)).json()["id"]
    before = await me(web)
    await sign_up(web)
    after = await me(web)
    assert (after["name"], after["account"]) == ("Ana", True)
    assert after["id"] != before["id"]
    listed = (await web.get("/api/archive?mine=1")).json()["games"]
    assert played in [row["id"] for row in listed]
    assert (await web.get(f"/api/games/{played}")).json()["you"] == "white"


async def test_a_name_is_taken_once_however_it_is_written(browser: Browser) -> None:
    await sign_up(await browser(), name="Álvaro")
    other = await browser()
    for name in ("Álvaro", "ÁLVARO", "a\u0301lvaro"):
        assert code(await other.post("/api/account", json={**ANA, "name": name})) == (409, "NAME_TAKEN")
    assert code(await other.post("/api/account/name", json={"name": "álvaro"})) == (409, "NAME_TAKEN")


async def test_a_name_that_looks_like_another_is_refused(browser: Browser) -> None:
    await sign_up(await browser(), name="Paulo Iori")
    other = await browser()
    for name in ("Paulo lori", "Pau1o Iori", "PAULO 1ORI", "Раulо Iоri".replace("u", "ц")):
        taken = code(await other.post("/api/account", json={**ANA, "name": name}))
        renamed = code(await other.post("/api/account/name", json={"name": name}))
        mixed = any(letter > "\u0400" for letter in name)
        assert taken == renamed == ((400, "MIXED_NAME") if mixed else (409, "NAME_ALIKE")), name
    for name in ("Paula Iori", "Paulo Ivori", "Паулo".replace("o", "о"), "田中 Ken"):
        assert code(await other.post("/api/account/name", json={"name": name})) == (200, ""), name
    await sign_up(await browser(), name="рорре")  # all Cyrillic, and like Latin letters
    assert code(await other.post("/api/account", json={**ANA, "name": "poppe"})) == (409, "NAME_ALIKE")


@pytest.mark.parametrize(
    ("password", "wanted"),
    [
        ("1234567", "SHORT_PASSWORD"),
        ("x" * 257, "LONG_PASSWORD"),
        ("12345678", "COMMON_PASSWORD"),
        ("Password1!", "COMMON_PASSWORD"),
        ("senha1234", "COMMON_PASSWORD"),
        ("aaaaaaaaaa", "COMMON_PASSWORD"),
        ("anaanaana", "COMMON_PASSWORD"),
    ],
)
async def test_a_bad_password_is_refused_with_the_reason(
    page: httpx.AsyncClient, password: str, wanted: str
) -> None:
    assert code(await page.post("/api/account", json={"name": "Ana", "password": password})) == (400, wanted)


def test_a_password_of_the_shortest_and_of_the_longest_length_is_taken() -> None:
    least, most = Limits().password_length
    assert weakness("kz-Rvq8w"[:least]) is None
    assert weakness("kz-Rvq8w" * (most // 8)) is None


# Entering and leaving


@pytest.mark.parametrize("limits", [Limits(logins_per_account=2)])
async def test_an_account_has_so_many_logins_and_the_oldest_ends(browser: Browser) -> None:
    first, second, third = [await browser() for _ in range(3)]
    await sign_up(first)
    for web, accounts in ((second, [True, True, False]), (third, [False, True, True])):
        assert (await web.post("/api/account/login", json=ANA)).status_code == 200
        assert [(await me(each))["account"] for each in (first, second, third)] == accounts
    assert len((await me(third))["logins"]) == 2


async def test_a_login_gets_a_token_of_its_own_whatever_cookie_came(browser: Browser) -> None:
    """Nobody can put a cookie into a browser beforehand and share the login that is made later."""
    first = await browser()
    await sign_up(first)
    victim = await browser()
    planted = "A" * 43
    victim.cookies.set("damas_login", planted)
    answer = await victim.post("/api/account/login", json=ANA)
    assert answer.status_code == 200
    given = answer.headers.get_list("set-cookie")
    assert any(
        cookie.startswith("damas_login=") and planted not in cookie and "HttpOnly" in cookie
        for cookie in given
    )
    attacker = await browser()
    attacker.cookies.set("damas_login", planted)
    assert not (await me(attacker))["account"]


async def test_a_second_login_of_the_same_browser_ends_the_first(
    browser: Browser, ana: httpx.AsyncClient
) -> None:
    old = ana.cookies["damas_login"]
    await ana.post("/api/account/login", json=ANA)
    assert ana.cookies["damas_login"] != old
    assert len((await me(ana))["logins"]) == 1
    other = await browser()
    other.cookies.set("damas_login", old)
    assert not (await me(other))["account"]


async def test_a_wrong_name_and_a_wrong_password_are_told_alike(browser: Browser) -> None:
    await sign_up(await browser())
    web = await browser()
    wrong = [
        await web.post("/api/account/login", json={**ANA, "password": "another password"}),
        await web.post("/api/account/login", json={**ANA, "name": "Nobody"}),
    ]
    assert wrong[0].status_code == wrong[1].status_code == 401
    assert wrong[0].json() == wrong[1].json()


@pytest.mark.parametrize("limits", [Limits(failed_logins_of_address=3)])
async def test_one_password_may_be_tried_on_so_many_accounts(browser: Browser) -> None:
    known, page = await browser(), await browser()
    await sign_up(known)
    for _ in range(4):
        page.cookies.clear()
        assert code(await page.post("/api/account/login", json=ANA)) == (200, ""), (
            "who is right does not count"
        )
    page.cookies.clear()
    answers = []
    for number in range(4):
        guess = {"name": f"player {number}", "password": "senha2024"}
        answers.append(code(await page.post("/api/account/login", json=guess)))
    assert answers == [(401, "WRONG_LOGIN")] * 3 + [(429, "RATE")]
    assert code(await page.post("/api/account/login", json=ANA)) == (429, "RATE")
    # A browser that was logged in before is known, also after it has logged out.
    assert (await known.post("/api/account/logout")).status_code == 200
    assert code(await known.post("/api/account/login", json={**ANA, "password": "wrong"})) == (
        401,
        "WRONG_LOGIN",
    )
    assert code(await known.post("/api/account/login", json=ANA)) == (200, "")
    # Neither another account's cookie nor one signed for something else makes a browser known.
    stranger = await browser()
    assert (await stranger.post("/api/account/name", json={"name": "ana"})).status_code == 409
    assert (await stranger.post("/api/account/name", json={"name": "Zoe"})).status_code == 200
    stranger.cookies.set("damas_known", stranger.cookies["damas_visitor"])
    assert code(await stranger.post("/api/account/login", json={"name": "Zoe", "password": "x"})) == (
        429,
        "RATE",
    )


async def test_leaving_makes_a_new_visitor(ana: httpx.AsyncClient) -> None:
    cookie, visitor = ana.cookies["damas_login"], ana.cookies["damas_visitor"]
    assert (await ana.post("/api/account/logout")).status_code == 200
    assert "damas_login" not in ana.cookies
    assert ana.cookies["damas_visitor"] != visitor
    assert not (await me(ana))["account"]
    ana.cookies.set("damas_login", cookie)
    assert not (await me(ana))["account"]


@pytest.mark.parametrize("limits", [Limits(login_idle_s=2000, login_absolute_s=3000)])
async def test_a_login_ends_unused_or_old(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the store decides, whose test has every moment."""
    monkeypatch.setattr("damas.server.security.logins.CACHE_S", 0.0)
    now = [people._now()]
    monkeypatch.setattr(people, "_now", lambda: now[0])
    web = await browser()
    await sign_up(web)
    now[0] += 1_999_000
    assert (await me(web))["account"]
    now[0] += 2_000_001
    assert not (await me(web))["account"]
    assert "damas_login" not in web.cookies


# Revoking


async def socket_of(web: httpx.AsyncClient, server: Server, game: str) -> Any:
    cookies = "; ".join(f"{name}={value}" for name, value in web.cookies.items())
    socket = await connect(
        f"ws://127.0.0.1:{server.port}/game/{game}/socket", additional_headers={"Cookie": cookies}
    )
    await socket.recv()
    return socket


async def closed_with(socket: Any) -> int | None:
    """The code with which the server closes a socket."""
    async with asyncio.timeout(60):
        await socket.wait_closed()
    return socket.close_code


async def assert_open(socket: Any) -> None:
    """The server answers a ping, so it has not closed the socket before."""
    async with asyncio.timeout(60):
        await (await socket.ping())


async def new_game(web: httpx.AsyncClient) -> str:
    wanted = {"rulebook": "brasileira", "opponent": {"kind": "level", "level": 1}, "colour": "white"}
    return str((await web.post("/api/games", json=wanted)).json()["id"])


@pytest.mark.parametrize("how", ["logout", "revoke all", "revoke one", "password", "close"])
async def test_revocation_closes_live_sockets(browser: Browser, server: Server, how: str) -> None:
    lost, remaining = await browser(), await browser()
    await sign_up(lost)
    await remaining.post("/api/account/login", json=ANA)
    game = await new_game(lost)
    socket, other = await socket_of(lost, server, game), await socket_of(remaining, server, game)
    key = fingerprint(lost.cookies["damas_login"])
    match how:
        case "logout":
            answer = await lost.post("/api/account/logout")
        case "revoke all":
            answer = await remaining.post("/api/account/revoke", json={})
        case "revoke one":
            answer = await remaining.post("/api/account/revoke", json={"login": key})
        case "password":
            answer = await remaining.post(
                "/api/account/password", json={"old": ANA["password"], "new": "another horse entirely"}
            )
        case _:
            answer = await remaining.post("/api/account/close", json={"password": ANA["password"]})
    assert answer.status_code == 200, answer.text
    assert await closed_with(socket) == 1008
    if how == "close":
        assert await closed_with(other) == 1008
    else:
        await assert_open(other)
    assert not (await me(lost))["account"]
    assert (await me(remaining))["account"] == (how != "close")
    await other.close()


async def test_a_revoked_token_ends_its_stream(browser: Browser, ana: httpx.AsyncClient) -> None:
    created = (await ana.post("/api/account/tokens", json={"scopes": ["bot:play"], "label": "x"})).json()
    program = await browser()
    program.cookies.clear()
    program.headers["Authorization"] = f"Bearer {created['token']}"
    async with program.stream("GET", "/api/stream/event") as answer:
        assert answer.status_code == 200
        lines = answer.aiter_raw()
        assert await anext(lines) == b"\n"
        assert (await ana.delete(f"/api/account/tokens/{created['id']}")).status_code == 200
        async with asyncio.timeout(60):
            with suppress(httpx.HTTPError):
                async for _ in lines:
                    pass
    assert code(await program.get("/api/account")) == (401, "TOKEN")


@pytest.mark.parametrize("do", ["revoke", "close"])
async def test_an_operator_ends_what_an_account_has_open(
    browser: Browser, ana: httpx.AsyncClient, server: Server, do: str
) -> None:
    program = await program_of(browser, ana, "bot:play")
    socket = await socket_of(ana, server, await new_game(ana))
    operator = await browser()
    deed = {"name": "ana", "do": do}
    wrong = {"Authorization": f"Operator {'0' * 64}"}
    for headers in ({}, wrong):
        assert code(await operator.post("/api/operator", json=deed, headers=headers)) == (403, "FORBIDDEN")
    path = server.services.settings.data / "operator"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    right = {"Authorization": f"Operator {path.read_text()}"}
    assert (await operator.post("/api/operator", json=deed, headers=right)).status_code == 200
    assert await closed_with(socket) == 1008
    assert code(await program.get("/api/account")) == (401, "TOKEN")
    assert not (await me(ana))["account"]
    again = await ana.post("/api/account/login", json=ANA)
    assert again.status_code == (200 if do == "revoke" else 401)
    nobody = await operator.post("/api/operator", json={**deed, "name": "x"}, headers=right)
    assert nobody.status_code == 404


async def test_what_is_revoked_while_it_is_looked_up_is_not_remembered(
    ana: httpx.AsyncClient, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is asked, the token is revoked, and only then the store's answer arrives."""
    created = (await ana.post("/api/account/tokens", json={"scopes": ["bot:play"], "label": "x"})).json()
    logins, people = server.services.logins, server.services.store.people
    asking, looked_up, revoked = people.token, asyncio.Event(), asyncio.Event()

    async def slow(token: str) -> Any:
        result = await asking(token)
        looked_up.set()
        await revoked.wait()
        return result

    monkeypatch.setattr(people, "token", slow)
    looking = asyncio.create_task(logins.visitor(created["token"]))
    await looked_up.wait()
    assert (await ana.delete(f"/api/account/tokens/{created['id']}")).status_code == 200
    revoked.set()
    assert await looking is None
    assert await logins.visitor(created["token"]) is None


async def test_only_ones_own_logins_can_be_ended(browser: Browser) -> None:
    web, other = await browser(), await browser()
    await sign_up(web)
    await sign_up(other, name="Rui")
    key = fingerprint(other.cookies["damas_login"])
    assert code(await web.post("/api/account/revoke", json={"login": key})) == (404, "NOT_FOUND")
    assert (await me(other))["account"]


async def test_what_cannot_be_undone_asks_for_the_password(ana: httpx.AsyncClient) -> None:
    wrong = {"password": "not the one"}
    assert code(await ana.post("/api/account/close", json=wrong)) == (403, "WRONG_PASSWORD")
    change = {"old": "not the one", "new": "another horse entirely"}
    assert code(await ana.post("/api/account/password", json=change)) == (403, "WRONG_PASSWORD")
    assert (await me(ana))["account"]


async def test_a_closed_account_is_gone_and_its_name_stays_taken(ana: httpx.AsyncClient) -> None:
    await ana.post("/api/account/close", json={"password": ANA["password"]})
    assert code(await ana.post("/api/account/login", json=ANA)) == (401, "WRONG_LOGIN")
    assert code(await ana.post("/api/account", json=ANA)) == (409, "NAME_TAKEN")
    assert code(await ana.post("/api/account/name", json={"name": "aNA"})) == (409, "NAME_TAKEN")


# Tokens


async def program_of(browser: Browser, web: httpx.AsyncClient, *scopes: str) -> httpx.AsyncClient:
    created = await web.post("/api/account/tokens", json={"scopes": list(scopes)})
    program = await browser()
    program.cookies.clear()
    del program.headers["X-Damas"]
    program.headers["Authorization"] = f"Bearer {created.json()['token']}"
    return program


async def test_a_token_does_what_its_scopes_say_and_no_more(browser: Browser, ana: httpx.AsyncClient) -> None:
    bot, board = await program_of(browser, ana, "bot:play"), await program_of(browser, ana, "board:play")
    assert (await me(bot))["scopes"] == ["bot:play"]
    game = (await bot.post("/api/challenge/ai", json={"rulebook": "brasileira", "color": "white"})).json()[
        "id"
    ]
    assert code(await board.post(f"/api/bot/game/{game}/resign")) == (403, "SCOPE")
    assert code(await bot.post(f"/api/board/game/{game}/resign")) == (403, "SCOPE")
    assert (await bot.post(f"/api/bot/game/{game}/resign")).status_code == 200


async def test_a_token_does_not_manage_its_account(browser: Browser, ana: httpx.AsyncClient) -> None:
    bot = await program_of(browser, ana, "bot:play")
    assert code(await bot.post("/api/account/tokens", json={"scopes": ["arbiter:write"]})) == (
        403,
        "FORBIDDEN",
    )
    assert code(await bot.post("/api/account/close", json={"password": ANA["password"]})) == (
        403,
        "FORBIDDEN",
    )
    assert code(await bot.post("/api/account/revoke", json={})) == (403, "FORBIDDEN")
    assert "tokens" not in await me(bot)


@pytest.mark.parametrize("token", ["?", "nonsense", "dam_" + "A" * 43, "dam_" + "A" * 5000, "dam_é"])
async def test_a_token_that_is_none_is_refused(page: httpx.AsyncClient, token: str) -> None:
    header = f"Bearer {token}".encode("latin-1", "replace")
    answer = await page.get("/api/account", headers={b"Authorization": header})
    assert code(answer) == (401, "TOKEN")


async def test_a_login_is_no_token_and_a_token_no_login(browser: Browser, ana: httpx.AsyncClient) -> None:
    created = (await ana.post("/api/account/tokens", json={"scopes": ["bot:play"]})).json()["token"]
    other = await browser()
    answer = await other.get(
        "/api/account", headers={"Authorization": f"Bearer {ana.cookies['damas_login']}"}
    )
    assert answer.status_code == 401
    other.cookies.set("damas_login", created)
    assert not (await me(other))["account"]


@pytest.mark.parametrize("limits", [Limits(tokens_per_account=2)])
async def test_an_account_has_so_many_tokens(ana: httpx.AsyncClient) -> None:
    wanted = {"scopes": ["bot:play"]}
    answers = [code(await ana.post("/api/account/tokens", json=wanted)) for _ in range(3)]
    assert answers == [(201, ""), (201, ""), (409, "TOO_MANY_TOKENS")]


async def test_unknown_scopes_and_no_scopes_are_refused(ana: httpx.AsyncClient) -> None:
    assert code(await ana.post("/api/account/tokens", json={"scopes": ["all"]})) == (400, "UNKNOWN_SCOPE")
    assert code(await ana.post("/api/account/tokens", json={"scopes": []})) == (400, "BAD_BODY")


async def test_nobody_in_particular_has_no_account_to_manage(page: httpx.AsyncClient) -> None:
    for call in ("logout", "revoke", "password", "close", "tokens"):
        assert code(await page.post(f"/api/account/{call}", json={})) == (401, "LOGIN_NEEDED")
