"""The pages of classes, and the cards to print."""

from typing import Any
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from damas.arbiter import PRESETS
from damas.paper.cards import Card, Cards
from damas.rules.library import home_rulebooks
from damas.server.addresses import public_address
from damas.server.classes.live import real_names
from damas.server.learning.course import lessons_of
from damas.server.learning.puzzle import rulebooks_with_puzzles
from damas.server.learning.views import lesson_entry
from damas.server.security.bodies import read_bytes
from damas.server.security.errors import ApiError
from damas.server.security.visitors import visitor_of
from damas.server.services import services_of
from damas.server.store.rows import GameRow, Pupil, SchoolClass
from damas.server.web import previews
from damas.server.web.archive import players
from damas.server.web.classes import taught_class
from damas.server.web.endpoints import Endpoints
from damas.server.web.pages import page
from damas.server.web.rules import rulebook_entries
from damas.server.web.static_files import file_response
from damas.server.web.work import ask, caller_of
from damas.server.words import language_of
from damas.server.work import files

endpoints = Endpoints()

ENTER = "/class/enter"
"""Where pupils log in."""
MAX_FORM_BYTES = 16_384
"""Longest form of cards: sixty pupils with their PINs."""
TIMES = ("none", "3+2", "5+3", "10", "15", "20", "30", "45")
"""Times offered for the games of a class."""


def _books(request: Request) -> list[Any]:
    """Every rulebook, those of the visitor's language first."""
    first = home_rulebooks(language_of(request))
    return sorted(rulebook_entries(language_of(request)), key=lambda book: (*first, book.id).index(book.id))


@endpoints.route("GET /class")
async def _own(request: Request) -> Response:
    """For a pupil the own class, for anybody else the classes that they teach."""
    visitor = visitor_of(request)
    if visitor.school_class:
        return page(request, "pupil.html", here="school")
    taught = await services_of(request).store.classes.taught_by(visitor.id)
    return page(request, "classes.html", here="school", classes=taught, rulebooks=_books(request))


@endpoints.route(f"GET {ENTER}")
async def _enter(request: Request) -> Response:
    return page(request, "class_enter.html", here="school")


@endpoints.route("GET /class/{id}")
async def _class(request: Request) -> Response:
    school_class, language = await taught_class(request), language_of(request)
    offered = [
        (book.name, [lesson_entry(lesson, language) for lesson in lessons_of(book.id)])
        for book in _books(request)
    ]
    return page(
        request,
        "class.html",
        here="school",
        school_class=school_class,
        enter=public_address(request) + ENTER,
        rulebooks=_books(request),
        with_puzzles=rulebooks_with_puzzles(),
        offered_lessons=[(name, listed) for name, listed in offered if listed],
        regulations=PRESETS,
        times=list(dict.fromkeys([school_class.time_control, *TIMES])),
    )


# Cards


@endpoints.route("POST /class/{id}/cards")
async def _cards(request: Request) -> Response:
    """The cards as a page, for the printer of the browser."""
    school_class = await taught_class(request)
    sheet = await _sheet(request, school_class)
    codes = await ask(request, files.card_codes, [card.link for card in sheet.cards])
    cards = list(zip(sheet.cards, codes, strict=True))
    return page(request, "cards.html", here="school", sheet=sheet, cards=cards, class_id=school_class.id)


@endpoints.route("POST /class/{id}/cards.pdf")
async def _cards_pdf(request: Request) -> Response:
    school_class = await taught_class(request)
    sheet = await _sheet(request, school_class)
    data = await services_of(request).work.files.run(files.cards_of, sheet, caller=caller_of(request))
    return file_response(data, "application/pdf", "damas-class.pdf", cache="no-store")


async def _sheet(request: Request, school_class: SchoolClass) -> Cards:
    """The cards of pupils whose PINs the teacher's page still knows; the server has only their hashes."""
    form = dict(parse_qsl((await read_bytes(request, MAX_FORM_BYTES)).decode("utf-8", "replace")))
    try:
        pins = msgspec.json.decode(form.get("pins", ""), type=dict[str, str])
    except msgspec.DecodeError as error:
        raise ApiError(400, "BAD_BODY", problem=str(error)) from None
    pupils = await services_of(request).store.classes.pupils(school_class.id)
    address = public_address(request) + ENTER
    cards = [
        Card(each.number, each.name, pin, f"{address}#{school_class.code}.{each.number}.{pin}")
        for each in pupils
        if (pin := "".join(filter(str.isalnum, pins.get(each.id, "")))[:12])
    ]
    if not cards:
        raise ApiError(400, "NO_CARDS")
    shown = address.partition("://")[2]
    return Cards(language_of(request), school_class.title, school_class.code, shown, tuple(cards))


# The page of a game


@endpoints.route("GET /game/{id}")
async def _game(request: Request) -> Response:
    game = request.path_params["id"]
    head = await services_of(request).store.games.head(game)
    if head is None:
        raise ApiError(404, "NOT_FOUND")
    pupils = await services_of(request).store.classes.class_of([head.white_id, head.black_id])
    facts = await _class_facts(request, head, pupils)
    named = players(request, head) if head.public and not pupils else None
    names = [named["white"]["name"], named["black"]["name"]] if named else []
    preview = previews.of_game(request, head, names if all(names) else [])
    return page(
        request, "game.html", here="play", preview=preview, game=game, rulebook=head.rulebook, **facts
    )


async def _class_facts(
    request: Request, head: GameRow, pupils: dict[str, tuple[SchoolClass, Pupil]]
) -> dict[str, Any]:
    """What the page of a game shows because of a class: real names to the class alone, whether there is a chat, and
    whether the visitor is a pupil.
    """
    services, visitor = services_of(request), visitor_of(request)
    mine = {visitor.school_class} if visitor.school_class else set()
    for school_class, _ in pupils.values():
        if school_class.id not in mine and await services.store.classes.teaches(school_class.id, visitor.id):
            mine.add(school_class.id)
    return {
        "real_names": real_names(head, pupils, [each for each in mine if each]),
        "has_chat": await services.rooms.chat.is_open(head, visitor.id),
        "pupil": visitor.school_class is not None,
    }
