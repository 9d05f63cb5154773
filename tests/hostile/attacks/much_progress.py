"""A stranger stores progress under every key, and tries puzzles, as fast as it may. Counts `status 200`, `status 429`."""

import asyncio

from hostile.attacker import Target
from hostile.attacks.hard_questions import asking

CLIENTS = 20
ADDRESS = "127.0.0.69"
"""One of its own: other attacks beside it would use up its requests."""


async def attack(target: Target) -> None:
    from damas.rules import rulebook_ids
    from damas.server.learning.puzzle import sheet_of

    keys = [f"{kind}.{book}" for kind in ("puzzles", "endings") for book in rulebook_ids()]
    puzzle = next(iter(sheet_of("brasileira"))).id
    writes = (
        ("/api/progress", {"progress": {key: {} for key in keys}}),
        ("/api/progress", {"progress": {"puzzles.brasileira": "x" * 65_000}}),
        (f"/api/puzzles/brasileira/{puzzle}", {"solved": False}),
    )
    await asyncio.gather(*(asking(target, writes, number, ADDRESS) for number in range(CLIENTS)))
