"""One connection after another sends short headers without an end. Counts `status 431`, or `closed`."""

from hostile.attacker import Target
from hostile.attacks.huge_header import send_without_end

HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
PIECE = b"a:b\r\n" * 4000


async def attack(target: Target) -> None:
    await send_without_end(target, HEAD, PIECE)
