"""Verifies tables: derives every position again from its moves, by code that is independent of the solver."""

from dataclasses import dataclass
from functools import partial

from damas import _core
from damas.errors import DamagedTable, NoTable
from damas.game.position import Position
from damas.tablebase.background import Report, silent, watched
from damas.tablebase.material import Material, canonical_materials, reached
from damas.tablebase.store import Store, digest

EVERY_POSITION_UP_TO = 5
"""Pieces up to which every position is verified."""
SAMPLES = 10_000_000
"""Positions sampled of all larger materials together, in proportion to their size."""


@dataclass(frozen=True)
class Fault:
    """A position whose stored value differs from the derived one."""

    material: Material
    position: Position
    table: int
    stored: int
    derived: int


@dataclass(frozen=True)
class Verification:
    """The result of verifying tables."""

    looked: int
    """Positions derived again."""
    sampled: bool
    faults: list[Fault]


def verify(store: Store, pieces: int, *, threads: int, report: Report = silent) -> Verification:
    """Every position up to five pieces, samples of more. Raises `DamagedTable` if a file is not whole."""
    levels = [list(canonical_materials(n)) for n in range(2, pieces + 1)]
    everything = [material for level in levels for material in level]
    check_files(store, everything)
    samples: dict[Material, int] = {}
    for level in levels:
        if level[0].pieces > EVERY_POSITION_UP_TO:
            whole = sum(store.sizes[m] for m in level)
            samples |= {m: max(2000, SAMPLES * store.sizes[m] // whole) for m in level}
    total = sum(samples.get(m, 2 * store.sizes[m]) for m in everything)
    faults: list[Fault] = []
    looked = 0
    in_memory: set[Material] = set()
    for material in everything:
        wanted = {material} | reached(material)
        for other in in_memory - wanted:
            store.core.release(other.counts)
        for other in wanted - in_memory:
            store.load(other, threads)
        in_memory = wanted
        on_progress = partial(_report_progress, report, looked, total, material.name)
        progress = _core.Progress()
        derive = partial(
            store.core.verify, material.counts, samples.get(material, 0), threads, progress, Position
        )
        here, mismatches = watched(derive, progress, on_progress)
        looked += here
        faults += [Fault(material, *fault) for fault in mismatches]
    for material in in_memory:
        store.core.release(material.counts)
    report(total, total, "")
    return Verification(looked, bool(samples), faults)


def _report_progress(report: Report, before: int, total: int, name: str, done: int) -> None:
    report(min(before + done, total), total, name)


def check_files(store: Store, materials: list[Material]) -> None:
    """Every file is there, whole, and the one that the manifest names."""
    entries = store.slices()
    for material in materials:
        if not store.open(material):
            raise NoTable(store.book.id, material.pieces)
        if entries.get(material.name, {}).get("sha256") != digest(store.path(material)):
            raise DamagedTable(f"{store.path(material)}: is not the file that the manifest names")
