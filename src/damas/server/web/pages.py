"""The pages: a shell with words in the visitor's language. What moves in it is fetched by its script."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from damas.arbiter.regulation import PRESETS, usual_time
from damas.language import LANGUAGES
from damas.rules.about import about
from damas.rules.library import home_rulebooks
from damas.server.addresses import public_address
from damas.server.security.errors import ApiError
from damas.server.security.visitors import visitor_of
from damas.server.services import services_of
from damas.server.web import previews
from damas.server.web.endpoints import Endpoints
from damas.server.web.rules import rulebook_entries, rulebook_json
from damas.server.web.static_files import (
    ASK_AGAIN,
    FOR_EVER,
    cached,
    has_script,
    packed,
    static,
)
from damas.server.words import language_of

endpoints = Endpoints()

TEMPLATES = Path(__file__).parent.parent / "templates"
"""Folder of the templates."""
LANGUAGE_NAMES = {
    "pt-BR": "Português (Brasil)",
    "pt-PT": "Português (Portugal)",
    "es": "Español",
    "en": "English",
}
"""Each language in its own words."""
NAVIGATION = {
    "play": ("/", "game"),
    "learn": ("/learn", "learn"),
    "puzzles": ("/puzzles", "puzzle"),
    "analyse": ("/analysis", "analysis"),
    "rules": ("/rules", "book"),
    "games": ("/games", "archive"),
    "arena": ("/arena", "trophy"),
}
"""Address and icon of each entry of the navigation."""
PLAIN_PAGES = {
    "/lens": ("lens.html", "rules"),
    "/analysis": ("analysis.html", "analyse"),
    "/games": ("games.html", "games"),
    "/account": ("account.html", ""),
    "/arbiter": ("arbiter.html", ""),
    "/clock": ("clock.html", ""),
    "/offline": ("offline.html", ""),
    "/local": ("game.html", "play"),
}
"""Template and place in the navigation of each page that needs no data."""

LINK_READERS = (
    "facebookexternalhit",
    "LinkedInBot",
    "Slackbot-LinkExpanding",
    "TelegramBot",
    "Twitterbot",
    "WhatsApp",
)
"""Programs that fetch a page when somebody sends its link, to show a preview."""

_environment = Environment(
    loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)  # fmt: skip
_environment.globals["static"] = static
_environment.globals["has_script"] = has_script
_environment.globals["about_rulebook"] = about
_environment.globals["presets"] = {preset: usual_time(preset) for preset in PRESETS}
_environment.globals["icon"] = _environment.get_template("icon.html").module.icon  # type: ignore[attr-defined]


def compile_templates() -> Iterator[Callable[[], object]]:
    """What compiles each template, one after the other."""
    return (partial(_environment.get_template, name) for name in _environment.list_templates())


def page(
    request: Request,
    template: str,
    *,
    here: str = "",
    status: int = 200,
    preview: previews.Preview | None = None,
    **facts: Any,
) -> Response:
    """A page in the visitor's language. `here` is its place in the navigation; `facts` go to the template.

    `preview` is what a link to it shows; the site's own where it is left out.
    """
    services, language = services_of(request), language_of(request)

    def t(key: str, /, **facts: object) -> str:
        return services.words.say(key, language, **facts)

    text = _environment.get_template(template).render(
        t=t,
        language=language,
        languages=LANGUAGE_NAMES,
        home_rulebooks=home_rulebooks(language),
        words_url=f"/words/{language}.json?v={services.words.sent(language).tag}",
        navigation=[(name, *entry, name == here) for name, entry in NAVIGATION.items()],
        visitor=visitor_of(request),
        has_cookies=bool(request.cookies),  # the service worker asks for pages without them
        public_address=public_address(request),
        preview=preview or previews.of_site(request),
        other_language=lambda tag: _here(request, tag),
        single_modules="modules" in request.query_params,
        **facts,
    )
    headers = {"Cache-Control": "no-store", "Content-Language": language}
    return packed(request, HTMLResponse(text, status, headers))


def _here(request: Request, language: str) -> str:
    """This page in another language. One slash at its beginning: two would lead to another site."""
    path = quote("/" + request.url.path.lstrip("/"))
    query = [(key, value) for key, value in request.query_params.multi_items() if key != "lang"]
    return f"{path}?{urlencode([*query, ('lang', language)])}"


@endpoints.route("GET /")
async def _home(request: Request) -> Response:
    """The form of a new game, with the rulebooks in it: those of the visitor's language first."""
    language = language_of(request)
    first = home_rulebooks(language)
    books = sorted(rulebook_entries(language), key=lambda book: (*first, book.id).index(book.id))
    wanted = request.query_params.get("rulebook")
    return page(
        request,
        "home.html",
        here="play",
        rulebooks=books,
        rulebooks_json=rulebook_json("", language).data.decode().replace("<", "\\u003c"),
        chosen_rulebook=wanted if wanted in {book.id for book in books} else books[0].id,
    )


async def _plain_page(request: Request) -> Response:
    template, here = PLAIN_PAGES[request.scope["path"]]
    preview = previews.of_analysis(request) if template == "analysis.html" else None
    return page(request, template, here=here, preview=preview)


for path in PLAIN_PAGES:
    endpoints.route(f"GET {path}")(_plain_page)


@endpoints.route("GET /words/{language}.json")
async def _words(request: Request) -> Response:
    language = request.path_params["language"]
    if language not in LANGUAGES:
        raise ApiError(404, "NOT_FOUND")
    words = services_of(request).words.sent(language)
    cache = FOR_EVER if request.query_params.get("v") == words.tag else ASK_AGAIN
    return cached(request, words, "application/json", cache)


@endpoints.route("GET /manifest.webmanifest")
async def _manifest(request: Request) -> Response:
    """What a phone needs to keep damas among its apps."""
    services, language = services_of(request), language_of(request)
    drawing = {"src": static("icons/favicon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"}
    picture = {"src": static("icons/touch.png"), "sizes": "180x180", "type": "image/png", "purpose": "any"}
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
        "icons": [drawing, picture],
    }
    return Response(msgspec.json.encode(manifest), media_type="application/manifest+json")


@endpoints.route("GET /robots.txt")
async def _robots(_: Request) -> Response:
    """Search engines keep out of games; what shows a link that somebody has sent may read its page."""
    readers = "".join(f"User-agent: {name}\n" for name in LINK_READERS)
    rules = (
        f"{readers}Disallow: /api/\n\nUser-agent: *\nDisallow: /api/\nDisallow: /game/\nDisallow: /study/\n"
    )
    return Response(rules, media_type="text/plain")
