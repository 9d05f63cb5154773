"""Real names are for the class alone: every door by which a player's name leaves is walked by strangers."""

import json
from pathlib import Path

import httpx
import pytest

from damas.server.app import create_app
from damas.server.classes.names import checked_pupil_name, pasted_names
from damas.server.settings import Limits, Settings
from server.classes.lesson import NAMES, Lesson, lesson, sound
from server.rooms.clients import Person, Server

SECRETS = ("Secreta", "Oculta", "Íntimo", "\\u00cdntimo")
OF_CLASSES = ("/api/class", "/class")
"""Where a class is shown to its own people."""


def assert_no_name(text: str, where: str) -> None:
    assert not [secret for secret in SECRETS if secret in text], where


async def games_of(here: Lesson) -> list[str]:
    """A public game of two pupils that is over, one of the class that goes on, an invitation, a seek."""
    ana, bia, _ = here.pupils
    over = await ana.create(kind="friend", public=True, colour="white")
    await bia.join(over)
    board = await ana.sit(over)
    assert (await board.move("c3-d4"))["t"] == "ack"
    assert (await board.act("resign"))["t"] == "ack"
    await board.close()
    seek = await ana.create(kind="seek")
    await ana.sit(seek)
    return [over, await here.pair(), seek, await bia.create(kind="level", level=1)]


@pytest.fixture
def limits() -> Limits:
    """Whoever walks everywhere is in a hurry."""
    return Limits(requests_per_second=10_000, requests_per_minute=1_000_000, work_s_per_minute=10_000)


async def test_no_door_lets_a_real_name_out(server: Server) -> None:
    here = await lesson(server)
    games = await games_of(here)
    other = await lesson(server, "Um", "Dois")
    stranger = await server.person()
    for person in (stranger, other.teacher, other.pupils[0]):
        await look_around(person, games)
    await walk(stranger, games)
    await the_class_sees_its_names(here, other, games[1])
    for game in games:
        assert_no_name(repr(await server.services.store.games.history(game)), game)


async def look_around(person: Person, games: list[str]) -> None:
    """Looks wherever a visitor's own rights may matter."""
    lobby = sound(await person.http.get("/api/lobby"))
    assert games[2] in [each["id"] for each in lobby["seeks"]]  # it is there to be seen
    assert_no_name(json.dumps(lobby, ensure_ascii=False), "lobby")
    archive = sound(await person.http.get("/api/archive"))["games"]
    assert games[0] in [each["id"] for each in archive]
    assert_no_name(json.dumps(archive, ensure_ascii=False), "archive")
    for game in games:
        for address in (
            f"/game/{game}",
            f"/api/games/{game}",
            f"/game/export/{game}.pdn",
            f"/embed/game/{game}",
        ):
            assert_no_name((await person.http.get(address)).text, address)
        board = await person.sit(game)
        assert_no_name(json.dumps(board.heard, ensure_ascii=False), f"socket of {game}")
        await board.close()


async def walk(person: Person, games: list[str]) -> None:
    """Asks every address with the method GET, with each game wherever a game is named."""
    walked = 0
    for route in create_app(Settings(data=Path("unused"))).routes:
        path, methods = getattr(route, "path", ""), getattr(route, "methods", None) or ()
        if "GET" not in methods or path.startswith(("/static", "/words")):
            continue
        for game in games[:2] if "{id}" in path else games[:1]:
            for kind in ("pdn", "json", "scoresheet", "certificate") if "{kind}" in path else ("",):
                address = path.replace("{id}", game).replace("{kind}", kind)
                assert_no_name(await first_text(person.http, address), address)
                walked += 1
    assert walked > 80


async def first_text(client: httpx.AsyncClient, address: str) -> str:
    """The beginning of an answer: streams go on for ever."""
    async with client.stream("GET", address) as answer:
        text = ""
        async for part in answer.aiter_text():
            text += part
            if "stream" in address or "/seek" in address:
                break
        return text


async def the_class_sees_its_names(here: Lesson, other: Lesson, game: str) -> None:
    pages = [await person.http.get(f"/game/{game}") for person in (here.teacher, *here.pupils)]
    assert all(NAMES[0] in page.text and NAMES[1] in page.text for page in pages)
    assert_no_name((await other.teacher.http.get(f"/game/{game}")).text, "game page")
    own = sound(await here.pupils[0].http.get("/api/account"))
    assert_no_name(json.dumps(own, ensure_ascii=False), "the name as a player")


def test_lists_as_teachers_paste_them() -> None:
    pasted = pasted_names(
        "\ufeff1 Ana\n2- Bia Souza\n03. Caê\n• Eva\nn.º 4 Fábio\nSilva, Gil\n5\n\n"
        '"Costa";"Hugo"\n7;Melo;Ivo;7B\n8\tReis\tLia\tl@x.pt\nMaria 2\nANA\n12345'
    )
    assert pasted.names == [
        *("Ana", "Bia Souza", "Caê", "Eva", "Fábio", "Gil Silva"),
        *("Hugo Costa", "Ivo Melo", "Lia Reis", "Maria 2"),
    ]
    assert (pasted.twice, pasted.unreadable) == (["ANA"], ["12345"])
    assert pasted_names("Nome\tApelido\nAna\tSilva").names == ["Ana Silva"]
    assert pasted_names("Apellidos;Nombre\r\nSilva;Ana").names == ["Ana Silva"]
    assert pasted_names("Alunos\nAna\nZé", ["ze"]).twice == ["Zé"]
    assert pasted_names("1 - Ana\n2 – Zé").names == ["Ana", "Zé"]
    assert pasted_names("Ana, Zé, Eva").unreadable == ["Ana, Zé, Eva"]  # no line of three names is one name


@pytest.mark.parametrize(
    "text",
    [
        "Nome;Turma\nAna Silva;5.º A\nZé;5.º A",
        "N.º\tNome completo\tE-mail\n1\tAna Silva\tana@x.pt\n2\tZé\tze@x.pt",
        "Nº;Nome;Data de nascimento\n1;Ana Silva;12/03/2014\n2;Zé;1/1/2014",
        "Matrícula;Apelido;Turma;Nome\n2023001;Silva;5A;Ana\n2023002;;5A;Zé",
        "Number,Last name,First name\n1,Silva,Ana\n2,,Zé",
        "Aluno(a)\nAna Silva\nZé",
        "1,Silva,Ana\n2,Zé,",
        "5A\tAna Silva\tana@x.pt\tF\n5A\tZé\tze@x.pt\tM",
        "Nome\nSilva, Ana\nZé",
        "Alunos\nNome;Apelido\nAna;Silva\nZé;",
        "Nome completo;Turma\nSilva, Ana;5A\nZé;5A",
        'Nome,Turma\n"Silva, Ana",5A\nZé,5A',
    ],
)
def test_only_names_are_taken_out_of_a_spreadsheet(text: str) -> None:
    pasted = pasted_names(text)
    assert (pasted.names, pasted.unreadable) == (["Ana Silva", "Zé"], [])


def test_titles_of_columns_may_stand_below_a_title() -> None:
    pasted = pasted_names("Escola Xisto\n\nNome;Apelido;Turma\nAna;Silva;A\nZé;;A")
    assert pasted.names == ["Escola Xisto", "Ana Silva", "Zé"]  # it could be somebody's name


def test_what_is_no_name_of_a_pupil() -> None:
    for bad in ("", "  ", "a" * 61, "a\u202eb", "a\x00b", "123"):
        assert checked_pupil_name(bad) is None
