"""The score sheet of one game: its moves as everybody is shown them, each written once. A long game costs no more a move
than a short one.
"""

from collections.abc import Sequence

import msgspec

from damas.arbiter import Table
from damas.server.messages import raw
from damas.server.rooms.record import time_left
from damas.server.store.rows import EventRow
from damas.views.table import note_time, played_move, played_moves


class Sheet:
    """Made with the room from the events on disk, and told of every table that the disk has after them."""

    def __init__(self, table: Table, rows: Sequence[EventRow]) -> None:
        self._left = time_left(rows, table)
        self.moves: list[msgspec.Raw] = []
        self._write_all(table)

    def follow(self, before: Table, after: Table) -> None:
        note_time(self._left, before, after)
        same_stretch = len(after.stretches) == len(before.stretches)
        if same_stretch and after.ply == before.ply + 1:
            self.moves.append(raw(played_move(after.game.record, after.game.record.length, self._left[-1])))
        elif not same_stretch or after.game is not before.game:
            self._write_all(after)

    def _write_all(self, table: Table) -> None:
        self.moves = [raw(move) for move in played_moves(table, self._left)]
