"""What a browser keeps for when there is no network: files, words, lessons and the pages themselves."""

from asyncio import sleep
from functools import cache
from hashlib import sha256

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message

from damas.language import LANGUAGES
from damas.rules import rulebook_ids
from damas.server.encoding import encode
from damas.server.learning.course import courses, lessons
from damas.server.security.bodies import Json
from damas.server.security.errors import ApiError
from damas.server.security.visitors import Visitor
from damas.server.services import services_of
from damas.server.web.endpoints import Endpoints
from damas.server.web.recent import Recent
from damas.server.web.static_files import (
    ASK_AGAIN,
    CORE_WORKERS,
    NETWORKS,
    cached,
    static,
    static_file,
)
from damas.server.web.work import ask
from damas.server.words import Content
from damas.server.work import lessons as work
from damas.views.local import local_rulebooks, local_words

endpoints = Endpoints()

CORE_FILES = (*CORE_WORKERS, "core/damas-core.wasm", "core/damas-core-threads.wasm")
"""The workers in which the core runs, and the core itself without and with threads."""
BUNDLES = (
    "analysis",
    "clock",
    "drills",
    "endings",
    "game",
    "games",
    "glossary",
    "home",
    "learn",
    "lens",
    "lesson",
    "page",
    "puzzles",
    "rulebook",
    "rules",
)
"""The pages whose scripts and sheets are kept."""
PAGES = (
    "/",
    "/local",
    "/offline",
    "/analysis",
    "/clock",
    "/games",
    "/learn",
    "/rules",
    "/lens",
    "/glossary",
    "/endings",
    "/drills",
    "/puzzles",
)
"""Pages that are kept, beside those of courses, lessons and rulebooks."""
NO_HOST = "damas.invalid"
"""Stands for the name of the server while pages are made."""
NOBODY = Visitor("", "")
"""For whom kept pages are made: the next person at the device finds no names in them."""

_learning = Recent[Content](len(LANGUAGES))
_pages = Recent[Content](len(LANGUAGES))
"""By language, and what else they depend on."""


def _language(request: Request) -> str:
    language: str = request.path_params["language"]
    if language not in LANGUAGES:
        raise ApiError(404, "NOT_FOUND")
    return language


@cache
def local_words_json(language: str) -> Content:
    """The sentences of games that are played in the browser alone."""
    return Content.of(encode(local_words(language)))


async def _learning_json(request: Request, language: str) -> Content:
    """Lessons, examples, puzzles and endings."""

    async def compressed() -> Content:
        return await run_in_threadpool(Content.of, await ask(request, work.local_learning, language))

    return await _learning.get(language, compressed)


def kept_pages() -> list[str]:
    """The paths of all pages that are kept."""
    learning = [f"/learn/{name}" for name in (*courses(), *lessons())]
    return [*PAGES, *learning, *(f"/rules/{name}" for name in rulebook_ids())]


async def _pages_json(request: Request, language: str) -> Content:
    """Every kept page as nobody in particular sees it: together they are a tenth as large as one by one."""

    async def rendered() -> Content:
        pages = {path: await _page(request, path, language) for path in kept_pages()}
        return await run_in_threadpool(Content.of, encode(pages))

    words = services_of(request).words.sent(language).tag
    return await _pages.get((language, words, *await _bundles()), rendered)


async def _page(request: Request, path: str, language: str) -> str:
    """A page as the application answers it, past the doors: it is our own request, without cookies.

    It is the same by whatever name the server was reached: where that stands in a page, the browser knows it.
    """
    scope = {
        **request.scope,
        "path": path,
        "raw_path": path.encode(),
        "query_string": f"lang={language}".encode(),
        "scheme": "https",
        "headers": [(b"host", NO_HOST.encode())],
        "path_params": {},
        "visitor": NOBODY,
    }
    parts: list[bytes] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] != 200:
            raise RuntimeError(f"{path} answers {message['status']}")
        parts.append(message.get("body", b""))

    await request.app.router(scope, receive, send)
    await sleep(0)  # games must not wait for all of them
    return b"".join(parts).decode().replace(f"https://{NO_HOST}", "")


async def _bundles() -> list[str]:
    """The addresses of all bundles; in a thread, since soon after the start some are not made yet."""
    names = [f"bundle/{page}.{kind}" for page in BUNDLES for kind in ("js", "css")]
    return await run_in_threadpool(lambda: [static(name) for name in names])


@endpoints.route("GET /words/local/{language}.json", access=_language)
async def _local_words(request: Request, language: str) -> Response:
    return cached(request, local_words_json(language), "application/json", ASK_AGAIN)


@endpoints.route("GET /words/learning/{language}.json", access=_language)
async def _local_learning(request: Request, language: str) -> Response:
    return cached(request, await _learning_json(request, language), "application/json", ASK_AGAIN)


@endpoints.route("GET /words/pages/{language}.json", access=_language)
async def _local_pages(request: Request, language: str) -> Response:
    response = cached(request, await _pages_json(request, language), "application/json", ASK_AGAIN)
    response.headers["Content-Language"] = language
    return response


@endpoints.route("GET /words/local-files/{language}.json", access=_language)
async def _local_files(request: Request, language: str) -> Response:
    """What the service worker keeps; the version changes with any of it."""
    words = services_of(request).words.sent(language)
    names = [*CORE_FILES, *(f"networks/{path.name}" for path in NETWORKS.glob("*.net"))]
    files = [
        *await _bundles(),
        static("bundle/answers.js"),
        static("bundle/sync.js"),
        static("first.js"),
        static("icons/favicon.svg"),
        "/static/icons/icons.svg",
        f"/words/{language}.json?v={words.tag}",
        f"/words/local/{language}.json",
        f"/words/learning/{language}.json",
        *(f"/static/{name}" for name in names),
        "/api/rulebooks",
        *(f"/api/rulebook/{book.id}" for book in local_rulebooks()),
    ]
    tags = [static_file(name).content.tag for name in names]
    tags += [local_words_json(language).tag, *files]
    tags += [(await made(request, language)).tag for made in (_learning_json, _pages_json)]
    version = sha256(" ".join(tags).encode()).hexdigest()[:16]
    pages = f"/words/pages/{language}.json"
    return Json({"version": version, "files": files, "pages": pages}, headers={"Cache-Control": ASK_AGAIN})
