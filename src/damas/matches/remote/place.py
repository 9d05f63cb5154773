"""Where a server may be that we talk to: found once, checked, and called by that address alone ever after.

A name can mean another address each time it is looked up, an address of our own network among them. Others' servers are
called over https and at public addresses only. The user's own (`--trust`) may be anywhere over https, and over plain
http on this very machine.
"""

import ipaddress
import socket
import threading
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

from damas.errors import RemoteTrouble

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
"""An address of either family."""
NOT_PUBLIC = (ipaddress.IPv4Network("192.0.0.0/24"), ipaddress.IPv6Network("fec0::/10"))
"""Special networks that Python's `is_global` takes for the open internet: protocols' own, and sites' own of old."""
TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
"""Addresses behind which a translator finds an IPv4 address, in the last 32 bits."""


@dataclass(frozen=True)
class Place:
    """A server: its name, and the checked addresses at which it is called."""

    host: str
    port: int
    path: str
    tls: bool
    addresses: tuple[str, ...]

    def connected(self, seconds: float) -> socket.socket:
        """A connection to the first of its addresses that answers in time; raises `OSError` if none does."""
        deadline = time.monotonic() + seconds
        failure: OSError = TimeoutError("too slow")
        for address in self.addresses:
            left = deadline - time.monotonic()
            if left <= 0:
                break
            try:
                return socket.create_connection((address, self.port), left)
            except OSError as error:
                failure = error
        raise failure


def check_scheme(url: str, *, own: bool) -> None:
    """Raises `RemoteTrouble` for an address without https, unless it is the user's own."""
    if urlsplit(url).scheme != "https" and not own:
        raise RemoteTrouble(url, "plain")


def find(url: str, *, own: bool, seconds: float) -> Place:
    """Looks the server up; raises `RemoteTrouble` if it may not be called, `OSError` if it is not found in time."""
    check_scheme(url, own=own)
    parts = urlsplit(url)
    tls = parts.scheme == "https"
    host, port = parts.hostname or "", parts.port or (443 if tls else 80)
    addresses = look_up(host, port, seconds)
    for text in addresses:
        address = ipaddress.ip_address(text)
        if not (tls or embedded(address).is_loopback):
            raise RemoteTrouble(url, "plain")
        if not (own or public(address)):
            raise RemoteTrouble(url, "private", text)
    return Place(host, port, parts.path, tls, addresses)


def look_up(host: str, port: int, seconds: float) -> tuple[str, ...]:
    """All addresses of a name; raises `OSError` if there is none, or no answer in time."""
    answers: list[list[str] | OSError] = []

    def ask() -> None:
        try:
            infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answers.append([str(info[4][0]).partition("%")[0] for info in infos])
        except (OSError, UnicodeError) as error:
            answers.append(error if isinstance(error, OSError) else OSError(str(error)))

    # In a thread, since the time limit of the system may be long.
    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(seconds)
    if not answers:
        raise TimeoutError("the name is not found in time")
    if isinstance(answers[0], OSError):
        raise answers[0]
    return tuple(dict.fromkeys(answers[0]))


def public(address: Address) -> bool:
    """Whether an address is of the open internet: of no private network, of no machine's own.

    >>> [public(ipaddress.ip_address(text)) for text in ("93.184.215.14", "10.0.0.1", "169.254.169.254", "::1")]
    [True, False, False, False]
    """
    inner = embedded(address)
    if any(inner in network for network in NOT_PUBLIC):
        return False
    return inner.is_global and not (inner.is_multicast or inner.is_reserved or inner.is_unspecified)


def embedded(address: Address) -> Address:
    """The IPv4 address inside an IPv6 address that stands for one; any other address itself.

    >>> embedded(ipaddress.ip_address("::ffff:127.0.0.1"))
    IPv4Address('127.0.0.1')
    """
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in TRANSLATED:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo and address.teredo[1]
    return address.ipv4_mapped or address.sixtofour or teredo or address
