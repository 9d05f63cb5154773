"""When Python looks for rings of dead objects. A look at all objects stops everybody, a third of a second at a thousand
games; and there is next to nothing to find, since a room, its sockets and its events are gone when nobody holds them.
So young objects are looked at as usual, and all of them when nothing is going on, or at last once an hour.
"""

import asyncio
import gc
import time
from collections.abc import Callable

EVERY_S = 5.0
SELDOM_S = 3600.0
YOUNG = 5_000
"""So many new objects make a look at the young ones worth while."""
NEVER = 1_000_000


def settle() -> None:
    """What is there once the server stands, its code above all, stays: nobody looks at it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 10, NEVER)


async def look_around(
    quiet: Callable[[], bool], every_s: float = EVERY_S, seldom_s: float = SELDOM_S
) -> None:
    """Looks at all objects when it is `quiet` and something has happened since the last time, or after `seldom_s`."""
    last, young = time.monotonic(), 0
    while True:
        await asyncio.sleep(every_s)
        looks = gc.get_stats()[1]["collections"]
        if (looks != young and quiet()) or time.monotonic() - last > seldom_s:
            gc.collect()
            last, young = time.monotonic(), looks
