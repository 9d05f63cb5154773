"""Security headers of every response: own scripts only, no content sniffing, no frames but of the pages made for that."""

from starlette.datastructures import Headers as RequestHeaders
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

YEARS = 63_072_000
"""Seconds for which browsers keep to https: two years."""

FIXED = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""Headers of every response. Two of them isolate pages and workers, which may then share memory among threads."""

PICTURES = ("/game/export/", "/study/export/", "/position.", "/qr.svg")
"""Paths of pictures that other sites may embed."""


EMBEDDED = "/embed/"
"""Path of the pages that other sites may show in a frame: they have no forms, no cookies and nothing to press but steps."""


def fixed_headers(*, secure: bool) -> dict[str, str]:
    """Headers that are the same for every response; over https also HSTS."""
    return {**FIXED, "Strict-Transport-Security": f"max-age={YEARS}"} if secure else FIXED


def policy(host: str) -> str:
    """The content security policy. Sockets are named by host: for some browsers 'self' does not include them."""
    return "; ".join(
        (
            "default-src 'self'",
            "img-src 'self' data: blob:",
            "style-src 'self'",
            "script-src 'self'",
            f"connect-src 'self' ws://{host} wss://{host}" if host else "connect-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


def embedded_policy() -> str:
    """The policy of pages that any site may frame: nothing but our own files, and nothing is sent from there."""
    return "; ".join(
        (
            "default-src 'none'",
            "img-src 'self' data:",
            "style-src 'self'",
            "script-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors *",
        )
    )


def core_policy() -> str:
    """The policy of the worker in which the core runs: it alone may compile WebAssembly."""
    return policy("").replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")


class Headers:
    """Outermost middleware, so that refusals have these headers too."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app = app
        self._fixed = fixed_headers(secure=secure)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        host = RequestHeaders(scope=scope).get("host", "")

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if scope["path"].startswith((*PICTURES, EMBEDDED)):
                    headers.setdefault("Cross-Origin-Resource-Policy", "cross-origin")
                for name, value in self._fixed.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith(EMBEDDED):
                    headers.setdefault("Content-Security-Policy", embedded_policy())
                    del headers["X-Frame-Options"]
                headers.setdefault("Content-Security-Policy", policy(host if is_plain(host) else ""))
            await send(message)

        await self._app(scope, receive, with_headers)


def is_plain(host: str) -> bool:
    """Whether a Host is safe in a policy: a name or address and a port, nothing that could end the directive."""
    return (
        0 < len(host) < 256
        and all(letter.isalnum() or letter in ".-:[]" for letter in host)
        and host.isascii()
    )
