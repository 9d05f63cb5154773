"""Positions whose moves take long to list, as those set up by hand may: listed in a thread before the room needs them.

The core makes such a list without Python's lock and remembers it, so the event loop is not held up.
"""

import asyncio

from damas.errors import DamasError
from damas.game import Position


async def list_ahead(position: Position, move: str) -> None:
    """Lists the moves before and after a move, where either takes long."""
    try:
        await _listed(position)
        await _listed(position.play(move))
    except DamasError:  # the arbiter says why
        return


async def _listed(position: Position) -> None:
    if position.takes_long:
        await asyncio.to_thread(lambda: (position.legal_moves, position.routes()))
