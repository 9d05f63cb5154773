"""Shard files of positions: a header with their origin, then records of equal length.

A record: own squares, opponent squares, all kings (words of 4, 8 or 16 bytes, oriented so that the side to move moves
up), the score (int16) and the result (0, 1, 2), both for the side to move, and the ply. Shards are written atomically.
"""

import hashlib
import json
import struct
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from training.atomic_files import write_bytes
from training.command_line import StageError

MAGIC = b"DAMASPOS"
VERSION = 1


@dataclass(frozen=True)
class Origin:
    """Everything a shard depends on."""

    rulebook: str
    rules: int
    """Fingerprint of the move rules."""
    network: str
    """Checksum of the network that played, or `material`."""
    nodes: int
    seed: int
    first_game: int
    games: int
    record_bytes: int
    random: tuple[int, int]
    fair: int
    threatened: bool
    tables: int
    """Pieces of the endgame tables that adjudicated three games in four; 0 for none."""


def difference(actual: dict[str, object], expected: dict[str, object]) -> str:
    """Describe how settings differ, as in `nodes 800, not 500`; empty if they agree."""
    return "; ".join(
        f"{name} {actual.get(name)}, not {value}"
        for name, value in expected.items()
        if actual.get(name) != value
    )


def write(path: Path, origin: Origin, records: bytes, counts: dict[str, object]) -> None:
    """Write one shard."""
    head = json.dumps({**asdict(origin), "counts": counts}, sort_keys=True).encode()
    write_bytes(path, MAGIC + struct.pack("<II", VERSION, len(head)) + head + records)


def read(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return the header and the records of a shard."""
    with path.open("rb") as file:
        return _read_header(file), file.read()


def header(path: Path) -> dict[str, Any]:
    """Return the header of a shard."""
    with path.open("rb") as file:
        return _read_header(file)


def _read_header(file: BinaryIO) -> dict[str, Any]:
    start = file.read(len(MAGIC) + 8)
    if start[: len(MAGIC)] != MAGIC:
        raise StageError(f"{file.name} is not a shard of positions")
    version, length = struct.unpack_from("<II", start, len(MAGIC))
    if version != VERSION:
        raise StageError(f"{file.name} has version {version}; this reader supports {VERSION}")
    head: dict[str, Any] = json.loads(file.read(length))
    return head


def shards(folder: Path) -> list[Path]:
    """Return the shards of a folder in order."""
    return sorted(folder.glob("*.pos"))


def digest(paths: list[Path]) -> str:
    """Return one hash over the contents, independent of file names."""
    return hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in paths)).hexdigest()
