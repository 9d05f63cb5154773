"""Cross-site requests: what changes something must come from our own pages or have a token."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from damas.server.security.errors import ApiError, refuse
from damas.server.settings import Settings

READING = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""
OURS = "x-damas"
"""A header that forms cannot send and foreign pages only after a CORS preflight, which is never granted."""

READ_ONLY_POSTS = (
    "/api/position",
    "/api/explain",
    "/api/compare",
    "/api/judge",
    "/api/tablebase",
    "/api/pdn/read",
    "/api/pdn/write",
)
"""Queries with a body: they change nothing, so any program may send them."""


class Origin:
    """Middleware that refuses cross-site changes; for sockets the Origin is checked at the handshake."""

    def __init__(self, app: ASGIApp, *, settings: Settings) -> None:
        self._app = app
        self._secure = settings.secure
        self._public = settings.public_url.rstrip("/").lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        changes = scope["type"] == "websocket" or (
            scope["type"] == "http"
            and scope["method"] not in READING
            and scope["path"] not in READ_ONLY_POSTS
        )
        if changes and not self._may(scope):
            await refuse(HTTPConnection(scope), receive, send, ApiError(403, "ORIGIN"))
            return
        await self._app(scope, receive, send)

    def _may(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        if headers.get("authorization", "").lower().startswith("bearer "):
            return True  # no browser adds a token by itself
        origin = headers.get("origin")
        if origin is not None:
            return self.is_ours(origin, headers.get("host", ""))
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        # Browsers send the origin of every socket; a client without one is no browser.
        return scope["type"] == "websocket" or headers.get(OURS) == "1"

    def is_ours(self, origin: str, host: str) -> bool:
        """Whether a page of that origin is one of ours."""
        if self._public and origin.lower() == self._public:
            return True
        parts = urlsplit(origin)
        schemes = ("https",) if self._secure else ("http", "https")
        return parts.scheme in schemes and bool(host) and parts.netloc.lower() == host.lower()
