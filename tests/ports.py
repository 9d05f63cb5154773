"""A free port for a server that is ended and started again, or whose port must be known before it starts."""

import random
import socket
from pathlib import Path

RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")


def lasting_port() -> int:
    """A port from which the system makes no connections: it would take one of its own range while the server is away."""
    first = int(RANGE.read_text().split()[0]) if RANGE.exists() else 32_768
    while True:
        port = random.SystemRandom().randrange(10_000, max(first, 11_000))
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
