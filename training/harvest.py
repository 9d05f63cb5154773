"""Playing the games of one shard, which depends on its settings and its number alone."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from damas import _core
from damas.engine.endings import join
from damas.engine.networks import FOLDER, name_for
from damas.game.core import rules_of
from damas.game.laws import laws_of
from damas.jobs.work import Send
from damas.rules import Rulebook, rulebook
from damas.tablebase import build, store_of
from training import shards
from training.command_line import PortableNetwork, StageError, load_network

Shard = tuple[bytes, dict[str, Any]]
"""The records of a shard, and what was counted while it was played."""


@dataclass(frozen=True)
class Harvest:
    """The work of `training.generate`: a piece is the number of a shard."""

    settings: shards.Origin
    network: PortableNetwork | None
    """The network that plays; None: pieces are counted."""

    @contextmanager
    def open(self, send: Send | None) -> Iterator[Callable[[int], Shard]]:  # noqa: ARG002 (the core counts games)
        """Yields the function that plays a shard, on one processor."""
        ready = Players(self.settings, self.network)
        yield lambda number: ready.play(number, threads=1, progress=_core.Progress())


class Players:
    """What every shard of these settings is played with: network and endgame tables are read once."""

    def __init__(self, settings: shards.Origin, network: PortableNetwork | None) -> None:
        self.settings = settings
        book = rulebook(settings.rulebook)
        self.rules, self.laws = rules_of(book), laws_of(book)
        self.network = network.read() if network else None
        self.table_engine = None
        if settings.tables:
            store = store_of(book)
            build(store, settings.tables)
            self.table_engine = _core.Engine(self.rules, self.laws, hash_bytes=1 << 20, threads=1)
            join(self.table_engine, store, settings.tables)

    def play(self, number: int, *, threads: int, progress: _core.Progress) -> Shard:
        """Plays the shard of a number."""
        settings = self.settings
        records, counts = _core.harvest(
            self.rules,
            self.laws,
            self.network,
            nodes=settings.nodes,
            seed=settings.seed,
            first=number * settings.games,
            games=settings.games,
            threads=threads,
            random=settings.random,
            fair=settings.fair,
            threatened=settings.threatened,
            table_engine=self.table_engine,
            progress=progress,
        )
        return records, counts


class Folder:
    """The folder of the shards: those that are there are not played again.

    A shard is `ahead` until those before it are there, so that the shards in use never have a gap.
    """

    def __init__(self, path: Path, settings: shards.Origin) -> None:
        self.path, self.settings = path, settings

    def _files(self, number: int) -> tuple[Path, Path]:
        """The file of a shard in use, and of one that is ahead."""
        name = f"{number:05}"
        return self.path / f"{name}.pos", self.path / f"{name}.ahead"

    def get(self, number: int) -> Shard | None:
        """What was counted in a shard that is there; its records stay in their file."""
        file = next((file for file in self._files(number) if file.exists()), None)
        return (b"", shards.header(file)["counts"]) if file else None

    def add(self, number: int, shard: Shard, *, ahead: bool = True) -> None:
        """Writes a shard."""
        origin = replace(self.settings, first_game=number * self.settings.games)
        shards.write(self._files(number)[ahead], origin, *shard)

    def use(self, number: int) -> None:
        """Puts a shard in use: all before it are."""
        in_use, ahead = self._files(number)
        if ahead.exists():
            ahead.replace(in_use)


def network_of(name: str, book: Rulebook) -> PortableNetwork | None:
    """The network that plays: a file, or `shipped`; None for `material`."""
    if name == "material":
        return None
    if name != "shipped":
        load_network(name, book)
        return PortableNetwork(name)
    if not (file := name_for(book)):
        raise StageError(f"no network ships for {book.id}")
    return PortableNetwork(FOLDER / file)
