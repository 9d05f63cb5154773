"""The pages of tournaments as the server writes them."""

import html

import pytest

from damas.language import LANGUAGES, sentence
from damas.server.words import Words
from damas.tournaments.hall.conditions import SYSTEMS
from damas.tournaments.hall.templates import template, template_names
from server.club.people import Hall
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


@pytest.mark.parametrize("system", SYSTEMS)
async def test_a_tournament_of_every_system_is_made_on_the_page(server: Server, system: str) -> None:
    hall = await Hall.open(server, players=6, template="itapeva", system=system, clubs_apart=True)
    name = sentence(f"club.system.{system}", "en")
    page = await hall.chief.http.get("/club", headers={"Accept-Language": "en"})
    assert f'<option value="{system}">{name}</option>' in page.text
    await hall.start()
    view = await hall.chief.http.get(f"/api/club/{hall.id}", headers={"Accept-Language": "en"})
    tournament = view.json()["tournament"]
    assert tournament["system"] == name and tournament["games"] == 2
    conditions = (await server.services.tournaments.find(hall.id)).state.conditions
    assert (conditions.clubs_apart, conditions.bye) == (True, 2.0)
