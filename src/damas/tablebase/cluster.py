"""Making tables on a Ray cluster: each material on some node, from inputs that are fetched by hash and checked."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from damas import _core
from damas.errors import DamagedTable
from damas.jobs import run_pieces
from damas.jobs.ray_cluster import connected, fetch, share
from damas.jobs.work import Send
from damas.rules import Rulebook
from damas.tablebase.background import Report, silent
from damas.tablebase.build import exclusive, levels_of, needed
from damas.tablebase.material import Material, reached
from damas.tablebase.store import Store

BYTES_PER_POSITION = 6
"""Memory that a table takes while it is made, for each position and side to move, with some to spare."""


@dataclass(frozen=True)
class Slice:
    """A material to make, with the tables that its captures and crownings lead to."""

    material: Material
    inputs: tuple[tuple[Material, str], ...]
    """Materials and the SHA-256 of their files."""
    positions: int
    """Of the material and its inputs, for one side to move."""
    files: Mapping[str, Any] = field(compare=False)
    """Where the cluster keeps the files of the inputs, by their hash."""


@dataclass(frozen=True)
class Solving:
    """The work of a node: a piece is a slice, its result the file of the material."""

    book: Rulebook

    @contextmanager
    def open(self, send: Send | None) -> Iterator[Callable[[Slice], bytes]]:  # noqa: ARG002 (a cluster hears no messages)
        """Yields the function that makes a material; fetched files stay until the work is over."""
        with TemporaryDirectory(prefix="damas-tables-") as folder:
            store = Store(self.book, Path(folder))
            store.folder.mkdir(parents=True)
            yield partial(solve, store)


def solve(store: Store, task: Slice) -> bytes:
    """Makes a material and returns its file. Raises `DamagedTable` for an input that is not what was asked for."""
    for material, digest in task.inputs:
        path = store.path(material)
        if not path.exists():
            data = fetch(task.files[digest])
            if sha256(data).hexdigest() != digest:
                raise DamagedTable(f"{material.name}: the file fetched is not the one with the hash {digest}")
            path.write_bytes(data)
        store.load(material, 1)
    store.declare(task.material)
    store.core.solve(task.material.counts, 1, _core.Progress())
    made = store.folder / "made"
    store.core.save(task.material.counts, str(made), 1)
    for material in (task.material, *(material for material, _ in task.inputs)):
        store.core.release(material.counts)
        store.close(material)
    return made.read_bytes()


def build_on_cluster(store: Store, pieces: int, address: str, *, report: Report = silent) -> int:
    """Makes on a cluster what is missing of all tables up to so many pieces; returns how many materials were made.

    The files are those that `build` makes. A node does one material on each of its processors, and gets only materials
    for which it has the memory. Finished materials are kept, so that a killed build goes on where it was.
    """
    store.possible(pieces)
    levels = levels_of(pieces)
    missing = store.missing([material for level in levels for material in level])
    if not missing:
        return 0
    for material in (material for level in levels for material in level):
        store.declare(material)
    total = sum(2 * store.sizes[material] for material in missing)
    done = 0
    with exclusive(store.folder), connected(address):
        files: dict[str, Any] = {}
        for level in levels:
            slices = [slice_of(store, material, files) for material in level if material in missing]
            results = run_pieces(Solving(store.book), slices, cluster=address, memory_of=memory_of)
            for task, data in results:
                store.add(task.material, data)
                done += 2 * store.sizes[task.material]
                report(done, total, task.material.name)
            forget_files(store, files, [later for later in missing if later not in level])
    return len(missing)


def slice_of(store: Store, material: Material, files: dict[str, Any]) -> Slice:
    """The slice of a material, its inputs shared with the cluster in `files`."""
    entries = store.slices()
    inputs = []
    for other in sorted(reached(material)):
        digest = str(entries[other.name]["sha256"])
        if digest not in files:
            files[digest] = share(store.path(other).read_bytes())
        inputs.append((other, digest))
    positions = sum(store.sizes[each] for each in (material, *(other for other, _ in inputs)))
    return Slice(material, tuple(inputs), positions, {digest: files[digest] for _, digest in inputs})


def forget_files(store: Store, files: dict[str, Any], later: list[Material]) -> None:
    """Lets the cluster forget the files that no later material needs."""
    entries = store.slices()
    wanted = {entries[other.name]["sha256"] for other in needed(later) if other.name in entries}
    for digest in set(files) - wanted:
        del files[digest]


def memory_of(task: Slice) -> int:
    """How many bytes of memory a slice needs."""
    return 2 * BYTES_PER_POSITION * task.positions
