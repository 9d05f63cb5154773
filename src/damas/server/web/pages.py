"""The pages: a shell with words in the visitor's language. What moves in it is fetched by its script."""

from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateNotFound
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from damas.language import LANGUAGES
from damas.rules.about import about
from damas.rules.library import builtin_id, home_rulebook
from damas.server.security.visitors import visitor_of
from damas.server.services import services_of
from damas.server.web.static_files import ASK_AGAIN, FOR_EVER, imported_modules, sent, static
from damas.server.words import language_of

TEMPLATES = Path(__file__).parent.parent / "templates"
LANGUAGE_NAMES = {
    "pt-BR": "Português (Brasil)",
    "pt-PT": "Português (Portugal)",
    "es": "Español",
    "en": "English",
}
NAVIGATION = ("play", "learn", "puzzles", "analyse", "rules", "games", "arena")
ADDRESSES = {
    "play": "/",
    "learn": "/learn",
    "puzzles": "/puzzles",
    "analyse": "/analysis",
    "rules": "/rules",
    "games": "/games",
    "arena": "/arena",
}
ICONS = {
    "play": "game",
    "learn": "learn",
    "puzzles": "puzzle",
    "analyse": "analysis",
    "rules": "book",
    "games": "archive",
    "arena": "trophy",
}

_environment = Environment(
    loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)  # fmt: skip
_environment.globals["static"] = static
_environment.globals["about_rulebook"] = about
_environment.globals["imported_modules"] = imported_modules
_environment.globals["icon"] = _environment.get_template("icon.html").module.icon  # type: ignore[attr-defined]


def page(request: Request, template: str, *, here: str = "", status: int = 200, **facts: Any) -> Response:
    """A page in the visitor's language. `here` is its place in the navigation; `facts` go to the template.

    A template that nobody wrote is a page that is not there.
    """
    services, language = services_of(request), language_of(request)

    def t(key: str, /, **facts: object) -> str:
        return services.words.say(key, language, **facts)

    try:
        page_template = _environment.get_template(template)
    except TemplateNotFound:
        raise HTTPException(404) from None
    text = page_template.render(
        t=t,
        language=language,
        languages=LANGUAGE_NAMES,
        default_rulebook=home_rulebook(language),
        words_url=f"/words/{language}.json?v={services.words.sent(language).tag}",
        navigation=[(name, ADDRESSES[name], name == here) for name in NAVIGATION],
        icons=ICONS,
        visitor=visitor_of(request),
        other_language=lambda tag: _here(request, tag),
        **facts,
    )
    return HTMLResponse(text, status, {"Cache-Control": "no-store", "Content-Language": language})


def _here(request: Request, language: str) -> str:
    """This page in another language. One slash at its beginning: two would lead to another site."""
    path = quote("/" + request.url.path.lstrip("/"))
    query = [(key, value) for key, value in request.query_params.multi_items() if key != "lang"]
    return f"{path}?{urlencode([*query, ('lang', language)])}"


def _plain(path: str, template: str, here: str = "") -> Route:
    async def show(request: Request) -> Response:
        return page(request, template, here=here)

    return Route(path, show, name=template.removesuffix(".html"))


async def _rulebook(request: Request) -> Response:
    book = builtin_id(request.path_params["id"])
    if not book:
        raise HTTPException(404)
    return page(request, "rulebook.html", here="rules", rulebook=book)


async def _lesson(request: Request) -> Response:
    return page(request, "lesson.html", here="learn", lesson=request.path_params["lesson"])


async def _game(request: Request) -> Response:
    game = request.path_params["id"]
    if await services_of(request).store.games.head(game) is None:
        raise HTTPException(404)
    return page(request, "game.html", here="play", game=game)


async def _words(request: Request) -> Response:
    language = request.path_params["language"]
    if language not in LANGUAGES:
        raise HTTPException(404)
    words = services_of(request).words.sent(language)
    cache = FOR_EVER if request.query_params.get("v") == words.tag else ASK_AGAIN
    return sent(request, words.data, words.packed, words.tag, "application/json", cache)


async def _manifest(request: Request) -> Response:
    """What a phone needs to keep damas among its apps."""
    services, language = services_of(request), language_of(request)
    icons = [
        {"src": static("icons/favicon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
        {"src": static("icons/icon-192.png"), "sizes": "192x192", "type": "image/png", "purpose": "any"},
        {
            "src": static("icons/icon-512.png"),
            "sizes": "512x512",
            "type": "image/png",
            "purpose": "any maskable",
        },
    ]
    manifest = {
        "name": services.words.say("frame.name", language),
        "short_name": "damas",
        "description": services.words.say("frame.description", language),
        "lang": language,
        "start_url": "/",
        "scope": "/",
        "id": "/",
        "display": "standalone",
        "background_color": "#f6f0e4",
        "theme_color": "#1f4e79",
        "icons": [icon for icon in icons if "?v=" in str(icon["src"])],
    }
    return Response(msgspec.json.encode(manifest), media_type="application/manifest+json")


async def _robots(_: Request) -> Response:
    return Response("User-agent: *\nDisallow: /api/\nDisallow: /game/\n", media_type="text/plain")


routes: list[BaseRoute] = [
    _plain("/", "home.html", "play"),
    Route("/game/{id}", _game, name="game"),
    _plain("/rules", "rules.html", "rules"),
    Route("/rules/{id}", _rulebook, name="rulebook"),
    _plain("/lens", "lens.html", "rules"),
    _plain("/learn", "learn.html", "learn"),
    Route("/learn/{lesson}", _lesson, name="lesson"),
    _plain("/endings", "endings.html", "learn"),
    _plain("/puzzles", "puzzles.html", "puzzles"),
    _plain("/analysis", "analysis.html", "analyse"),
    _plain("/games", "games.html", "games"),
    _plain("/account", "account.html"),
    _plain("/offline", "offline.html"),
    Route("/words/{language}.json", _words),
    Route("/manifest.webmanifest", _manifest),
    Route("/robots.txt", _robots),
]
