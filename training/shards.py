"""Files of positions: a header that says where they come from, then records of equal length.

A record: our squares, theirs, all kings (words of 4, 8 or 16 bytes, turned so that the side to move moves up), the
score (int16) and the result (0, 1, 2), both for the side to move, and the ply. A shard is written whole or not at all.
"""

import hashlib
import json
import struct
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from training.writing import whole_file

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
    """Pieces of the endgame tables that ended three games in four; 0: none."""


def difference(found: dict[str, object], wanted: dict[str, object]) -> str:
    """In what the words that were found differ from those that are wanted: `nodes 800, not 500`; empty if they do not."""
    return "; ".join(
        f"{name} {found.get(name)}, not {value}" for name, value in wanted.items() if found.get(name) != value
    )


def write(path: Path, origin: Origin, records: bytes, counts: dict[str, object]) -> None:
    head = json.dumps({**asdict(origin), "counts": counts}, sort_keys=True).encode()
    with whole_file(path) as unfinished, unfinished.open("wb") as file:
        file.write(MAGIC + struct.pack("<II", VERSION, len(head)) + head)
        file.write(records)


def read(path: Path) -> tuple[dict[str, object], bytes]:
    """Header and records of a shard."""
    data = path.read_bytes()
    if data[: len(MAGIC)] != MAGIC:
        raise ValueError(f"{path} is no shard of positions")
    version, length = struct.unpack_from("<II", data, len(MAGIC))
    if version != VERSION:
        raise ValueError(f"{path} is of version {version}, this reads {VERSION}")
    begins = len(MAGIC) + 8 + length
    head = json.loads(data[begins - length : begins])
    return head, data[begins:]


def header(path: Path) -> dict[str, object]:
    with path.open("rb") as file:
        start = file.read(len(MAGIC) + 8)
        if start[: len(MAGIC)] != MAGIC:
            raise ValueError(f"{path} is no shard of positions")
        return json.loads(file.read(struct.unpack_from("<II", start, len(MAGIC))[1]))


def shards(folder: Path) -> Iterator[Path]:
    yield from sorted(folder.glob("*.pos"))


def digest(paths: list[Path]) -> str:
    """One hash over all the data, whatever the files are called."""
    return hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in paths)).hexdigest()
