"""Host names that the server accepts, and the client address of a request behind proxies."""

import logging
import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from damas.server.security.errors import ApiError, refuse
from damas.server.settings import Settings

log = logging.getLogger("damas")

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""Names of this machine, always accepted."""
EVERYWHERE = ("0.0.0.0", "::", "")
"""Addresses that listen on every interface."""
ANY_HOST_PATHS = ("/healthz", "/readyz")
"""Paths for health checks, which are answered under any host name."""


def host_names(settings: Settings) -> frozenset[str]:
    """The accepted host names; a foreign name that points here (DNS rebinding) is refused."""
    hosts = {*LOOPBACK, *(name.lower() for name in settings.allowed_hosts)}
    if settings.host in EVERYWHERE:
        machine = socket.gethostname().lower()
        hosts |= {machine, f"{machine.split('.')[0]}.local"}
    else:
        hosts.add(f"[{settings.host}]" if ":" in settings.host else settings.host.lower())
    if settings.public_url:
        hosts.add((urlsplit(settings.public_url).hostname or "").lower())
    return frozenset(hosts)


def without_port(host: str) -> str:
    """A Host without its port.

    >>> without_port("[::1]:8000"), without_port("Damas.example:443"), without_port("a")
    ('[::1]', 'damas.example', 'a')
    """
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()


class Hosts:
    """Middleware: refuses foreign Host headers, and trusts forwarded headers only from configured proxies."""

    def __init__(self, app: ASGIApp, *, settings: Settings) -> None:
        self._app = app
        self._names = host_names(settings)
        self._everywhere = settings.host in EVERYWHERE
        self._warned = False
        self._proxies = [ip_network(proxy, strict=False) for proxy in settings.trusted_proxies]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not apply_forwarded(scope, headers, self._proxies):
            self._warn(scope)
        host = without_port(", ".join(headers.getlist("host")))  # two of them are no name of ours
        if not self._answers_to(host) and scope["path"] not in ANY_HOST_PATHS:
            await refuse(HTTPConnection(scope), receive, send, ApiError(400, "HOST", host=host[:100]))
            return
        await self._app(scope, receive, send)

    def _warn(self, scope: Scope) -> None:
        """Warns once: behind an unknown proxy all visitors have one address and share its limits."""
        if self._warned:
            return
        self._warned = True
        peer = (scope.get("client") or ("?", 0))[0]
        log.warning(
            "%s sends X-Forwarded-… headers and is no trusted proxy: they are not believed. If it is yours, name it "
            "in DAMAS_TRUSTED_PROXIES",
            peer,
        )

    def _answers_to(self, host: str) -> bool:
        # A page cannot be reached by a number and belong to another site: only names can be pointed anywhere.
        number = self._everywhere and _address(host.removeprefix("[").removesuffix("]")) is not None
        return number or host in self._names or "*" in self._names


def apply_forwarded(scope: Scope, headers: Headers, proxies: list[IPv4Network | IPv6Network]) -> bool:
    """Sets the client to the last address of X-Forwarded-For that is not a trusted proxy, and the scheme.

    Several header lines are one list. False if a client that is no trusted proxy sends such headers.
    """
    client = scope.get("client")
    chain, schemes = _listed(headers, "x-forwarded-for"), _listed(headers, "x-forwarded-proto")
    if not client or not is_among(client[0], proxies):
        return not chain and not schemes
    for address in reversed(chain):
        if _address(address) is None:
            break
        scope["client"] = (address, 0)
        if not is_among(address, proxies):
            break
    scheme = schemes[-1].lower() if schemes else ""
    if scheme in ("http", "https"):
        secure = scheme == "https"
        scope["scheme"] = {"http": ("http", "https"), "websocket": ("ws", "wss")}[scope["type"]][secure]
    return True


def _listed(headers: Headers, name: str) -> list[str]:
    lines = headers.getlist(name)
    return [part.strip() for part in ",".join(lines).split(",")] if lines else []


def is_among(host: str, proxies: list[IPv4Network | IPv6Network]) -> bool:
    """Whether an address lies in one of these networks."""
    address = _address(host)
    return address is not None and any(address in proxy for proxy in proxies)


def address_of(connection: HTTPConnection) -> str:
    """The client address that limits count a request by."""
    return counted_address(connection.client)


def counted_address(client: tuple[str, int] | None) -> str:
    """The address that limits count a client by: an IPv6 network of one visitor (/64) counts as one address.

    >>> [counted_address((host, 0)) for host in ("203.0.113.7", "::ffff:203.0.113.7", "2001:db8::1", "somewhere")]
    ['203.0.113.7', '203.0.113.7', '2001:db8::/64', 'somewhere']
    """
    if client is None:
        return "local"
    address = _address(client[0])
    if address is None:
        return client[0]
    return str(ip_network((address, 64), strict=False)) if address.version == 6 else str(address)


def _address(host: str) -> IPv4Address | IPv6Address | None:
    """The address in a text; an IPv4 client of a socket that listens on IPv6 has its IPv4 address."""
    try:
        address = ip_address(host)
    except ValueError:
        return None
    return (address.version == 6 and address.ipv4_mapped) or address
