"""Our own engine in this process, by the same interface as every other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from queue import Empty, SimpleQueue
from threading import Thread

from damas.client.engine import TIMEOUT_S, Analysis, EngineClient, OptionValue
from damas.client.results import Info, PlayResult, infos_of
from damas.engine.engine import MAX_HASH_MB, MAX_THREADS, Engine, Result
from damas.engine.limits import Limits
from damas.game import Record
from damas.notation.hub import Option
from damas.rules import Rulebook

DEFAULT_HASH_MB = 64
"""Megabytes of its hash table, unless the options say otherwise."""


class LocalClient(EngineClient):
    """Our own engine, thinking in threads of this process. Its options are those of `damas hub`.

    `network=False` counts pieces instead of asking the network; `tables=False` does without endgame tables.
    """

    def __init__(
        self,
        book: Rulebook | str,
        *,
        options: Mapping[str, OptionValue] | None = None,
        timeout: float = TIMEOUT_S,
        network: bool = True,
        tables: bool = True,
    ) -> None:
        super().__init__(book, timeout)
        self._network, self._tables = network, tables
        self._values = {"threads": 1, "tt-size": DEFAULT_HASH_MB}
        self._engine: Engine | None = None
        self.configure(options or {})

    @property
    def name(self) -> str:
        return "damas" if self._network else "material"

    @property
    def id(self) -> Mapping[str, str]:
        return {"name": self.name, "version": version("damas")}

    @property
    def options(self) -> Mapping[str, Option]:
        return {
            "threads": Option("threads", "int", "1", 1, MAX_THREADS),
            "tt-size": Option("tt-size", "int", str(DEFAULT_HASH_MB), 1, MAX_HASH_MB),
        }

    def _configure(self, values: Mapping[str, str]) -> None:
        self._values |= {name: int(value) for name, value in values.items()}
        self._engine = None

    def _get_engine(self) -> Engine:
        """The engine, made when it is first needed."""
        if self._engine is None:
            self._engine = Engine(
                self.book,
                threads=self._values["threads"],
                hash_mb=self._values["tt-size"],
                network=self._network,
                tables=self._tables,
            )
        return self._engine

    def _start(self, record: Record, limits: Limits, mode: str, multipv: int) -> Analysis:
        if mode == "ponder":
            limits = replace(limits, moves=None, ponder=True)
        return LocalAnalysis(self._get_engine(), record, replace(limits, lines=multipv))

    def _new_game(self) -> None:
        self._get_engine().forget()

    def _ping(self) -> None:
        """It is alive as long as we are."""

    def _quit(self) -> None:
        if self._engine:
            self._engine.close()
            self._engine = None


class LocalAnalysis(Analysis):
    """A search of our own engine."""

    def __init__(self, engine: Engine, record: Record, limits: Limits) -> None:
        super().__init__()
        self._color = record.position.turn
        self._reports: SimpleQueue[Info | PlayResult | BaseException] = SimpleQueue()
        self._reported: tuple[object, ...] = ()
        self._thinking = engine.think(record, limits, watcher=self._report)
        Thread(target=self._finish, name="damas-analysis", daemon=True).start()

    def _report(self, result: Result) -> None:
        self._reported = result.lines
        for info in infos_of(result, self._color):
            self._reports.put(info)

    def _finish(self) -> None:
        """Waits for the result, in a thread of its own."""
        try:
            result = self._thinking.wait()
        except BaseException as error:  # noqa: BLE001 (raised again where the result is read)
            self._reports.put(error)
            return
        if result.lines != self._reported:  # as where the endgame tables answer without a search
            self._report(result)
        assert result.best
        self._reports.put(PlayResult(result.best, result.ponder, infos_of(result, self._color)[0]))

    def _stop(self) -> None:
        self._thinking.stop()

    def ponder_hit(self) -> None:
        self._thinking.ponder_hit()

    def _receive(self, *, wait: bool) -> Info | PlayResult | None:
        try:
            event = self._reports.get(block=wait)
        except Empty:
            return None
        if isinstance(event, BaseException):
            raise event
        return event
