"""What every answer says to the browser, and what may be kept."""

import re
from pathlib import Path

import httpx
import pytest

from damas.server.web.static_files import FOLDER, static, static_file

ADDRESSES = [
    "/rules",
    "/nothing-here",
    "/static/shell.js",
    "/api/rulebooks",
    "/api/nothing",
    "/healthz",
    "/words/es.json",
]


@pytest.mark.parametrize("address", ADDRESSES)
async def test_every_answer_is_guarded(web: httpx.AsyncClient, address: str) -> None:
    headers = (await web.get(address)).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "server" not in headers


async def test_the_policy_runs_our_own_scripts_only(web: httpx.AsyncClient, port: int) -> None:
    policy = dict(
        part.strip().split(" ", 1)
        for part in (await web.get("/rules")).headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["form-action"] == "'self'"
    host = f"127.0.0.1:{port}"
    assert policy["connect-src"] == f"'self' ws://{host} wss://{host}"
    assert "unsafe" not in str(policy)


async def test_a_host_cannot_write_the_policy(web: httpx.AsyncClient) -> None:
    reply = await web.get("/healthz", headers={"Host": "a.example; script-src *"})
    assert "script-src *" not in reply.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("address", "status"),
    [("/embed/position?rulebook=faraes&lang=es", 200), ("/embed/game/nothing", 404), ("/embed/nothing", 404)],
)
async def test_only_embedded_pages_can_be_framed_and_they_set_no_cookie(
    web: httpx.AsyncClient, address: str, status: int
) -> None:
    reply = await web.get(address, headers={"Accept": "text/html"})
    policy = reply.headers["content-security-policy"]
    assert reply.status_code == status
    assert "frame-ancestors *" in policy and "form-action 'none'" in policy and "unsafe" not in policy
    assert "x-frame-options" not in reply.headers and "set-cookie" not in reply.headers
    assert reply.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "<form" not in reply.text and "data-visitor" not in reply.text


async def test_an_embedded_page_is_as_an_unknown_visitor_sees_it(web: httpx.AsyncClient) -> None:
    """Whatever cookies a browser sends there: one page for all."""
    await web.get("/api/lobby")
    web.headers["X-Damas"] = "1"
    await web.post("/api/account/name", json={"name": "Ana Zé"})
    terms = {"rulebook": "faraes", "opponent": {"kind": "level", "level": 1}, "color": "white"}
    game = (await web.post("/api/games", json=terms)).json()["id"]
    mine = (await web.get(f"/embed/game/{game}?lang=en")).text
    web.cookies.clear()
    assert mine == (await web.get(f"/embed/game/{game}?lang=en")).text
    assert "The game is being played." in mine and "Ana Zé" in mine


async def test_no_https_no_hsts(web: httpx.AsyncClient) -> None:
    assert "strict-transport-security" not in (await web.get("/rules")).headers


@pytest.mark.parametrize("more", [{"secure": True}])
async def test_https_stays_https(web: httpx.AsyncClient) -> None:
    header = (await web.get("/rules")).headers["strict-transport-security"]
    assert int(re.findall(r"max-age=(\d+)", header)[0]) >= 31_536_000


async def test_our_own_fault_is_guarded_and_says_nothing_of_its_cause(
    web: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("the secret cause")

    monkeypatch.setattr("damas.server.web.rules.cached_json", fails)
    answer = await web.get("/api/rulebooks", headers={"Accept-Language": "es"})
    assert answer.status_code == 500
    assert answer.json()["error"]["code"] == "OUR_FAULT"
    assert answer.json()["error"]["lang"] == "es"
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


# Static files


async def test_a_file_under_its_hash_is_kept_for_ever(web: httpx.AsyncClient) -> None:
    named = await web.get(static("shell.js"))
    assert "immutable" in named.headers["cache-control"]
    assert named.headers["content-type"] == "text/javascript; charset=utf-8"
    plain = await web.get("/static/shell.js")
    assert plain.headers["cache-control"] == "no-cache"
    wrong = await web.get("/static/shell.js?v=000000000000")
    assert wrong.headers["cache-control"] == "no-cache"


async def test_only_the_worker_of_the_core_compiles_webassembly(web: httpx.AsyncClient) -> None:
    workers = (("bundle/worker.js", True), ("bundle/thread.js", True))
    for path, may in (*workers, ("bundle/game.js", False), ("local/worker.js", False)):
        policy = (await web.get(f"/static/{path}")).headers["content-security-policy"]
        assert ("'wasm-unsafe-eval'" in policy) == may, path


async def test_what_is_known_already_is_not_sent_again(web: httpx.AsyncClient) -> None:
    first = await web.get("/static/shell.js")
    again = await web.get("/static/shell.js", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    assert again.content == b""


async def test_text_is_compressed_for_those_who_can_read_it(web: httpx.AsyncClient) -> None:
    packed = await web.get("/static/shell.js", headers={"Accept-Encoding": "gzip"})
    plain = await web.get("/static/shell.js", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content
    assert packed.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    "path",
    [
        "../app.py",
        "..%2fapp.py",
        "%2e%2e/app.py",
        "icons/../../app.py",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "..\\app.py",
        "a%00b",
        "",
    ],
)
async def test_nothing_outside_the_folder_is_served(port: int, path: str) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        request = client.build_request("GET", "/static/x")
        request.url = request.url.copy_with(raw_path=b"/static/" + path.encode())
        assert (await client.send(request)).status_code == 404


def test_a_changed_file_has_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damas.server.web.static_files.FOLDER", tmp_path)
    (tmp_path / "a.js").write_text("one")
    first = static("a.js")
    (tmp_path / "a.js").write_text("two, and longer")
    assert static_file("a.js").content.data == b"two, and longer"
    assert static("a.js") != first


async def test_the_worker_lies_at_the_root(web: httpx.AsyncClient) -> None:
    answer = await web.get("/sw.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.content == (FOLDER / "sw.js").read_bytes()


async def test_the_manifest_can_be_installed(web: httpx.AsyncClient) -> None:
    reply = (await web.get("/manifest.webmanifest", headers={"Accept-Language": "pt-BR"})).json()
    assert reply["start_url"] == "/"
    assert reply["lang"] == "pt-BR"
    assert reply["icons"]
    for icon in reply["icons"]:
        answer = await web.get(icon["src"])
        assert answer.status_code == 200 and answer.headers["content-type"].startswith(icon["type"])


async def test_an_iphone_has_a_picture_for_its_home_screen(web: httpx.AsyncClient) -> None:
    """It shows no SVG there."""
    [path] = re.findall(r'rel="apple-touch-icon" href="([^"]+)"', (await web.get("/")).text)
    assert (await web.get(path)).content.startswith(b"\x89PNG")


async def test_pictures_of_games_may_be_shown_elsewhere(page: httpx.AsyncClient) -> None:
    picture = await page.get("/position.svg?rulebook=faraes")
    assert picture.status_code == 200
    assert picture.headers["cross-origin-resource-policy"] == "cross-origin"
    assert (await page.get("/api/rulebooks")).headers["cross-origin-resource-policy"] == "same-origin"
