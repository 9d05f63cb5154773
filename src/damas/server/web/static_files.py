"""Scripts, styles and pictures, out of the package itself, each under a URL that names its content."""

import gzip
import mimetypes
import posixpath
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from damas import engine
from damas.server.security.errors import ApiError
from damas.server.security.headers import core_policy
from damas.server.web.bundles import ON_DEMAND, STYLES, WORKERS, bundle
from damas.server.web.endpoints import Endpoints
from damas.server.words import Content

endpoints = Endpoints()

FOLDER = Path(__file__).parent.parent / "static"
"""Folder of scripts, styles and pictures."""
TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".wav": "audio/wav",
}
"""Media types that browsers must be told exactly."""
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
"""Values of Cache-Control: for a URL that names the content, and for one that does not."""
A_WHILE = "public, max-age=3600, stale-while-revalidate=86400"
"""Icons: scripts name them without their content, and they must show when the line is down."""


NETWORKS = Path(engine.__file__).parent / "networks"
"""Folder of the engine's networks: the browser's engine uses the same."""
BUNDLES = "bundle/"
"""Folder of the bundles, which are made of other files."""
CORE_WORKERS = tuple(f"{BUNDLES}{name}.js" for name in WORKERS)
"""The workers in which the core runs. Their addresses do not change: they are asked for again each time."""


class File(NamedTuple):
    """A file of the folder as it is sent, and when it was changed."""

    stamp: int
    content: Content
    type: str
    parts: tuple[str, ...] = ()
    """The files that a bundle is made of."""


_files: dict[str, File] = {}
_checked: dict[str, float] = {}
"""When it was last asked whether the parts of a bundle have changed."""
CHECK_S = 1.0
"""The parts of a bundle are many: they are asked about at most this often."""


def static_file(name: str) -> File:
    """A file of the folder or a bundle; raises `KeyError` where there is none. It is read again when it has changed."""
    cached = _files.get(name)
    if name.startswith(BUNDLES):
        return _bundle(name, cached)
    path = NETWORKS / name.removeprefix("networks/") if _is_network(name) else FOLDER / name
    if cached is None and not _is_plain(name):
        raise KeyError(name)
    try:
        stamp = path.stat().st_mtime_ns
        if cached and cached.stamp == stamp:
            return cached
        data = path.read_bytes()
    except OSError:
        raise KeyError(name) from None
    kind = _type(name)
    text = kind.startswith(
        ("text/", "image/svg", "application/json", "application/manifest", "application/wasm")
    )
    # Compressed when it is sent: pages get scripts and styles in bundles, and the core only for play without a server.
    _files[name] = File(stamp, Content(data, compress=text and len(data) > 512), kind)
    return _files[name]


def _is_plain(name: str) -> bool:
    """Whether a name stays in the folder and is the only one of its file: each name has a place in the cache.

    >>> [_is_plain(name) for name in ("core/core.js", "core/./core.js", "core//core.js", "../app.py")]
    [True, False, False, False]
    """
    return (
        posixpath.normpath(name) == name and not name.startswith(("/", "..")) and not {"\0", "\\"} & {*name}
    )


def _is_network(name: str) -> bool:
    """Whether a file is one of the engine's networks, which lie in its own room."""
    return name.startswith("networks/") and name.endswith(".net") and name.count("/") == 1


def _type(name: str) -> str:
    return TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"


def _bundle(name: str, cached: File | None) -> File:
    """A bundle, made again when one of its parts has changed."""
    now = time.monotonic()
    if cached:
        if now - _checked[name] < CHECK_S:
            return cached
        _checked[name] = now
        if cached.stamp == _stamp(cached.parts):
            return cached
    parts: dict[str, None] = {}

    def read(part: str) -> str:
        text = static_file(part).content.data.decode()
        parts[part] = None
        return text

    data = bundle(name.removeprefix(BUNDLES), read).encode()
    _checked[name] = now
    _files[name] = File(_stamp(tuple(parts)), Content.of(data), _type(name), tuple(parts))
    return _files[name]


