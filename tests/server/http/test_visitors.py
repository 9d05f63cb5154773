"""Who is asking: a signed cookie, which nobody else can write, and the language they read."""

import re
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from damas.server.security.visitors import BadSecret, Signature, secret_in
from damas.server.settings import Settings
from damas.server.store import Store
from damas.server.store.backup import backup, restore
from damas.server.words import Words, accepted_language
from server.rooms.clients import serving


async def me(web: httpx.AsyncClient, **headers: str) -> dict[str, Any]:
    return dict((await web.get("/api/account", headers=headers)).json())


async def test_a_newcomer_gets_a_cookie_and_stays_the_same(web: httpx.AsyncClient) -> None:
    answer = await web.get("/rules")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("damas_visitor=")
    for needed in ("HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="):
        assert needed in cookie
    assert "Domain" not in cookie
    first = await me(web)
    assert await me(web) == first
    assert "set-cookie" not in (await web.get("/rules")).headers
    assert not first["account"]
    assert first["name"].startswith("Player ")


@pytest.mark.parametrize(
    ("language", "word"), [("pt-BR", "Damista"), ("pt-PT", "Jogador"), ("es", "Jugador"), ("en", "Player")]
)
async def test_a_guest_is_called_as_the_country_calls_a_player(
    web: httpx.AsyncClient, language: str, word: str
) -> None:
    name = (await me(web, **{"Accept-Language": language}))["name"]
    assert re.fullmatch(rf"{word} \d{{4}}", name)
    assert name == Words().say("play.player.unnamed", language, number=name[-4:])


async def test_two_newcomers_are_two(port: int) -> None:
    ids = set()
    for _ in range(2):
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
            await client.get("/rules")
            ids.add((await me(client))["id"])
    assert len(ids) == 2
    assert all(len(bytes.fromhex(one)) == 16 for one in ids)  # 128 random bits


@pytest.mark.parametrize("forge", ["id", "mark", "name", "empty", "long", "dots"])
async def test_a_cookie_that_we_did_not_sign_is_nobody(web: httpx.AsyncClient, forge: str) -> None:
    await web.get("/rules")
    first = await me(web)
    visitor, name, mark = web.cookies["damas_visitor"].split(".")
    forged = {
        "id": f"{'0' * 32}.{name}.{mark}",
        "mark": f"{visitor}.{name}.{mark[:-1]}{'A' if mark[-1] != 'A' else 'B'}",
        "name": f"{visitor}.QW5h.{mark}",
        "empty": "",
        "long": "a" * 3000,
        "dots": "....",
    }[forge]
    web.cookies.clear()
    answer = await web.get("/api/account", headers={"Cookie": f"damas_visitor={forged}"})
    assert answer.json()["id"] != first["id"]
    assert answer.json()["id"] != "0" * 32
    assert "damas_visitor=" in answer.headers["set-cookie"]


async def test_what_caches_keep_carries_no_cookie(web: httpx.AsyncClient) -> None:
    for address in ("/static/shell.js", "/words/en.json", "/sw.js", "/healthz"):
        assert "set-cookie" not in (await web.get(address)).headers


@pytest.mark.parametrize("more", [{"secure": True}])
async def test_cookies_are_bound_to_the_host_and_to_https(web: httpx.AsyncClient) -> None:
    cookie = (await web.get("/rules")).headers["set-cookie"]
    assert cookie.startswith("__Host-damas_visitor=")
    assert "Secure" in cookie
    assert "Domain" not in cookie
    assert "Path=/" in cookie


async def test_a_visitor_may_choose_a_name(page: httpx.AsyncClient) -> None:
    await page.get("/rules")
    first = await me(page)
    answer = await page.post("/api/account/name", json={"name": "  Zé da Ponte "})
    assert answer.status_code == 200
    assert (await me(page))["name"] == "Zé da Ponte"
    assert (await me(page))["id"] == first["id"]


@pytest.mark.parametrize(
    "name", ["", " ", "a", "x" * 31, "a\u202eb", "a\nb", "<b>", "a  b", "-a", "a\u200bb", "@@"]
)
async def test_a_name_that_hides_or_breaks_is_refused(page: httpx.AsyncClient, name: str) -> None:
    answer = await page.post("/api/account/name", json={"name": name})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "BAD_NAME")


async def test_user_text_stays_text(page: httpx.AsyncClient) -> None:
    shown = await page.get("/nothing/<script>alert(1)</script>", headers={"Accept": "text/html"})
    assert "<script>alert" not in shown.text


# The secret


