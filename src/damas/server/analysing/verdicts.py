"""What the endgame tables say of a place in a game, limits and counts included."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor

from damas.errors import DamagedTable, NoTable, NoTablesForRules
from damas.game import Record
from damas.rules import Rulebook
from damas.tablebase import Probe, Store, build, probe
from damas.tablebase.store import AT_ONCE
from damas.views.endgames import BoardProbeView, NoProbeView, board_probe_view

log = logging.getLogger("damas.analysing")

NO_PLACE = "NO_PLACE_FOR_TABLES"
"""A refusal of the server's own, so that its sentence is `errors.NO_PLACE_FOR_TABLES`."""


class _Closed(Exception):
    """The server goes: a build is given up; what is finished of it stays."""


class Verdicts:
    """One thread asks the tables, so that no two ever open or build the same one."""

    def __init__(self, *, threads: int) -> None:
        self._stores: dict[Rulebook, Store] = {}
        self._threads = threads
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="damas-tables")
        self._closing = False

    async def on(self, record: Record, language: str) -> BoardProbeView | NoProbeView:
        """The verdict on a place and on each of its moves; `there` is false where no table knows.

        Tables of few pieces are made when first needed, which takes a second or two; where they cannot be written, that
        is said (`NO_PLACE_FOR_TABLES`) and tried again at the next question.
        """
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(self._thread, self._probe, record)
        except (NoTable, NoTablesForRules, DamagedTable, _Closed) as error:
            code = getattr(error, "code", "CLOSED")
            message = error.sentence(language) if isinstance(error, NoTable | NoTablesForRules) else ""
            return NoProbeView(False, code, message, message)
        except OSError as error:
            log.error("a table cannot be made or read: %s", error)
            return NoProbeView(False, NO_PLACE, "", "")
        return board_probe_view(found, language)

    def _probe(self, record: Record) -> Probe:
        book = record.rulebook
        if book not in self._stores:
            self._stores[book] = Store(book)
        store, pieces = self._stores[book], sum(record.position.counts)
        store.possible(pieces)
        if pieces <= AT_ONCE[book.size.value]:
            for number in range(2, pieces + 1):
                if not store.complete(number):
                    build(store, pieces, threads=self._threads, report=self._go_on)
                    break
        return probe(record.position, record, store=store)

    def _go_on(self, _done: int, _total: int, _name: str) -> None:
        if self._closing:
            raise _Closed

    def close(self) -> None:
        self._closing = True
        self._thread.shutdown(wait=False, cancel_futures=True)