def _stamp(parts: tuple[str, ...]) -> int:
    """When the parts of a bundle were changed, as one number."""
    try:
        return hash(tuple(static_file(part).stamp for part in parts))
    except KeyError:
        return 0  # one of them is gone


def static(name: str) -> str:
    """The URL of a file, which changes with its content.

    >>> static("no-such-file")
    '/static/no-such-file'
    """
    try:
        return f"/static/{name}?v={static_file(name).content.tag}"
    except KeyError:
        return f"/static/{name}"


def has_script(page: object) -> bool:
    """Whether a page has a module of its own, and not only what every page has."""
    return isinstance(page, str) and (FOLDER / "pages" / f"{page}.js").exists()


def make_bundles() -> Iterator[Callable[[], object]]:
    """What makes and compresses each bundle, one after the other."""
    names = [f"{BUNDLES}{page}.{kind}" for page in STYLES for kind in ("js", "css")]
    names += [f"{BUNDLES}{name}.js" for name in (*ON_DEMAND, *WORKERS)]
    return (partial(static_file, name) for name in names)


def read_static_files() -> None:
    """Reads every file."""
    names = [path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()]
    for name in [*names, *(f"networks/{path.name}" for path in NETWORKS.glob("*.net"))]:
        static_file(name)


def cached(request: Request, content: Content, kind: str, cache: str) -> Response:
    """Content that the browser may keep and ask about again."""
    etag = f'"{content.tag}"'
    headers = {"ETag": etag, "Cache-Control": cache, "Vary": "Accept-Encoding"}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if content.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(content.packed, media_type=kind, headers={**headers, "Content-Encoding": "gzip"})
    return Response(content.data, media_type=kind, headers=headers)


def packed(request: Request, response: Response) -> Response:
    """A response that is made for one visitor, compressed if the browser can read that."""
    response.headers["Vary"] = "Accept-Encoding"
    if len(response.body) > 1024 and "gzip" in request.headers.get("accept-encoding", ""):
        response.body = gzip.compress(response.body, 5, mtime=0)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.body))
    return response


def cached_json(request: Request, content: Content) -> Response:
    """JSON in the visitor's language that the browser may keep and ask about again."""
    response = cached(request, content, "application/json", ASK_AGAIN)
    response.headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
    return response


def file_response(
    data: bytes, kind: str, name: str, *, inline: bool = False, cache: str = "no-store"
) -> Response:
    """A file to be saved under a name; with `inline` the browser may show it."""
    how = "inline" if inline else "attachment"
    headers = {"Content-Disposition": f'{how}; filename="{name}"', "Cache-Control": cache}
    return Response(data, media_type=kind, headers=headers)


@endpoints.route("GET /static/{name:path}")
async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    try:
        file = static_file(name) if name in _files else await run_in_threadpool(static_file, name)
    except KeyError:
        raise ApiError(404, "NOT_FOUND") from None
    if not file.content.is_packed:
        # Compressing the core takes a tenth of a second: games must not wait for the first who asks for it.
        await run_in_threadpool(file.content.pack)
    if name in CORE_WORKERS:
        response = cached(request, file.content, file.type, ASK_AGAIN)
        response.headers["Content-Security-Policy"] = core_policy()
        return response
    if request.query_params.get("v") == file.content.tag:
        return cached(request, file.content, file.type, FOR_EVER)
    return cached(request, file.content, file.type, A_WHILE if name.startswith("icons/") else ASK_AGAIN)


@endpoints.route("GET /sw.js")
async def _service_worker(request: Request) -> Response:
    """The service worker, at the root: it looks after what lies beneath its own address."""
    file = static_file("sw.js")
    return cached(request, file.content, file.type, ASK_AGAIN)


@endpoints.route("GET /favicon.ico")
async def _favicon(request: Request) -> Response:
    """The icon for clients that ask for it without reading the page; pages name the drawn one."""
    file = static_file("icons/favicon.svg")
    return cached(request, file.content, file.type, ASK_AGAIN)
