"""What a messenger shows of a link: every game, position, puzzle and lesson has a title and a picture, and names nobody it must not."""

import html
import io
import re
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from PIL import Image

from damas.game import Position
from damas.rules import rulebook
from damas.server.learning.course import lessons
from damas.server.learning.puzzle import sheet_of
from server.classes.lesson import lesson
from server.rooms.clients import Person, Server

TAG = re.compile(r'<meta property="og:([a-z:_]+)" content="([^"]*)">')


@pytest.fixture
async def ana(server: Server) -> Person:
    return await server.person()


async def preview(http: httpx.AsyncClient, path: str) -> dict[str, str]:
    """The tags of a page, whose picture is fetched: it has the size that they say."""
    page = await http.get(path, headers={"Accept-Language": "en"})
    assert page.status_code == 200, page.text
    tags = {name: html.unescape(text) for name, text in TAG.findall(page.text)}
    assert tags["title"] and tags["description"]
    picture = await http.get(tags["image"])
    assert picture.headers["content-type"] == "image/png", picture.text
    size = Image.open(io.BytesIO(picture.content)).size
    assert size == (int(tags["image:width"]), int(tags["image:height"])) == (1200, 630)
    assert len(picture.content) < 300_000  # what messengers load
    return tags


async def test_an_invitation_and_a_private_game_name_nobody(server: Server, ana: Person) -> None:
    game = await ana.create(rulebook="faraes")
    stranger = await server.person()
    tags = await preview(stranger.http, f"/game/{game}")
    assert tags["title"] == "Invitation to play draughts: School (FARAES)"
    assert (await stranger.look(game))[
        "status"
    ] == "waiting"  # whoever reads the link for a preview takes no seat
    await stranger.join(game)
    names = [player["name"] for player in (await ana.look(game))["players"].values()]
    tags = await preview(stranger.http, f"/game/{game}")
    assert tags["title"] == "A game of draughts: School (FARAES)"
    assert all(names) and not any(name in text for name in names for text in tags.values())


async def test_a_public_game_names_its_players(server: Server, ana: Person) -> None:
    game = await ana.create(kind="level", level=3, color="white")
    tags = await preview(ana.http, f"/game/{game}")
    assert "Computer, level 3" in tags["title"] and "Brazilian" in tags["title"]
    assert tags["image"].endswith(f"/game/export/{game}.png?card=1")


async def test_a_game_of_pupils_names_nobody(server: Server) -> None:
    here = await lesson(server)
    one, other, _ = here.pupils
    game = await one.create(kind="friend", public=True)
    await other.join(game)
    names = [player["name"] for player in (await one.look(game))["players"].values()]
    for person in (one, await server.person()):
        tags = await preview(person.http, f"/game/{game}")
        assert all(names) and not any(name in text for name in names for text in tags.values())


async def test_the_picture_of_a_puzzle_is_its_first_position(ana: Person) -> None:
    sheet = sheet_of("faraes")
    entries = [entry.puzzle for entry in sheet.matching("", 0, 2600, 0)[:200]]
    for side in ("W", "B"):
        puzzle = next((each for each in entries if each.fen.startswith(side)), None)
        if puzzle is None:
            continue
        tags = await preview(ana.http, f"/puzzles?rulebook=faraes&id={puzzle.id}")
        query = parse_qs(urlsplit(tags["image"]).query)
        assert query["fen"] == [puzzle.fen] and "moves" not in query  # nothing of the solution
        assert query["orientation"] == ["white" if side == "W" else "black"]
        shown = " ".join(tags.values())
        assert not any(move in shown for move in puzzle.line) and puzzle.motifs[0] not in tags["description"]


async def test_positions_lessons_and_rulebooks_have_pictures(ana: Person) -> None:
    start = Position.start(rulebook("portuguesa"))
    tags = await preview(ana.http, f"/analysis?rulebook=portuguesa&fen={start.fen}")
    assert "Portuguese" in tags["title"] and tags["description"] == "White to move"
    move = start.legal_moves[0].text
    tags = await preview(ana.http, f"/analysis?rulebook=portuguesa&moves={move}")
    assert parse_qs(urlsplit(tags["image"]).query)["moves"] == [move]
    game = await ana.create(kind="device")
    assert (await preview(ana.http, f"/analysis?game={game}&ply=0"))["image"].endswith("card=1&ply=0")
    for each in list(lessons().values())[::25]:
        assert (await preview(ana.http, f"/learn/{each.id}"))["title"] == each.title["en"]
    assert "Turkish" in (await preview(ana.http, "/rules/turca"))["title"]


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/account",
        "/analysis",
        "/analysis?rulebook=none&fen=%22%3E%3Cscript%3E",
        "/puzzles?rulebook=faraes&id=none",
        "/puzzles?rulebook=faraes&id=" + "x" * 400,
    ],
)
async def test_every_other_address_has_the_picture_of_the_site(ana: Person, path: str) -> None:
    assert "<script>" not in " ".join((await preview(ana.http, path)).values())


async def test_a_position_that_cannot_be_drawn_breaks_no_page(ana: Person) -> None:
    page = await ana.http.get("/analysis?rulebook=faraes&fen=%22%3E%3Cscript%3E&moves=" + "c3-d4." * 900)
    assert page.status_code == 200
    image = dict(TAG.findall(page.text))["image"]
    assert len(image) < 2000 and '"' not in image


async def test_readers_of_links_may_read_games_and_search_engines_may_not(ana: Person) -> None:
    first, rest = (await ana.http.get("/robots.txt")).text.split("\n\n", 1)
    assert "Twitterbot" in first and "/game/" not in first
    assert "User-agent: *" in rest and "Disallow: /game/" in rest
