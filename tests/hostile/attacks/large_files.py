"""Eight clients want the longest films, the largest pictures and new PDF files. Counts `status CODE`."""

import asyncio

from hostile.attacker import Target
from hostile.attacks.hard_questions import asking

CLIENTS = 8
SHUFFLE = ".".join(("a1-b2", "h6-g5", "b2-a1", "g5-h6")[ply % 4] for ply in range(299))
FILES = (
    (f"/position.gif?rulebook=brasileira&fen=W:WKa1:BKh6&size=480&moves={SHUFFLE}", None),
    ("/position.png?rulebook=canadense&size=1200", None),
    ("/position.svg?rulebook=canadense&size=1200", None),
    ("/paper/leaflet/internacional.pdf?lang=es", None),
    ("/paper/leaflet/frisia?lang=pt-PT", None),
    ("/api/puzzles/brasileira/sample", None),
)


async def attack(target: Target) -> None:
    await asyncio.gather(*(asking(target, FILES, number) for number in range(CLIENTS)))
