"""The files of endgame tables on this machine, and probing them.

Each hash of rules has a folder with a file for each material and a manifest. A file is written under a temporary name
and then renamed, so that a killed build leaves no partial file.
"""

import hashlib
import json
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from damas import _core
from damas.errors import DamagedTable, NoTable, NoTablesForRules
from damas.game.core import rules_of
from damas.game.position import Position
from damas.language import sentence
from damas.rules import Rulebook
from damas.tablebase.laws import FORMAT, count_for_core, key, law_of, plies
from damas.tablebase.material import Material, canonical_materials

MAX_PIECES = 7
"""The most pieces of any table: files of more would be too large."""
MAX_PIECES_BY_SIZE = {8: MAX_PIECES, 10: 6}
"""The most pieces of a table, by the size of the board."""
ON_DEMAND_PIECES = {8: 4, 10: 3}
"""By the size of the board: tables of up to this many pieces take about a second and are built on first use."""

UNLIMITED, LIMITED, STARTED = 0, 1, 2


def root() -> Path:
    """The folder of all tables: `DAMAS_TABLEBASES`, or one in the user's cache."""
    if chosen := os.environ.get("DAMAS_TABLEBASES"):
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/damas/tablebases"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "damas/tablebases"


@dataclass(eq=False, repr=False)
class TooManyPieces(NoTable):
    """More pieces than any table is made for."""

    most: int

    def sentence(self, language: str) -> str:
        """How many pieces there are, and the most that tables have."""
        return sentence("tablebase.too_many", language, pieces=self.pieces, most=self.most)


LOCK = threading.Lock()
"""Held while a manifest is changed."""


