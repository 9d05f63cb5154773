"""The first visitor of a page finds it ready: nothing is compiled or put together in the event loop for them."""

from pathlib import Path

import httpx
import pytest

from damas.language import LANGUAGES
from damas.server.app import create_app
from damas.server.learning.course import lessons
from damas.server.learning.glossary import glossary
from damas.server.learning.puzzle import sheet_of
from damas.server.learning.views import example_views
from damas.server.settings import Settings
from damas.server.web import caches, local_files, pages, static_files
from damas.server.web.rules import rulebook_json

FUNCTIONS = (lessons, glossary, sheet_of, example_views, rulebook_json, local_files.local_words_json)
PAGES = (
    "/",
    *pages.PLAIN_PAGES,
    "/rules",
    "/rules/brasileira",
    "/learn",
    "/puzzles",
    "/glossary",
    "/endings",
    "/drills",
    "/api/rulebooks",
    "/api/puzzles/brasileira",
    "/static/shell.js",
    "/static/networks/brasileira.net",
    "/words/local/es.json",
    "/words/local-files/es.json",
)


async def test_after_the_start_every_page_is_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "PAUSE_S", 0)
    for function in FUNCTIONS:
        function.cache_clear()
    pages._environment.cache.clear()
    static_files._files.clear()
    app = create_app(Settings(data=tmp_path, log_level="error"))
    words = app.state.services.words
    caches.fill_caches(words)
    assert sorted(words._sent) == sorted(LANGUAGES)
    monkeypatch.delattr(local_files, "local_words")  # nobody puts them together any more
    missed = [function.cache_info().misses for function in FUNCTIONS]
    templates, files = len(pages._environment.cache), len(static_files._files)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as http,
    ):
        for page in PAGES:
            reply = await http.get(page, headers={"Accept-Language": "es"})
            assert reply.status_code == 200, page
    assert [function.cache_info().misses for function in FUNCTIONS] == missed
    assert (len(pages._environment.cache), len(static_files._files)) == (templates, files)
