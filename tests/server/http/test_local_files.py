"""What browsers keep for when there is no network: complete, the same for everybody, and nobody's."""

import posixpath
import re
import secrets

import httpx
import pytest

from damas.language import LANGUAGES
from damas.server.web.local_files import NO_HOST, kept_pages
from damas.server.web.static_files import BUNDLES, CORE_WORKERS, FOLDER

MODULES = [*(FOLDER / "core").glob("*.wasm")]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_kept_page_comes_in_its_language(web: httpx.AsyncClient, language: str) -> None:
    listed = (await web.get(f"/words/local-files/{language}.json")).json()
    reply = await web.get(listed["pages"])
    pages = reply.json()
    assert [*pages] == kept_pages()
    assert reply.headers["Content-Language"] == language
    for path, text in pages.items():
        assert f'<html lang="{language}"' in text, path
        assert NO_HOST not in text, path
    assert len(listed["files"]) == len({*listed["files"]})


async def test_the_files_that_kept_pages_name_are_kept(web: httpx.AsyncClient) -> None:
    listed = (await web.get("/words/local-files/es.json")).json()
    pages = (await web.get(listed["pages"])).json()
    for path, text in pages.items():
        page = text.split('<link rel="stylesheet" href="')[1].split('"')[0]
        assert page in listed["files"], path
    for path in listed["files"]:
        assert (await web.get(path)).status_code == 200, path


async def test_what_the_workers_load_is_kept(web: httpx.AsyncClient) -> None:
    listed = (await web.get("/words/local-files/en.json")).json()["files"]
    workers = [path for path in listed if path.startswith(f"/static/{BUNDLES}") and "?" not in path]
    assert workers == [f"/static/{name}" for name in CORE_WORKERS]
    for worker in workers:
        reply = await web.get(worker)
        assert reply.headers["cross-origin-embedder-policy"] == "require-corp"
        loaded = re.findall(r"""new URL\(['"]([^'"]+)['"], import\.meta\.url\)""", reply.text)
        paths = {posixpath.normpath(posixpath.join(posixpath.dirname(worker), name)) for name in loaded}
        assert {path for path in paths if path.startswith("/static/core/")} <= {*listed}
    assert {path for path in listed if path.endswith(".wasm")} == {
        f"/static/core/{path.name}" for path in MODULES
    }


async def test_kept_pages_name_nobody(page: httpx.AsyncClient) -> None:
    name = f"Ana {secrets.token_hex(4)}"
    await page.post("/api/account", json={"name": name, "password": "um cavalo sem sela"})
    assert name in (await page.get("/learn")).text
    assert name not in (await page.get("/words/pages/pt-BR.json")).text


async def test_an_unknown_language_is_not_there(web: httpx.AsyncClient) -> None:
    for name in ("local", "learning", "pages", "local-files"):
        assert (await web.get(f"/words/{name}/xx.json")).status_code == 404
