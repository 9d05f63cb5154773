"""The pages of tournaments as the server writes them."""

import html

import pytest

from damas.language import LANGUAGES
from damas.server.words import Words
from damas.tournaments.hall.templates import template, template_names
from server.rooms.clients import Server


@pytest.mark.parametrize("language", LANGUAGES)
async def test_where_a_template_comes_from_is_said_in_every_language(server: Server, language: str) -> None:
    person = await server.person()
    page = html.unescape((await person.http.get("/club", headers={"Accept-Language": language})).text)
    names = [name for name in template_names() if not template(name).get("boards")]
    assert names
    for name in names:
        source = Words().say(f"club.source.{name}", language)
        assert f'data-source="{source}"' in page and source != f"club.source.{name}"
