"""Making tables: each material is one job that needs those which its captures and crownings lead to."""

import errno
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from damas import _core
from damas.tablebase.background import Report, silent, watched
from damas.tablebase.material import Material, canonical_materials, reached
from damas.tablebase.store import Store


class Interrupted(Exception):
    """The build was stopped; what is finished stays."""


def build(store: Store, pieces: int, *, threads: int | None = None, report: Report = silent) -> int:
    """Makes what is missing of all tables up to so many pieces; returns how many materials were made.

    Finished materials are kept, so that a killed build goes on where it was. Only what later jobs need stays in memory.
    Where nothing is missing nothing is written. Raises `NoTable` for more pieces than tables are made for, and
    `OSError`, its file named, where a file cannot be written.
    """
    store.possible(pieces)
    if not store.missing([m for n in range(2, pieces + 1) for m in canonical_materials(n)]):
        return 0
    with exclusive(store.folder):
        for left in store.folder.glob("*.new"):  # by a build that was killed: nobody else builds now
            left.unlink(missing_ok=True)
        return Build(store, pieces, threads or os.cpu_count() or 1, report).run()


def build_in_memory(
    store: Store, pieces: int, *, max_men: int | None = None, threads: int | None = None
) -> None:
    """All tables up to so many pieces, for this store alone and as long as it lives. `max_men` leaves those with more
    men out: with 0, the endings of kings alone, which lead to no others.
    """
    Build(store, pieces, threads or os.cpu_count() or 1, silent, files=False, max_men=max_men).run()


class Build:
    """One run of `build`: makes the missing materials, those with fewer pieces and men first."""

    def __init__(
        self,
        store: Store,
        pieces: int,
        threads: int,
        report: Report,
        *,
        files: bool = True,
        max_men: int | None = None,
    ) -> None:
        self.store = store
        self.files = files
        self.threads = threads
        self.report = report
        self.levels = levels_of(pieces, max_men)
        all_materials = [material for level in self.levels for material in level]
        for material in all_materials:
            store.declare(material)
        self.missing = store.missing(all_materials) if files else set(all_materials)
        self.total = sum(2 * store.sizes[m] for m in self.missing)
        self.progress = _core.Progress()
        self.now = ""
        self.in_memory: set[Material] = set()

    def run(self) -> int:
        """Builds everything that is missing and returns the number of materials."""
        watched(self.build_all, self.progress, self.on_progress)
        self.report(self.total, self.total, "")
        return len(self.missing)

    def on_progress(self, done: int) -> None:
        """Reports the positions done so far."""
        self.report(min(done, self.total), self.total, self.now)

    def build_all(self) -> None:
        """Builds the levels in order."""
        for number, level in enumerate(self.levels):
            todo = [material for material in level if material in self.missing]
            if todo:
                self.load_needed(todo)
                self.make(todo)
            if self.files:
                self.forget(self.levels[number + 1 :])
        if not self.files:
            self.store.opened |= self.in_memory

    def make(self, todo: list[Material]) -> None:
        """All of one number of pieces and men: none needs another, so small ones go side by side."""
        if todo[0].men == 0 and self.threads > 1:
            with ThreadPoolExecutor(self.threads) as pool:
                list(pool.map(lambda material: self.one(material, 1), todo))
        else:
            for material in todo:
                self.one(material, self.threads)

    def one(self, material: Material, threads: int) -> None:
        """Builds the tables of one material."""
        self.now = material.name
        if not self.store.core.solve(material.counts, threads, self.progress):
            raise Interrupted
        if self.files:
            self.save(material, threads)
        self.in_memory.add(material)

    def save(self, material: Material, threads: int) -> None:
        """Writes the tables of a material and their entry in the manifest."""
        with self.store.replacing(material) as temporary:
            self.store.core.save(material.counts, str(temporary), threads)

    def load_needed(self, todo: list[Material]) -> None:
        """Brings back from their files what these jobs need and is not in memory."""
        for material in needed(todo) - self.in_memory:
            self.store.load(material, self.threads)
            self.in_memory.add(material)

    def forget(self, later: list[list[Material]]) -> None:
        """Releases the tables that no later level needs."""
        wanted = needed(material for level in later for material in level if material in self.missing)
        for material in self.in_memory - wanted:
            self.store.core.release(material.counts)
        self.in_memory &= wanted


def levels_of(pieces: int, max_men: int | None = None) -> list[list[Material]]:
    """The materials of up to so many pieces, in levels that need only earlier ones."""
    return [
        [m for m in canonical_materials(n) if m.men == men]
        for n in range(2, pieces + 1)
        for men in range(1 + (n if max_men is None else min(n, max_men)))
    ]


def needed(materials: Iterable[Material]) -> set[Material]:
    """The materials whose tables these need."""
    return {after for material in materials for after in reached(material)}


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Two processes that build the same tables take turns."""
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
    with (folder / ".lock").open("w") as lock:
        try:
            import fcntl
        except ImportError:  # a system without it: the last to finish wins, with the same bytes
            yield
            return
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