def test_a_secret_is_whole_when_it_has_its_name_and_its_owner_alone_reads_it(tmp_path: Path) -> None:
    first = secret_in(tmp_path / "data" / "operator")
    assert re.fullmatch(rb"[0-9a-f]{64}", first)
    assert secret_in(tmp_path / "data" / "operator") == first != secret_in(tmp_path / "other" / "operator")
    assert stat.S_IMODE((tmp_path / "data" / "operator").stat().st_mode) == 0o600
    assert [file.name for file in (tmp_path / "data").iterdir()] == ["operator"]


async def test_the_environment_may_give_the_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it is nowhere else, and two machines that are given the same read each other's cookies."""
    monkeypatch.setenv("DAMAS_SECRET", "shared by two machines")
    cookies = []
    for name in ("a", "b"):
        async with serving(Settings(data=tmp_path / name, port=0)) as server:
            cookies.append(server.services.signature.write("abc"))
            await server.services.store.secret("other")
        with closing(sqlite3.connect(tmp_path / name / "damas.sqlite3")) as database:
            assert set(database.execute("SELECT name FROM secret")) == {("other",), ("report_holders",)}
    assert cookies[0] == cookies[1]


async def test_the_secret_of_an_earlier_damas_is_taken_over(tmp_path: Path) -> None:
    """From its file into the database, where backups have it; a backup made before the first start has it too."""
    settings = Settings(data=tmp_path / "data", port=0)
    await (await Store.open(settings)).close()
    secret = secret_in(settings.data / "secret")
    cookie = Signature(secret).write("abc", "Zé")
    await backup(settings, tmp_path / "copy")
    there = Settings(data=tmp_path / "there", port=0)
    await restore(tmp_path / "copy", there)
    for place in (settings, settings, there):
        async with serving(place) as server:
            assert server.services.signature.read(cookie) == ("abc", "Zé")
        assert not (place.data / "secret").exists()


def test_another_secret_does_not_read_our_cookies() -> None:
    cookie = Signature(b"a" * 32).write("abc", "Zé")
    assert Signature(b"a" * 32).read(cookie) == ("abc", "Zé")
    assert Signature(b"b" * 32).read(cookie) is None


# Language


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("pt", "pt-BR"),
        ("pt-PT,pt;q=0.9", "pt-PT"),
        ("fr,de;q=0.9", "en"),
        ("fr, es;q=0.1", "es"),
        ("en;q=0.2, pt-BR;q=0.3", "pt-BR"),
        ("es;q=0", "en"),
        ("pt-BR;q=zzz,es", "es"),
        (",,;;q=,", "en"),
    ],
)
def test_the_browser_says_what_it_reads(header: str, language: str) -> None:
    assert accepted_language(header) == language


async def test_the_address_chooses_then_the_cookie_then_the_browser(web: httpx.AsyncClient) -> None:
    portuguese = {"Accept-Language": "pt-PT"}
    assert 'lang="pt-PT"' in (await web.get("/account", headers=portuguese)).text
    assert 'lang="es"' in (await web.get("/account?lang=es", headers=portuguese)).text
    assert 'lang="es"' in (await web.get("/account", headers=portuguese)).text
    assert 'lang="es"' in (await web.get("/account?lang=xx", headers=portuguese)).text


async def test_the_links_to_other_languages_stay_here(web: httpx.AsyncClient) -> None:
    for path in ("//evil.example/rules", "/account?next=//evil.example&lang=en"):
        request = web.build_request("GET", "/x", headers={"Accept": "text/html"})
        request.url = request.url.copy_with(raw_path=path.encode())
        text = (await web.send(request)).text
        links = re.findall(r'class="menu-item" href="([^"]*)" lang', text)
        assert len(links) == 4
        assert all(re.match(r"/[^/]", link) for link in links), links


async def test_the_default_rulebook_follows_the_language(web: httpx.AsyncClient) -> None:
    wanted = {"pt-BR": "brasileira", "pt-PT": "portuguesa", "es": "espanhola", "en": "internacional"}
    for language, rulebook in wanted.items():
        text = (await web.get(f"/account?lang={language}")).text
        assert f'data-rulebook-default="{rulebook}"' in text


def test_a_secret_that_could_not_be_written_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(OSError, match="No space"):
            secret_in(tmp_path / "secret")
    assert list(tmp_path.iterdir()) == []
    assert len(secret_in(tmp_path / "secret")) == 64


@pytest.mark.parametrize("text", [b"", b"\n", b"abc", b"0" * 63, b"0" * 65, b"x" * 64])
def test_a_file_that_holds_no_secret_is_refused(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "secret").write_bytes(text)
    with pytest.raises(BadSecret, match="64 hexadecimal digits"):
        secret_in(tmp_path / "secret")
    assert (tmp_path / "secret").read_bytes() == text, "nothing is lost that somebody may want to look at"
