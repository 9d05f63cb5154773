"""The address of this server for other people: in the settings, in the local network, or as a visitor reached it."""

import socket
import struct
import sys
import time

from starlette.requests import Request

from damas.server.security.hosts import EVERYWHERE, LOOPBACK, without_port
from damas.server.services import services_of
from damas.server.settings import Settings

SIOCGIFADDR = 0x8915
"""Linux's request for the address of an interface."""
CHECK_S = 5.0
"""The network of a laptop may change while the server runs: it is looked up again after so long."""


def public_address(request: Request) -> str:
    """The address that every link and QR code for other people carries, without a slash at its end.

    It is `public_url` of the settings, else the address by which this visitor reached the server. A visitor at this machine
    itself reached it by a name that leads nowhere on a phone: there the address in the local network takes its place.
    """
    settings = services_of(request).settings
    if settings.public_url:
        return settings.public_url.rstrip("/")
    host = request.url.netloc
    name = without_port(host)
    if settings.host in EVERYWHERE and name in LOOPBACK and (lan := _lan_address()):
        host = lan + host[len(name) :]
    return f"{request.url.scheme}://{host}"


def lan_urls(settings: Settings, port: int) -> list[str]:
    """The addresses for other machines, the best one first; none where the server listens on this machine alone."""
    if settings.public_url:
        return [settings.public_url.rstrip("/")]
    return [f"http://{host}:{port}" for host in lan_addresses()] if settings.host in EVERYWHERE else []


_known: tuple[float, str] = (0.0, "")


def _lan_address() -> str:
    """The first of `lan_addresses`, looked up at most every few seconds; empty without a network."""
    global _known  # noqa: PLW0603 (one network for the whole process)
    if time.monotonic() >= _known[0]:
        _known = (time.monotonic() + CHECK_S, next(iter(lan_addresses()), ""))
    return _known[1]


def lan_addresses() -> list[str]:
    """The addresses of this machine in its networks, the one towards the internet first."""
    addresses = [_internet_address(), *_addresses_of_hostname(), *_interface_addresses()]
    usable = [
        address for address in addresses if address and not address.startswith(("127.", "0.", "169.254."))
    ]
    return list(dict.fromkeys(usable))


def _internet_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only selects the route
            return str(probe.getsockname()[0])
        except OSError:
            return ""


def _addresses_of_hostname() -> list[str]:
    try:
        return [
            str(addresses[4][0])
            for addresses in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        ]
    except OSError:
        return []


def _interface_addresses() -> list[str]:
    """On Linux, where a machine's name often leads to itself alone."""
    if sys.platform != "linux":
        return []
    import fcntl

    addresses = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            try:
                reply = fcntl.ioctl(probe, SIOCGIFADDR, struct.pack("256s", name[:15].encode()))
            except OSError:  # an interface without an address
                continue
            addresses.append(socket.inet_ntoa(reply[20:24]))
    return addresses
