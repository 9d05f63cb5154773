"""What the endgame tables say of a position in a game, draw limits and counts included."""

import logging

from damas.errors import DamagedTable, NoTable, NoTablesForRules
from damas.game import Record
from damas.rules import Rulebook
from damas.server.workers import Stop, Stopped, Workers
from damas.tablebase import Probe, Store, build, probe
from damas.tablebase.store import ON_DEMAND_PIECES
from damas.views.endgames import BoardProbeView, NoProbeView, board_probe_view

log = logging.getLogger("damas.analysing")

NO_PLACE = "NO_PLACE_FOR_TABLES"
"""Code of the refusal where tables cannot be written; its sentence is `errors.NO_PLACE_FOR_TABLES`."""


class Verdicts:
    """Asks the tables in one thread, so that no two callers open or build the same table."""

    def __init__(self, threads: int) -> None:
        self._stores: dict[Rulebook, Store] = {}
        self._threads = threads
        self._workers = Workers("tables", 1)

    async def on(self, record: Record, language: str) -> BoardProbeView | NoProbeView:
        """The verdict on a position and on each of its moves; `there` is false where no table has it.

        Tables of few pieces are built when first needed, which takes a second or two. Where they cannot be written the
        code is NO_PLACE_FOR_TABLES, and the next request tries again.
        """
        try:
            verdict = await self._workers.run(lambda stop: self._probe(record, stop))
        except Stopped:
            return NoProbeView(False, "CLOSED", "", "")
        except (NoTable, NoTablesForRules, DamagedTable) as error:
            message = "" if isinstance(error, DamagedTable) else error.sentence(language)
            return NoProbeView(False, error.code, message, message)
        except OSError as error:
            log.error("a table cannot be built or read: %s", error)
            return NoProbeView(False, NO_PLACE, "", "")
        return board_probe_view(verdict, language)

    def _probe(self, record: Record, stop: Stop) -> Probe:
        book = record.rulebook
        if book not in self._stores:
            self._stores[book] = Store(book)
        store, pieces = self._stores[book], sum(record.position.counts)
        store.possible(pieces)
        if pieces <= ON_DEMAND_PIECES[book.size.value]:
            for number in range(2, pieces + 1):
                if not store.complete(number):
                    build(store, pieces, threads=self._threads, report=lambda *_: stop.check())
                    break
        return probe(record.position, record, store=store)

    def close(self) -> None:
        """Stops a build; finished tables stay."""
        self._workers.stop()
