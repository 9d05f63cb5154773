"""When Python looks for rings of dead objects. A look at all objects stops everybody, a third of a second at a thousand
games; and there is next to nothing to find, since a room, its sockets and its events are gone when nobody holds them.
So the youngest are looked at many times a second, when they are few, and left alone if they live; all of them are
looked at when nothing is going on, or at last once an hour.

Left to itself Python would look at the youngest when `new - dead` reaches a number. In a server that plays, as many die
as are born, so that number is reached every few seconds, with all the young of those seconds to look at: 50 ms.
"""

import asyncio
import gc
import time
from collections.abc import Callable

YOUNG_S = 0.1
EVERY_S = 5.0
SELDOM_S = 3600.0
MUCH = 500
"""So many new objects between two looks at the young mean that something is going on."""
NEVER = 1_000_000


def settle() -> None:
    """What is there once the server stands, its code above all, stays: nobody looks at it again until it is quiet."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEVER, 10, NEVER)


async def look_around(
    quiet: Callable[[], bool], young_s: float = YOUNG_S, every_s: float = EVERY_S, seldom_s: float = SELDOM_S
) -> None:
    """Looks at all objects when it is `quiet` and something has happened since the last time, or after `seldom_s`."""
    asked = looked = time.monotonic()
    happened = False
    while True:
        await asyncio.sleep(young_s)
        happened |= gc.get_count()[0] > MUCH
        gc.collect(0)
        gc.freeze()
        now = time.monotonic()
        if now - asked > every_s:
            asked = now
            if (happened and quiet()) or now - looked > seldom_s:
                gc.unfreeze()
                gc.collect()
                gc.freeze()
                looked, happened = time.monotonic(), False