def digest(path: Path) -> str:
    """The SHA-256 of a file in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


CoreCount = tuple[int, int, bool, bool, bool, bool]


def declaration(
    book: Rulebook, material: Material
) -> tuple[CoreCount, bool, CoreCount, int, bool, bool, bool]:
    """The law of a material as the core takes it. Raises `NoTablesForRules`."""
    try:
        law = law_of(book, material)
    except ValueError:
        raise NoTablesForRules(book.id) from None
    return (
        count_for_core(book, law.count),
        law.started is not None,
        count_for_core(book, law.started),
        plies(law.diagonal) if law.diagonal else 0,
        law.immediate is not None,
        law.immediate is not None and law.immediate.unavoidable,
        law.endless is not None,
    )


class Store:
    """The tables of one rulebook on this machine."""

    def __init__(self, book: Rulebook, folder: Path | None = None) -> None:
        if book.squares.value == "all" or book.size.value not in (8, 10):
            raise NoTablesForRules(book.id)
        self.book = book
        self.key = key(book)
        self.folder = (folder or root()) / self.key.hex()[:16]
        self.core = _core.EndgameTables(rules_of(book), self.key)
        self.sizes: dict[Material, int] = {}
        """Positions of each declared material, for one side to move."""
        self.opened: set[Material] = set()
        self._answerable: set[tuple[int, int, int, int]] = set()
        """Material counts that can be probed at once: those of `opened`, with either colour as White."""
        self.threads: int | None = None
        """Threads for building tables on first use; None: one for each processor."""

    def declare(self, material: Material) -> None:
        """Tells the core which law the tables of a material obey."""
        if material in self.sizes:
            return
        self.possible(material.pieces)
        self.sizes[material] = self.core.declare(material.counts, *declaration(self.book, material))

    def possible(self, pieces: int) -> None:
        """Raises `TooManyPieces`."""
        most = MAX_PIECES_BY_SIZE[self.book.size.value]
        if pieces > most:
            raise TooManyPieces(self.book.id, pieces, most)

    def path(self, material: Material) -> Path:
        """The file of a material."""
        return self.folder / f"{material.name}.damastb"

    def open(self, material: Material) -> bool:
        """Makes a material's file answer; False if there is none. Raises `DamagedTable`."""
        if material in self.opened:
            return True
        self.declare(material)
        path = self.path(material)
        if not path.exists():
            return False
        try:
            self.core.open(material.counts, str(path))
        except _core.DamagedTable as damage:
            raise DamagedTable(str(damage)) from None
        self.opened.add(material)
        return True

    def close(self, material: Material) -> None:
        """Forgets an open file; the next probe opens it again."""
        self.opened.discard(material)
        self._answerable.clear()

    def load(self, material: Material, threads: int) -> None:
        """Brings a whole file into memory. Raises `DamagedTable`; without a file, `NoTable`."""
        if not self.open(material):
            raise NoTable(self.book.id, material.pieces)
        try:
            self.core.load(material.counts, threads)
        except _core.DamagedTable as damage:
            raise DamagedTable(str(damage)) from None

    def complete(self, pieces: int) -> bool:
        """Whether every material of so many pieces has its file. Raises `DamagedTable` for the manifest."""
        return not self.missing(list(canonical_materials(pieces)))

    def missing(self, materials: list[Material]) -> set[Material]:
        """The materials without a file, or whose file size differs from the manifest."""
        entries = self.slices()
        return {m for m in materials if self._bytes(m) != entries.get(m.name, {}).get("bytes", -1)}

    def _bytes(self, material: Material) -> int | None:
        try:
            return self.path(material).stat().st_size
        except (FileNotFoundError, NotADirectoryError):
            return None

    def code(self, position: Position, table: int) -> int:
        """The table code of a position. Raises `NoTable` and `DamagedTable`."""
        try:
            if position.counts in self._answerable:
                return self.core.probe(position, table)
            material = Material(*position.counts)
            if material.white and material.black:
                if material.canonical not in self.opened:
                    self._require(material.canonical)
                self._answerable |= {material.counts, material.opposite.counts}
            return self.core.probe(position, table)
        except _core.DamagedTable as damage:
            raise DamagedTable(str(damage)) from None

    def _require(self, material: Material) -> None:
        if self.open(material):
            return
        if material.pieces > ON_DEMAND_PIECES[self.book.size.value]:
            raise NoTable(self.book.id, material.pieces)
        from damas.tablebase.build import build, build_in_memory

        try:
            build(self, material.pieces, threads=self.threads)
        except OSError:  # nothing can be written here: they are small, and last as long as this object
            build_in_memory(self, material.pieces, threads=self.threads)
            return
        self.open(material)

    # --- writing ----------------------------------------------------------------------

    @contextmanager
    def replacing(self, material: Material) -> Iterator[Path]:
        """Yields the path of a new file for a material; afterwards it has its entry in the manifest and its name."""
        path = self.path(material)
        temporary = path.with_name(f"{path.name}.{os.getpid()}.new")
        try:
            yield temporary
            with LOCK:
                self.note(material, {"sha256": digest(temporary), "bytes": temporary.stat().st_size})
                temporary.replace(path)
            self.close(material)  # whatever was open before is not this file
        finally:
            temporary.unlink(missing_ok=True)

    def add(self, material: Material, data: bytes) -> None:
        """Writes the file of a material that was made elsewhere."""
        with self.replacing(material) as temporary:
            temporary.write_bytes(data)

    # --- the manifest -----------------------------------------------------------------

    @property
    def manifest_path(self) -> Path:
        """The file that lists the tables and their hashes."""
        return self.folder / "manifest.json"

    def slices(self) -> dict[str, dict[str, object]]:
        """What is entries of each material, by its name. Raises `DamagedTable`."""
        try:
            text = self.manifest_path.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except UnicodeDecodeError:
            text = ""
        try:
            slices = json.loads(text)["slices"]
        except (ValueError, TypeError, KeyError):
            slices = None
        if not isinstance(slices, dict) or not all(isinstance(facts, dict) for facts in slices.values()):
            raise DamagedTable(f"{self.manifest_path}: is damaged; remove it, and the tables are made again")
        return slices

    def note(self, material: Material, facts: dict[str, object]) -> None:
        """Adds or replaces the entry of a material in the manifest."""
        slices = self.slices() | {material.name: facts}
        manifest = {"format": FORMAT, "rules": self.key.hex(), "slices": slices}
        beside = self.manifest_path.with_name(f"{self.manifest_path.name}.{os.getpid()}.new")
        try:
            beside.write_text(json.dumps(manifest, indent=1, sort_keys=True), encoding="utf-8")
            beside.replace(self.manifest_path)
        except OSError as trouble:
            beside.unlink(missing_ok=True)
            raise OSError(trouble.errno, trouble.strerror, str(beside)) from None


def store_of(book: Rulebook) -> Store:
    """The store of a rulebook in the default folder; the same object every time."""
    return _store_in(root(), book)


@cache
def _store_in(folder: Path, book: Rulebook) -> Store:
    return Store(book, folder)
