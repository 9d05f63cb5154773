"""Scripts, styles and pictures, out of the package itself, each under a URL that names its content."""

import gzip
import mimetypes
import posixpath
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

FOLDER = Path(__file__).parent.parent / "static"
TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".wav": "audio/wav",
}
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
A_WHILE = "public, max-age=3600, stale-while-revalidate=86400"
"""Icons: scripts name them without their content, and they must show when the line is down."""


class File(NamedTuple):
    """A file as it is sent. `tag` names its content."""

    stamp: int
    data: bytes
    packed: bytes | None
    """The same, compressed, where that is shorter."""
    tag: str
    type: str


_files: dict[str, File] = {}


def static_file(name: str) -> File:
    """A file of the folder; raises `KeyError` where there is none. It is read again when it has changed."""
    cached = _files.get(name)
    path = FOLDER / name
    if cached is None and (".." in name or "\0" in name or "\\" in name or name.startswith("/")):
        raise KeyError(name)
    try:
        stamp = path.stat().st_mtime_ns
        if cached and cached.stamp == stamp:
            return cached
        data = path.read_bytes()
    except OSError:
        raise KeyError(name) from None
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    text = kind.startswith(("text/", "image/svg", "application/json", "application/manifest"))
    packed = gzip.compress(data, 6, mtime=0) if text and len(data) > 512 else None
    _files[name] = File(stamp, data, packed, sha256(data).hexdigest()[:12], kind)
    return _files[name]


def static(name: str) -> str:
    """The URL of a file, which changes with its content.

    >>> static("no-such-file")
    '/static/no-such-file'
    """
    try:
        return f"/static/{name}?v={static_file(name).tag}"
    except KeyError:
        return f"/static/{name}"


_IMPORT = re.compile(r"""^import\b[^'"]*['"](\.[^'"]+)['"]""", re.MULTILINE)


@cache
def imported_modules(name: str) -> tuple[str, ...]:
    """The modules that a script imports, directly or through others; pages tell the browser to load them at once.

    >>> imported_modules("lib/preferences.js"), imported_modules("lib/theme.js")
    ((), ('lib/preferences.js',))
    """
    modules: dict[str, None] = {}
    queue = [name]
    for module in queue:
        text = static_file(module).data.decode()
        imports = {
            posixpath.normpath(f"{posixpath.dirname(module)}/{path}") for path in _IMPORT.findall(text)
        }
        queue += sorted(imports - {name, *modules})
        modules |= dict.fromkeys(sorted(imports - {name}))
    return tuple(modules)


def sent(request: Request, data: bytes, packed: bytes | None, tag: str, kind: str, cache: str) -> Response:
    """Content that the browser may keep and ask about again."""
    etag = f'"{tag}"'
    headers = {"ETag": etag, "Cache-Control": cache, "Vary": "Accept-Encoding"}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type=kind, headers={**headers, "Content-Encoding": "gzip"})
    return Response(data, media_type=kind, headers=headers)


async def _static(request: Request) -> Response:
    try:
        file = static_file(request.path_params["name"])
    except KeyError:
        raise HTTPException(404) from None
    named = request.query_params.get("v") == file.tag
    plain = A_WHILE if request.path_params["name"].startswith("icons/") else ASK_AGAIN
    return sent(request, file.data, file.packed, file.tag, file.type, FOR_EVER if named else plain)


async def _service_worker(request: Request) -> Response:
    """At the root, since a service worker looks after what lies beneath its own address."""
    file = static_file("sw.js")
    return sent(request, file.data, file.packed, file.tag, file.type, ASK_AGAIN)


async def _favicon(request: Request) -> Response:
    """For those who ask for it unseen; pages name the drawn one."""
    file = static_file("icons/favicon.svg")
    return sent(request, file.data, file.packed, file.tag, file.type, ASK_AGAIN)


routes: list[BaseRoute] = [
    Route("/static/{name:path}", _static),
    Route("/sw.js", _service_worker),
    Route("/favicon.ico", _favicon),
]
